/**
 * Times of duplicate transfers whose periods overlap, so that a transaction attributed to one may belong to another. Pure.
 */
import { clockSkew, farthestSkew } from "./matching/similarity.js";

/**
 * The times, in milliseconds and oldest first, of all duplicates whose periods overlap directly or indirectly with this transfer's,
 * including its own. A transaction that counting attributed to one of them may belong to any other.
 */
export function overlappingTimes(begun: string, duplicates: readonly string[], settleAfter: number): number[] {
	const own = Date.parse(begun);
	const times = [own, ...duplicates.map((time) => Date.parse(time))].sort((one, other) => one - other);
	const starts = times.flatMap((time, place) =>
		place > 0 && time - clockSkew <= (times[place - 1] as number) + settleAfter ? [] : [place],
	);
	const place = times.indexOf(own);
	const from = starts.findLast((start) => start <= place) as number;
	return times.slice(
		from,
		starts.find((start) => start > place),
	);
}

/**
 * The time from which a list must start to show everything that the doubts can have become, RFC 3339 UTC: before the first duplicate whose
 * period overlaps with theirs, by as much as our clock may have been ahead.
 * @param doubts when they began
 * @param counted when the duplicates began that were settled by counting
 */
export function listStart(doubts: readonly string[], counted: readonly string[], settleAfter: number): string {
	let first = doubts.reduce((earliest, time) => Math.min(earliest, Date.parse(time)), Infinity);
	for (const time of [...counted].sort().reverse()) {
		const begun = Date.parse(time);
		if (begun < first && first - clockSkew <= begun + settleAfter) first = begun;
	}
	return new Date(first - farthestSkew).toISOString();
}
