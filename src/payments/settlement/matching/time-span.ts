/**
 * The moments that a time of a list or a statement may mean.
 */

export interface Span {
	from: number;
	to: number;
}

const hour = 3_600_000;
/** A date, a time of day, an offset; the last two may be missing. */
const readable = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/i;

/**
 * The moments a time may mean, in milliseconds: a date alone is a whole day, and without an offset it is in any time zone, which is
 * never this machine's by itself. Undefined where it is not of that form: other forms mean different days to different people.
 */
export function spanOf(time: string | undefined): Span | undefined {
	const [, date, clock, utc, hours, minutes] = readable.exec(time ?? "") ?? [];
	const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
	const at = Date.parse(`${date}T${clock ?? "00:00"}${offset}`);
	if (!(at > 0)) return undefined;
	if (utc !== undefined || hours !== undefined) return { from: at, to: at };
	return { from: at - 14 * hour, to: at + (clock === undefined ? 36 : 12) * hour };
}

/** The latest day that is over before a moment, and the earliest that begins after it, in every time zone: YYYY-MM-DD, as a statement has it. */
export const dayBefore = (at: number): string => new Date(at - 36 * hour).toISOString().slice(0, 10);
export const dayAfter = (at: number): string => new Date(at + 38 * hour - 1).toISOString().slice(0, 10);
