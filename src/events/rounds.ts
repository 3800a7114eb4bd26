/**
 * When a source is asked again, and what is said after it was not heard for a while. Pure.
 */

/** The longest pause of our own in milliseconds, where asking failed again and again. */
const longestPause = 300_000;

/** Milliseconds beyond the usual pause from which on somebody is told that nothing was heard. */
const unnoticed = 60_000;

/**
 * Milliseconds until the next round.
 * @param every what was asked for, in milliseconds
 * @param failures how many rounds in a row failed
 * @param asked what the service asked for (Retry-After), in milliseconds
 * @param fraction from 0 up to, not including, 1: rounds of several machines drift apart
 */
export function pauseOf({
	every,
	failures,
	asked = 0,
	fraction,
}: {
	every: number;
	failures: number;
	asked?: number;
	fraction: number;
}): number {
	const grown = Math.max(every, Math.min(longestPause, every * 2 ** Math.min(failures, 20)));
	return Math.round(Math.max(asked, grown * (0.9 + fraction * 0.2)));
}

/**
 * Milliseconds that nothing was heard for, where that is worth a line: this machine slept, the service did not answer, or nobody followed.
 * @param last when everything was last heard
 */
export function gapSince(last: Date, now: Date, every: number): number | undefined {
	const gap = now.getTime() - last.getTime();
	return gap > 2 * every + unnoticed ? gap : undefined;
}

export function caughtUp(gap: number, events: number): string {
	return `Caught up: nothing heard for ${lengthWords(gap)}, ${events} event${events === 1 ? "" : "s"} since`;
}

/** `45 s`, `12 min`, `2 h`, `3 days`. */
function lengthWords(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1_000);
	if (seconds < 120) return `${seconds} s`;
	if (seconds < 7_200 - 30) return `${Math.round(seconds / 60)} min`;
	const hours = Math.round(seconds / 3_600);
	return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
