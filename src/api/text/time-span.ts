/**
 * The period that the time of a record may mean.
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
 * @param zone minutes by which times without an offset are ahead of UTC, where that is known
 */
export function spanOf(time: string | undefined, zone?: number): Span | undefined {
	const [, date, clock, utc, hours, minutes] = readable.exec(time ?? "") ?? [];
	const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
	const at = Date.parse(`${date}T${clock ?? "00:00"}${offset}`);
	if (!(at > 0)) return undefined;
	if (utc !== undefined || hours !== undefined) return { from: at, to: at };
	const day = clock === undefined ? 24 * hour : 0;
	if (zone !== undefined) return { from: at - zone * 60_000, to: at - zone * 60_000 + day };
	return { from: at - 14 * hour, to: at + 12 * hour + day };
}

/** Whether a time names no zone, so that it can mean several moments. */
export const isWithoutZone = (time: string | undefined): boolean =>
	/\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(time ?? "") && !/[+-]\d{2}:?\d{2}$/.test(time ?? "");
