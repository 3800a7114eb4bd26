/** The words of a report's page, and the bounds by which it stays below 1 MB. */
import { groupDigits } from "../../../api/amount.js";
import type { Advice } from "../../../errors.js";
import type { Cell } from "../../../ports/page.js";
import { rateText } from "../send/pace.js";
import type { WrittenReport } from "./steps.js";

/** What the page is made with. */
export interface PageOptions {
	/** Show references, which may name persons. */
	unmasked: boolean;
	/** The tool and its version. */
	madeBy: string;
	/** The text of an advice, its commands as they are typed. */
	shown(advice: Advice): string;
}

/** Most of what is shown. */
export const most = { rows: 200, faults: 20, facts: 30 } as const;

/**
 * A text that takes at most so many bytes of a page: a character beside letters, digits and plain punctuation may be escaped there and then
 * takes up to twelve.
 */
export function bounded(text: string, bytes: number): string {
	let left = bytes;
	let end = 0;
	for (const character of text) {
		left -= /[\w .,:;/+()=-]/.test(character) ? 1 : /[\p{L}\p{N}]/u.test(character) ? Buffer.byteLength(character) : 12;
		if (left < 0) return `${text.slice(0, end)}…`;
		end += character.length;
	}
	return text;
}

/** What stands for personal data; an absent value stays absent. */
export function hiddenOr(unmasked: boolean, text: string | undefined): Cell {
	if (text === undefined || text === "") return undefined;
	return unmasked ? bounded(text, 120) : "***";
}

/** `1 payment`, `1 200 payments` */
export const counted = (count: number, noun: string): string => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `1 more payment`, `12 more payments` */
export const moreOf = (count: number, noun: string): string => `${groupDigits(count)} more ${noun}${count === 1 ? "" : "s"}`;

/** When it was sent, for how long, and how fast. */
export function timesText({ begun, sent, state }: WrittenReport): string {
	if (begun === undefined) return state === "abandoned" ? "It was cancelled before anything was sent." : "It was not sent.";
	const seconds = secondsOf(begun, sent.last);
	if (seconds === undefined) return "It was started, and no payment was sent.";
	return `${counted(sent.rows, "payment")} sent in ${durationText(seconds)}.`;
}

/** Seconds from one time to another; undefined where either is unknown or they are the wrong way round. */
export function secondsOf(from: string | undefined, to: string | undefined): number | undefined {
	const seconds = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1_000;
	return seconds >= 0 ? seconds : undefined;
}

/** `less than a second`, `12 s`, `2 min 5 s`, `3 h 20 min`, `2 d 3 h` */
export function durationText(seconds: number): string {
	if (seconds < 1) return "less than a second";
	const whole = Math.round(seconds);
	const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3_600) % 24, Math.floor(whole / 60) % 60];
	if (days > 0) return `${days} d ${hours} h`;
	if (hours > 0) return `${hours} h ${minutes} min`;
	return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** The average, like `120 a second`; undefined where the time is too short to tell. */
export function averageText(rows: number, seconds: number): string | undefined {
	return seconds < 1 || rows < 2 ? undefined : rateText(rows / seconds);
}
