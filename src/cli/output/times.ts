/**
 * Times as people read them: by the clock on their wall with its offset from UTC, or in UTC where they ask for that. Data keeps RFC 3339 in
 * UTC.
 */

const two = (part: number): string => String(part).padStart(2, "0");

/** `+01:00`; the offset of this machine's zone at that moment. */
function offsetOf(moment: Date): string {
	const minutes = -moment.getTimezoneOffset();
	const size = Math.abs(minutes);
	return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** `2026-03-01 11:22 +01:00`, or `2026-03-01 10:22 UTC`. */
export function wallTime(moment: Date, utc: boolean): string {
	if (utc) return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
	const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
	return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())} ${offsetOf(moment)}`;
}

/** `11:22:33 +01:00`, or `10:22:33 UTC`. */
export function wallClock(moment: Date, utc: boolean): string {
	if (utc) return `${moment.toISOString().slice(11, 19)} UTC`;
	return `${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())} ${offsetOf(moment)}`;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function momentOf(text: string): Date | undefined {
	const moment = new Date(text);
	return rfc3339.test(text) && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

/** RFC 3339 → {@link wallTime}; anything else unchanged. */
export function shortTime(text: string, utc: boolean): string {
	const moment = momentOf(text);
	return moment === undefined ? text : wallTime(moment, utc);
}

/** RFC 3339 → `2026-03-01 11:22 +01:00 (3 minutes ago)`; anything else unchanged. */
export function readableTime(text: string, now: Date, utc: boolean): string {
	const moment = momentOf(text);
	return moment === undefined ? text : `${wallTime(moment, utc)} (${relative(moment.getTime() - now.getTime())})`;
}

/** A sentence with its times as {@link wallTime}. What stands in quotes is somebody's text and stays as it is. */
export function localizedTimes(text: string, utc: boolean): string {
	if (!/\dT\d/.test(text)) return text;
	return text
		.split(/("(?:[^"\\]|\\.)*")/)
		.map((part, at) => (at % 2 === 1 ? part : part.replace(standing, (time) => shortTime(time, utc))))
		.join("");
}

/** A time that stands by itself, and is no part of a word, a path or a flag's value. */
const standing = /(?<=^|[\s(])\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z(?=$|[\s).,;:])/g;

/** RFC 3339 → `3 minutes ago` or `just now`; anything else unchanged. */
export function timeAgo(text: string, now: Date): string {
	const moment = momentOf(text);
	return moment === undefined ? text : relative(moment.getTime() - now.getTime()).replace(/^now$/, "just now");
}

const units = [
	[90, 1, "second"],
	[5400, 60, "minute"],
	[129_600, 3600, "hour"],
	[Number.POSITIVE_INFINITY, 86_400, "day"],
] as const;

function relative(milliseconds: number): string {
	const seconds = Math.round(Math.abs(milliseconds) / 1000);
	if (seconds < 5) return "now";
	const [, size, unit] = units.find(([below]) => seconds < below) as (typeof units)[number];
	const count = Math.round(seconds / size);
	const span = `${count} ${unit}${count === 1 ? "" : "s"}`;
	return milliseconds < 0 ? `${span} ago` : `in ${span}`;
}
