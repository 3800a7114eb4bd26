/**
 * How long a link or a code is valid (ISO 8601 durations such as `PT48H`), and the period that the time of a record may mean.
 */

/** Validity of a link whose answer did not state one, as the service's documentation says. */
const usualValidity = { email: "PT48H", kyc: "PT720H" } as const;

/** Milliseconds of days, hours, minutes and seconds; undefined for anything else (months have no fixed length). */
export function millisecondsOf(duration: string | undefined): number | undefined {
	const match = /^P(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/.exec(duration ?? "");
	if (!match || match.slice(1).every((part) => part === undefined)) return undefined;
	const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
	return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** The end of `duration` from `now`, as RFC 3339; undefined where it is unknown. */
export function endOf(duration: string | undefined, now: Date): string | undefined {
	const milliseconds = millisecondsOf(duration);
	return milliseconds === undefined ? undefined : new Date(now.getTime() + milliseconds).toISOString();
}

/**
 * The end of a link: as the service gave it in its answer, else the usual time after it.
 * @param given when it was requested, and its end where the service gave one, RFC 3339 UTC
 */
export const linkEnd = (kind: keyof typeof usualValidity, { begun, validUntil }: { begun: string; validUntil?: string }): string =>
	validUntil ?? (endOf(usualValidity[kind], new Date(begun)) as string);

/** Whether a link is no longer valid. */
export const isOver = (until: string, now: Date): boolean => Date.parse(until) <= now.getTime();

/** A period in milliseconds since 1970. */
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
