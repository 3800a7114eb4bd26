/**
 * An ownership as a picture: the company on top, the holders of each company below it, the percentages on the lines between. Pure, and the
 * same ownership gives the same picture.
 */
import type { Arrow, Box, Drawing } from "../../ports/page.js";
import { boxOf, boxWidth, contentOf, type Mark, markOf } from "./boxes.js";
import { chosen, type Holdings } from "./choice.js";
import { gridOf } from "./layout/grid.js";
import { rowsOf } from "./layout/layers.js";
import { oneLine } from "./layout/measure.js";
import { order } from "./layout/order.js";
import { place } from "./layout/place.js";
import { arrowsOf, loopOf, loopRoom, type Rank } from "./lines.js";
import type { Ownership } from "./ownership.js";
import { descriptionOf, leftOutText, signsOf } from "./said.js";
import { boxesApart, legendOf, margin, notesOf, ranksOf, widthOfAll } from "./sections.js";

/**
 * Of a large ownership it shows 300 people and companies and 600 lines, the nearest to the company first, and says how many are missing.
 * @param notes what else it says above the boxes
 */
export function ownershipDrawing(ownership: Ownership, notes: readonly string[] = []): Drawing {
	const choice = chosen(ownership);
	const { nodes, linked, links, loops } = choice;
	const contents = nodes.map((node) => ({ id: node.id, content: contentOf(node, ownership.threshold) }));
	const mark = (holdings: Holdings, circle: boolean): Mark => markOf(holdings, nodes, ownership.threshold, circle);
	const rows = rowsOf(linked, links);
	const marks = links.map((link, at) => mark(link, rows.back[at] as boolean));
	const own = new Map(loops.map((loop) => [loop.owner, mark(loop, true)]));
	const slots = contents.slice(0, linked).map((_, node) => boxWidth + 2 * roomBeside(own.get(node)));
	const grid = gridOf(
		rows,
		links,
		slots,
		marks.map(({ width }) => width),
	);
	order(grid);
	const places = place(grid);
	const inside = grid.items.reduce((most, item, at) => Math.max(most, (places[at] as number) + item.width / 2), 0);
	const shown = [...links.filter((_, at) => grid.paths[at] !== undefined), ...loops];
	const leftOut = leftOutText(
		choice,
		shown.reduce((sum, { percentages }) => sum + percentages.length, 0),
	);
	const said = leftOut === undefined ? notes : [...notes, leftOut];
	const width = widthOfAll(inside, said, nodes.length - linked);
	const middles = places.map((x) => x + Math.round((width - inside) / 2));
	const above = notesOf(said);
	const ranks = ranksOf(
		grid,
		middles,
		contents.map(({ content }) => content.height),
		above.bottom,
	);
	const boxes = contents.slice(0, linked).map(({ id, content }, node): Box => {
		const { top, bottom } = ranks[2 * (rows.row[node] as number)] as Rank;
		return boxOf(id, content, (middles[node] as number) - boxWidth / 2, top, bottom - top);
	});
	const arrows: Arrow[] = [
		...arrowsOf({ grid, middles, ranks, boxes, links, back: rows.back, marks }),
		...[...own].map(([node, loop]) => loopOf(boxes[node] as Box, loop)),
	];
	const apart = boxesApart(contents.slice(linked), width, ranks.at(-1)?.bottom ?? margin);
	const all = [...boxes, ...apart.boxes];
	const legend = legendOf(signsOf(all, arrows, ownership.threshold), width, apart.bottom);
	return {
		title: `Ownership of ${oneLine(nodes[0]?.name ?? ownership.corporateId, 120)}`,
		description: descriptionOf(ownership, choice, arrows.length, arrows.filter(({ dashed }) => dashed).length, said),
		width,
		height: legend.bottom + margin,
		boxes: all,
		arrows,
		remarks: [...above.remarks, ...apart.remarks, ...legend.remarks],
	};
}

const roomBeside = (mark: Mark | undefined): number => (mark === undefined ? 0 : loopRoom(mark));
