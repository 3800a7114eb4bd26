/**
 * The period that a time in a list or statement may mean.
 */

export interface Span {
	from: number;
	to: number;
}

const hour = 3_600_000;
/** A date, optionally with a time of day and an offset. */
const readable = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/i;

/**
 * The period that a time may mean, in milliseconds: a date alone is a whole day, and a time without an offset may be in any time zone;
 * this machine's time zone is never assumed. Undefined for other formats, which are ambiguous.
 */
export function spanOf(time: string | undefined): Span | undefined {
	const [, date, clock, utc, hours, minutes] = readable.exec(time ?? "") ?? [];
	const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
	const at = Date.parse(`${date}T${clock ?? "00:00"}${offset}`);
	if (!(at > 0)) return undefined;
	if (utc !== undefined || hours !== undefined) return { from: at, to: at };
	return { from: at - 14 * hour, to: at + (clock === undefined ? 36 : 12) * hour };
}

/** The latest day that ends before a moment in every time zone, and the earliest that begins after it, YYYY-MM-DD as in a statement. */
export const dayBefore = (at: number): string => new Date(at - 36 * hour).toISOString().slice(0, 10);
export const dayAfter = (at: number): string => new Date(at + 38 * hour - 1).toISOString().slice(0, 10);
