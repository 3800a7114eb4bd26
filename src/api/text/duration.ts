/**
 * How long a link or a code is valid: ISO 8601 durations such as `PT48H`.
 */

/** Validity of a link whose answer did not state one: assumed. */
const usualValidity = { email: "PT48H", kyc: "PT720H" } as const;

/** Milliseconds of days, hours, minutes and seconds; undefined for anything else (months have no fixed length). */
export function millisecondsOf(duration: string | undefined): number | undefined {
	const match = /^P(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/.exec(duration ?? "");
	if (!match || match.slice(1).every((part) => part === undefined)) return undefined;
	const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
	return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** `PT48H` → `48 hours`, `PT720H` → `30 days`; anything else is returned unchanged. */
export function durationWords(duration: string | undefined): string | undefined {
	const milliseconds = millisecondsOf(duration);
	if (milliseconds === undefined || milliseconds === 0) return duration;
	const units: readonly [string, number, number][] = [
		["day", 86_400_000, 3],
		["hour", 3_600_000, 1],
		["minute", 60_000, 1],
		["second", 1000, 1],
	];
	for (const [name, size, least] of units) {
		const count = milliseconds / size;
		if (Number.isInteger(count) && count >= least) return `${count} ${name}${count === 1 ? "" : "s"}`;
	}
	return duration;
}

/** The end of `duration` from `now`, as RFC 3339; undefined where it is unknown. */
export function endOf(duration: string | undefined, now: Date): string | undefined {
	const milliseconds = millisecondsOf(duration);
	return milliseconds === undefined ? undefined : new Date(now.getTime() + milliseconds).toISOString();
}

/** Until when a link is valid, RFC 3339 UTC. */
export interface LinkEnd {
	until: string;
	/** The service did not say it: it is the usual time. */
	assumed?: true;
}

/**
 * The end of a link: as the service gave it in its answer, else the usual time after it.
 * @param given when it was requested, and its end where the service gave one, RFC 3339 UTC
 */
export function linkEnd(kind: keyof typeof usualValidity, given: { begun: string; validUntil?: string }): LinkEnd {
	if (given.validUntil !== undefined) return { until: given.validUntil };
	return { until: endOf(usualValidity[kind], new Date(given.begun)) as string, assumed: true };
}

/** Whether a link is no longer valid. */
export const isOver = ({ until }: LinkEnd, now: Date): boolean => Date.parse(until) <= now.getTime();

/** Stands behind the end of a link, where it is assumed. */
export const assumedWords = (assumed: true | undefined): string => (assumed ? " (assumed: the service did not say)" : "");
