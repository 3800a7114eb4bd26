/**
 * The order within the ranks of a picture, with few lines that cross: each item near the middle of those it is joined to (barycentre), up
 * and down in turns, and the best order that was seen. Pure; the same grid gives the same order.
 */
import type { Grid, Item } from "./grid.js";

const sweeps = 16;

/** Sorts the ranks of a grid. */
export function order(grid: Grid): void {
	const { ranks } = grid;
	let best = ranks.map((rank) => [...rank]);
	let fewest = crossings(grid);
	for (let sweep = 0; sweep < sweeps; sweep++) {
		const down = sweep % 2 === 0;
		for (let step = 1; step < ranks.length; step++) {
			const at = down ? step : ranks.length - 1 - step;
			sortRank(grid, at, down ? "above" : "below");
		}
		const now = crossings(grid);
		if (now > fewest) continue;
		fewest = now;
		best = ranks.map((rank) => [...rank]);
	}
	for (const [at, rank] of best.entries()) ranks[at] = rank;
	for (let at = 1; at < ranks.length; at += 2) crossAbove(grid, at);
}

/**
 * Each item of a rank of labels has one neighbour above and one below, so lines that cross may as well do it above: then a label stands
 * right above its box.
 */
function crossAbove({ items, ranks }: Grid, at: number): void {
	const [above, below] = [placesOf(ranks[at - 1] ?? []), placesOf(ranks[at + 1] ?? [])];
	const placeIn = (places: ReadonlyMap<number, number>, joined: Item["above"] | undefined): number => {
		const [neighbour = -1] = joined?.keys() ?? [];
		return places.get(neighbour) ?? 0;
	};
	ranks[at]?.sort(
		(one, other) =>
			placeIn(below, items[one]?.below) - placeIn(below, items[other]?.below) ||
			placeIn(above, items[one]?.above) - placeIn(above, items[other]?.above),
	);
}

/** By the middle of the neighbours of one side; what has none there stays at its place between the others. */
function sortRank({ items, ranks }: Grid, at: number, side: "above" | "below"): void {
	const rank = ranks[at] ?? [];
	const places = placesOf(ranks[side === "above" ? at - 1 : at + 1] ?? []);
	const middles = new Map<number, number>();
	for (const item of rank) {
		let [sum, count] = [0, 0];
		for (const [neighbour, links] of (items[item] as Item)[side]) {
			sum += (places.get(neighbour) ?? 0) * links;
			count += links;
		}
		if (count > 0) middles.set(item, sum / count);
	}
	const moving = rank.filter((item) => middles.has(item));
	const groups = new Map<number, number[]>();
	for (const item of moving) {
		const middle = middles.get(item) as number;
		const group = groups.get(middle);
		if (group === undefined) groups.set(middle, [item]);
		else group.push(item);
	}
	const sorted = [...groups].sort(([one], [other]) => one - other).flatMap(([, group]) => bendsWithin(items, group));
	let next = 0;
	ranks[at] = rank.map((item) => (middles.has(item) ? (sorted[next++] as number) : item));
}

/** Of items that could stand in any order, lines that go on stand in the middle: those below them then stand below the others. */
function bendsWithin(items: readonly Item[], group: readonly number[]): number[] {
	const bends = group.filter((item) => items[item]?.kind === "bend");
	const others = group.filter((item) => items[item]?.kind !== "bend");
	// In the next row they stand on the other side of one in the middle: else a long line drifts away.
	const half = (others.length + (((items[group[0] ?? 0]?.rank ?? 0) >> 2) & 1)) >> 1;
	return [...others.slice(0, half), ...bends, ...others.slice(half)];
}

const placesOf = (rank: readonly number[]): Map<number, number> => new Map(rank.map((item, place) => [item, place]));

/** How many pairs of lines cross between the ranks. */
function crossings({ items, ranks }: Grid): number {
	let count = 0;
	for (const [at, rank] of ranks.entries()) {
		const below = ranks[at + 1];
		if (below === undefined) break;
		const places = placesOf(below);
		const ends = rank.flatMap((item) =>
			[...(items[item] as Item).below.keys()].map((one) => places.get(one) as number).sort((a, b) => a - b),
		);
		count += inversions(ends, below.length);
	}
	return count;
}

/** Pairs in the wrong order, counted with sums over ranges of powers of two (a Fenwick tree). */
function inversions(ends: readonly number[], size: number): number {
	const sums = new Int32Array(size + 1);
	let count = 0;
	for (const [seen, end] of ends.entries()) {
		let notAfter = 0;
		for (let at = end + 1; at > 0; at -= at & -at) notAfter += sums[at] as number;
		count += seen - notAfter;
		for (let at = end + 1; at <= size; at += at & -at) sums[at] = (sums[at] as number) + 1;
	}
	return count;
}
