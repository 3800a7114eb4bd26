/**
 * What has a place in the rows of a picture: boxes, and between them labels and the bends of lines. A rank of boxes and one of labels take
 * turns, so a line that passes a rank has a place of its own in it, and runs through no box and no label. Pure.
 */
import type { Link, Rows } from "./layers.js";

export interface Item {
	rank: number;
	width: number;
	kind: "box" | "label" | "bend";
	/** Where it stands before the ranks are ordered. */
	key: number;
	/** Items of the rank above and of that below, with the number of links between. */
	above: Map<number, number>;
	below: Map<number, number>;
}

export interface Grid {
	/** The boxes first, by number of their node. */
	items: Item[];
	/** For each rank its items from left to right. Ranks 0, 2, … hold the boxes of row 0, 1, … */
	ranks: number[][];
	/** For each link its items from the upper box to the lower; undefined for one that found no room. */
	paths: (number[] | undefined)[];
}

const bendWidth = 8;

/** Most bends: a hostile record could need millions. */
const mostBends = 6000;

/**
 * Links to the same company share their bends, as the branches of a tree share its trunk; one that leads back has bends of its own. A label
 * stands in the rank right above the lower box.
 * @param boxWidths by node
 * @param labelWidths by link
 */
export function gridOf(rows: Rows, links: readonly Link[], boxWidths: readonly number[], labelWidths: readonly number[]): Grid {
	const grid: Grid = { items: [], ranks: Array.from({ length: Math.max(1, 2 * rows.count - 1) }, () => []), paths: [] };
	const add = (rank: number, kind: Item["kind"], width: number, key: number): number => {
		const number = grid.items.push({ rank, width, kind, key, above: new Map(), below: new Map() }) - 1;
		grid.ranks[rank]?.push(number);
		return number;
	};
	for (const [node, row] of rows.row.entries()) add(2 * row, "box", boxWidths[node] as number, rows.met[node] as number);
	const trunks = new Map<string, number>();
	let bends = 0;
	for (const [at, { owner, owned }] of links.entries()) {
		const [upper, lower] = rows.back[at] ? [owner, owned] : [owned, owner];
		const [from, to] = [2 * (rows.row[upper] as number), 2 * (rows.row[lower] as number)];
		if (bends + to - from > mostBends) {
			grid.paths.push(undefined);
			continue;
		}
		const key = rows.met[lower] as number;
		const path = [upper];
		for (let rank = from + 1; rank < to - 1; rank++) {
			const name = rows.back[at] ? `back ${at} ${rank}` : `${owned} ${rank}`;
			const bend = trunks.get(name) ?? add(rank, "bend", bendWidth, key);
			if (!trunks.has(name)) bends++;
			trunks.set(name, bend);
			path.push(bend);
		}
		path.push(add(to - 1, "label", labelWidths[at] as number, key), lower);
		join(grid.items, path);
		grid.paths.push(path);
	}
	for (const rank of grid.ranks) rank.sort((one, other) => keyOf(grid, one) - keyOf(grid, other) || one - other);
	return grid;
}

const keyOf = ({ items }: Grid, at: number): number => (items[at] as Item).key;

function join(items: readonly Item[], path: readonly number[]): void {
	for (const [at, below] of path.entries()) {
		const above = path[at - 1];
		if (above === undefined) continue;
		const [upper, lower] = [items[above] as Item, items[below] as Item];
		upper.below.set(below, (upper.below.get(below) ?? 0) + 1);
		lower.above.set(above, (lower.above.get(above) ?? 0) + 1);
	}
}
