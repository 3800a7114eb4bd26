/**
 * When transfers that cannot be told apart began, as far as one of them may have become what another was taken for. Pure.
 */
import { clockSkew, farthestSkew } from "./matching/similarity.js";

/**
 * When those of several transfers alike began whose times overlap with one's, itself included, in milliseconds, the oldest first. What one of
 * them was given by counting may be another's of them.
 */
export function timesAround(begun: string, alike: readonly string[], settleAfter: number): number[] {
	const own = Date.parse(begun);
	const times = [own, ...alike.map((time) => Date.parse(time))].sort((one, other) => one - other);
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
 * From when a list must reach back to show all that doubts can have become, RFC 3339 UTC: from before the first transfer
 * alike whose time overlaps with theirs, by as much as our clock may have been ahead.
 * @param doubts when they began; `counted`: when those alike began that were found by counting
 */
export function reachBack(doubts: readonly string[], counted: readonly string[], settleAfter: number): string {
	let first = Math.min(...doubts.map((time) => Date.parse(time)));
	for (const time of [...counted].sort().reverse()) {
		const begun = Date.parse(time);
		if (begun < first && first - clockSkew <= begun + settleAfter) first = begun;
	}
	return new Date(first - farthestSkew).toISOString();
}
