/** The ways of the lines in a picture, from border to border. Pure. */
import type { Arrow, Box } from "../../ports/page.js";
import { labelSize, type Mark } from "./boxes.js";
import type { Holdings } from "./choice.js";
import type { Grid, Item } from "./layout/grid.js";

/** Height of a rank of labels. */
export const labelHeight = 18;

/** Most pixels between two ends of lines at one border, and least between an end and a corner. */
const betweenEnds = 26;
const fromCorner = 14;

export interface Rank {
	top: number;
	bottom: number;
}

type Point = readonly [x: number, y: number];

/** What the lines are drawn with. */
export interface Placed {
	grid: Grid;
	/** For each item its middle. */
	middles: readonly number[];
	ranks: readonly Rank[];
	/** By node. */
	boxes: readonly Box[];
	links: readonly Holdings[];
	back: readonly boolean[];
	marks: readonly Mark[];
}

/** The lines that found room, those that are not heavy first, so that heavy ones cover them where they share a way. */
export function arrowsOf(placed: Placed): Arrow[] {
	const tops = topEnds(placed);
	const bottoms = bottomEnds(placed);
	const arrows = placed.grid.paths.flatMap((path, at): Arrow[] =>
		path === undefined ? [] : [arrowOf(placed, at, path, bottoms.get(at) as number, tops.get(at) as number)],
	);
	return arrows.sort((one, other) => Number(one.heavy ?? false) - Number(other.heavy ?? false));
}

function arrowOf(
	{ grid, middles, ranks, boxes, links, back, marks }: Placed,
	at: number,
	path: number[],
	top: number,
	bottom: number,
): Arrow {
	const [upper, lower] = [boxes[path[0] as number] as Box, boxes[path.at(-1) as number] as Box];
	const points: Point[] = [[top, upper.y + upper.height]];
	for (const number of path.slice(1, -1)) {
		const rank = ranks[(grid.items[number] as Item).rank] as Rank;
		const x = middles[number] as number;
		points.push([x, rank.top], [x, rank.bottom]);
	}
	points.push([bottom, lower.y]);
	const label = path.at(-2) as number;
	const { top: above } = ranks[(grid.items[label] as Item).rank] as Rank;
	const { owner, owned } = links[at] as Holdings;
	const way = straightened(points);
	return labelled(marks[at] as Mark, [middles[label] as number, above + labelHeight / 2], {
		from: (boxes[owner] as Box).id,
		to: (boxes[owned] as Box).id,
		points: back[at] ? way : way.reverse(),
		...(back[at] ? { dashed: true } : {}),
	});
}

/** Shares of itself: round the right border. */
export function loopOf(box: Box, mark: Mark): Arrow {
	const [right, middle] = [box.x + box.width, box.y + Math.round(box.height / 2)];
	const points: Point[] = [
		[right, middle - 11],
		[right + 18, middle - 11],
		[right + 18, middle + 11],
		[right, middle + 11],
	];
	return labelled(mark, [right + 24 + mark.width / 2, middle], { from: box.id, to: box.id, points, dashed: true });
}

/** Pixels that a company's shares of itself take at each side of its box. */
export const loopRoom = (mark: Mark): number => 28 + mark.width;

const labelled = ({ text, width, heavy, whole }: Mark, [x, y]: Point, arrow: Pick<Arrow, "from" | "to" | "points" | "dashed">): Arrow => ({
	...arrow,
	label: { text, x, y: y + 4, size: labelSize, ...(heavy ? { bold: true } : {}) },
	labelWidth: width,
	whole,
	...(heavy ? { heavy: true } : {}),
});

/** Without the points on the way straight down. */
const straightened = (points: readonly Point[]): Point[] =>
	points.filter(([x], at) => at === 0 || at === points.length - 1 || points[at - 1]?.[0] !== x || points[at + 1]?.[0] !== x);

/** Where lines meet the upper border of their lower box: right below their labels where all of these stand above it. */
function topEnds({ grid, middles, boxes }: Placed): Map<number, number> {
	const labels = new Map<number, { link: number; x: number }[]>();
	for (const [link, path] of grid.paths.entries()) {
		if (path === undefined) continue;
		const lower = path.at(-1) as number;
		labels.set(lower, [...(labels.get(lower) ?? []), { link, x: middles[path.at(-2) as number] as number }]);
	}
	const ends = new Map<number, number>();
	for (const [lower, found] of labels) {
		const { x, width } = boxes[lower] as Box;
		const above = found.every((label) => label.x >= x + fromCorner && label.x <= x + width - fromCorner);
		found.sort((one, other) => one.x - other.x || one.link - other.link);
		const places = above ? found.map((label) => label.x) : spread(boxes[lower] as Box, found.length);
		for (const [at, { link }] of found.entries()) ends.set(link, places[at] as number);
	}
	return ends;
}

/** Where lines meet the lower border of their upper box: those from owners all at one place, each that leads back at its own. */
function bottomEnds({ grid, middles, boxes, back }: Placed): Map<number, number> {
	const groups = new Map<number, { links: number[]; sum: number }[]>();
	const shared = new Map<number, { links: number[]; sum: number }>();
	for (const [link, path] of grid.paths.entries()) {
		if (path === undefined) continue;
		const [upper, next] = path as [number, number];
		let group = back[link] ? undefined : shared.get(upper);
		if (group === undefined) {
			group = { links: [], sum: 0 };
			groups.set(upper, [...(groups.get(upper) ?? []), group]);
			if (!back[link]) shared.set(upper, group);
		}
		group.links.push(link);
		group.sum += middles[next] as number;
	}
	const ends = new Map<number, number>();
	for (const [upper, found] of groups) {
		found.sort(
			(one, other) => one.sum / one.links.length - other.sum / other.links.length || (one.links[0] as number) - (other.links[0] as number),
		);
		const places = spread(boxes[upper] as Box, found.length);
		for (const [at, { links }] of found.entries()) for (const link of links) ends.set(link, places[at] as number);
	}
	return ends;
}

/** Places along a border, around its middle. */
function spread({ x, width }: Box, count: number): number[] {
	const step = Math.min(betweenEnds, (width - 2 * fromCorner) / Math.max(1, count - 1));
	return Array.from({ length: count }, (_, at) => Math.round(x + width / 2 + (at - (count - 1) / 2) * step));
}
