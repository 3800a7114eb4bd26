/**
 * What is wrong with text as it was typed or read from a file, in words for whoever typed it.
 */
import { codePoint, invisibleFault } from "./text/sanitize.js";

/** Line ends, control and invisible characters, and characters that were not UTF-8: the service would keep them permanently. */
export function lineFault(value: string): string | undefined {
	const found = /[\p{Cc}\u2028\u2029\uFFFD]/u.exec(value)?.[0];
	if (found === undefined) return invisibleFault(value);
	if (found === "\uFFFD") return "has a letter that was not written in UTF-8 and cannot be read; type it again in a UTF-8 terminal";
	const what = /[\n\r\u2028\u2029]/.test(found) ? "a line end" : "a control character";
	return `has ${what} (${codePoint(found)})${value.endsWith(found) ? " at its end" : ""}; it has to be one line of text`;
}

/** A name that is there and says nothing. */
export function emptyFault(value: string): string | undefined {
	return value.trim() === "" ? `is ${value === "" ? "empty" : "nothing but blanks"}; a name is needed` : undefined;
}

/** The specification allows empty text and blanks, so they pass; the warning is for scripts with an unset variable. */
export function edgeRemark(value: string): string | undefined {
	if (value.trim() === "") return value === "" ? "is given and empty" : "has nothing but spaces";
	return value === value.trim() ? undefined : "begins or ends with a space, which would be sent too";
}

/** What is wrong with a calendar date; undefined for one that exists. */
export function dateFault(value: string): string | undefined {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return "must be a date as YYYY-MM-DD";
	// The 30th of February is read as a day of March.
	const read = new Date(value);
	const exists = !value.startsWith("0000") && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(value);
	return exists ? undefined : `is not a valid date: ${value}`;
}

// Moments as a person types them.

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** What can be typed, for help and errors. */
export const momentForms = "7d, 12h, today, yesterday, a day (2026-03-01, of UTC) or a time (2026-03-01T00:00:00Z)";

/** A time as the screens show it, `2026-03-01 00:00 +01:00` or `… UTC`, as RFC 3339, because people copy it from there; any other text as it is. */
export function shownTime(text: string): string {
	const [, day, clock, zone] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?) (UTC|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
	if (day === undefined || clock === undefined) return text;
	return `${day}T${clock.length === 5 ? `${clock}:00` : clock}${zone?.toUpperCase() === "UTC" ? "Z" : zone}`;
}

/** Whether it is a span back from now, or a day by its name. */
export const isRelativeMoment = (text: string): boolean => /^([1-9]\d{0,4}[mhdw]|today|yesterday)$/i.test(text);

/**
 * The moment that a text means, as RFC 3339. A named day is one by the wall's clock, a day of the calendar one of UTC. As an `end`, a day counts to its last millisecond.
 * @param text as {@link isRelativeMoment} or the forms of RFC 3339 take it, already checked
 */
export function readMoment(text: string, { now, utc, end }: { now: Date; utc: boolean; end: boolean }): string {
	if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T${end ? "23:59:59.999Z" : "00:00:00Z"}`;
	const word = text.toLowerCase();
	const [, count, unit = ""] = /^(\d+)([mhdw])$/.exec(word) ?? [];
	if (count !== undefined) return new Date(now.getTime() - Number(count) * (units[unit] as number)).toISOString();
	if (!isRelativeMoment(word)) return shownTime(text);
	// Midnight so many days from then. By the calendar, as a day in which clocks change is not of 24 hours.
	const start = (shift: number): Date => {
		const days = word === "today" ? shift : shift - 1;
		if (utc) return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days));
		return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
	};
	return (end ? new Date(start(1).getTime() - 1) : start(0)).toISOString();
}
