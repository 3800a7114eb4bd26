/**
 * What the time of a record may mean.
 */

const hour = 3_600_000;

/** From the earliest to the latest moment, in milliseconds since 1970; the same one where the time is exact. */
export interface Span {
	from: number;
	to: number;
}

const readable = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/i;

/**
 * The period that a time may mean: a date alone is a whole day, and a time without an offset may be in any time zone; this machine's is never
 * assumed. Undefined for other forms.
 */
export function spanOf(time: string | undefined): Span | undefined {
	const [, date, clock, utc, hours, minutes] = readable.exec(time ?? "") ?? [];
	const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
	const at = Date.parse(`${date}T${clock ?? "00:00"}${offset}`);
	if (!(at > 0)) return undefined;
	if (utc !== undefined || hours !== undefined) return { from: at, to: at };
	return { from: at - 14 * hour, to: at + (clock === undefined ? 36 : 12) * hour };
}
