/**
 * Where the items of each rank stand from left to right: as near to those they are joined to as the room between neighbours allows. Pure.
 */
import type { Grid, Item } from "./grid.js";

/** Pixels between two boxes, and between others. */
const betweenBoxes = 22;
const betweenOthers = 10;

/**
 * How strongly two joined items pull each other. A long line should be straight, most of all beside a box and its label; a label should
 * stand right above its box, so that what goes far to the side goes there above the label.
 */
function pullOf(upper: Item, lower: Item): number {
	if (upper.kind === "label") return 12;
	if (upper.kind !== "bend" || lower.kind !== "bend") return 1;
	return upper.rank % 2 === 1 ? 30 : 10;
}

/**
 * How strongly everything is drawn to the first item, the company: a picture of many boxes should not be wider than it needs to be, one of
 * a few has room enough.
 */
const toCompany = { few: 0.05, many: 0.6 } as const;
const fewBoxes = 15;

const sweeps = 40;

/**
 * The middle of each item, in whole pixels; the leftmost item begins at 0. The sum of the squared distances of joined items becomes small:
 * rank by rank, up and down in turns, with the exact least squares for one rank.
 */
export function place(grid: Grid): number[] {
	const { items, ranks } = grid;
	const offsets = ranks.map((rank) => offsetsOf(items, rank));
	const middles = centred(grid, offsets);
	const inward = items.filter(({ kind }) => kind === "box").length > fewBoxes ? toCompany.many : toCompany.few;
	for (let sweep = 0; sweep < sweeps; sweep++)
		for (let step = 0; step < ranks.length; step++) {
			const at = sweep % 2 === 0 ? step : ranks.length - 1 - step;
			// At first from one side alone: the middles that were only counted up above say nothing.
			const sides = sweep === 0 ? (["above"] as const) : sweep === 1 ? (["below"] as const) : (["above", "below"] as const);
			placeRank(items, ranks[at] ?? [], offsets[at] ?? [], middles, sides, inward);
		}
	for (let at = 1; at < ranks.length; at += 2) straighten(items, ranks[at] ?? [], offsets[at] ?? [], middles);
	const left = items.reduce((least, { width }, item) => Math.min(least, (middles[item] as number) - width / 2), Number.POSITIVE_INFINITY);
	// Rounded alike, places that have whole pixels between them keep them.
	return middles.map((middle) => Math.round(middle - left));
}

/** Beside labels a line goes straight down to its next bend, as far as there is room: it turns above them, where the way is longer. */
function straighten(items: readonly Item[], rank: readonly number[], offsets: readonly number[], middles: number[]): void {
	for (const [place, number] of rank.entries()) {
		const { kind, below } = items[number] as Item;
		const [next] = below.keys();
		if (kind !== "bend" || next === undefined) continue;
		const [before, after] = [rank[place - 1], rank[place + 1]];
		const distance = (one: number): number => (offsets[one] as number) - (offsets[one - 1] as number);
		const least = before === undefined ? Number.NEGATIVE_INFINITY : (middles[before] as number) + distance(place);
		const most = after === undefined ? Number.POSITIVE_INFINITY : (middles[after] as number) - distance(place + 1);
		middles[number] = Math.max(least, Math.min(most, middles[next] as number));
	}
}

/** Each rank as narrow as it can be, around 0. */
function centred({ items, ranks }: Grid, offsets: readonly (readonly number[])[]): number[] {
	const middles: number[] = Array(items.length).fill(0);
	for (const [at, rank] of ranks.entries())
		for (const [place, item] of rank.entries()) middles[item] = (offsets[at]?.[place] ?? 0) - (offsets[at]?.at(-1) ?? 0) / 2;
	return middles;
}

/** For each item of a rank the least distance of its middle from that of the first. */
function offsetsOf(items: readonly Item[], rank: readonly number[]): number[] {
	const offsets: number[] = [];
	for (const [place, number] of rank.entries()) {
		const item = items[number] as Item;
		const before = items[rank[place - 1] ?? -1];
		if (before === undefined) {
			offsets.push(0);
			continue;
		}
		const gap = before.kind === "box" && item.kind === "box" ? betweenBoxes : betweenOthers;
		offsets.push((offsets.at(-1) ?? 0) + Math.ceil((before.width + item.width) / 2) + gap);
	}
	return offsets;
}

interface Block {
	sum: number;
	weight: number;
	count: number;
}

/**
 * Least squares under least distances: less its offset, each place must not be smaller than the one before it, so neighbours that want to
 * change places get the weighted mean of their wishes (isotonic regression by pooling).
 */
function placeRank(
	items: readonly Item[],
	rank: readonly number[],
	offsets: readonly number[],
	middles: number[],
	sides: readonly ("above" | "below")[],
	inward: number,
): void {
	const blocks: Block[] = [];
	for (const [place, number] of rank.entries()) {
		const item = items[number] as Item;
		let [sum, weight] = [0, 0];
		for (const side of sides)
			for (const neighbour of item[side].keys()) {
				const other = items[neighbour] as Item;
				const pull = side === "above" ? pullOf(other, item) : pullOf(item, other);
				sum += pull * (middles[neighbour] as number);
				weight += pull;
			}
		sum += inward * (middles[0] as number);
		weight += inward;
		let block: Block = { sum: sum - weight * (offsets[place] as number), weight, count: 1 };
		for (let last = blocks.at(-1); last !== undefined && last.sum / last.weight >= block.sum / block.weight; last = blocks.at(-1)) {
			blocks.pop();
			block = { sum: block.sum + last.sum, weight: block.weight + last.weight, count: block.count + last.count };
		}
		blocks.push(block);
	}
	let next = 0;
	for (const { sum, weight, count } of blocks)
		for (let one = 0; one < count; one++, next++) middles[rank[next] as number] = sum / weight + (offsets[next] as number);
}
