/** The parts of a picture from top to bottom: ranks of boxes and labels, boxes without shares, and what the signs mean. Pure. */
import type { Box, Remark } from "../../ports/page.js";
import { boxOf, boxWidth, type Content } from "./boxes.js";
import type { Grid } from "./layout/grid.js";
import { widthOf } from "./layout/measure.js";
import { labelHeight, type Rank } from "./lines.js";
import type { Sign } from "./said.js";

export const margin = 20;
/** Between boxes that no line joins. */
const gap = 22;
const noteSize = 12;
const noteHeight = 22;
const signSize = 11;
/** Pixels that a sign takes before its text. */
const signWidth = 36;
const leastWidth = 460;
const mostApart = 6;

/** Pixels between a rank and the next: more where lines go far to the side. */
const gaps = { belowBoxes: { least: 28, most: 84, slope: 0.1 }, aboveBoxes: { least: 12, most: 40, slope: 0.08 } } as const;

/** Width of the picture. @param inside width of all ranks */
export function widthOfAll(inside: number, notes: readonly string[], apart: number): number {
	const columns = Math.min(apart, mostApart);
	const wanted = [leastWidth - 2 * margin, inside, columns * (boxWidth + gap) - gap, ...notes.map((note) => widthOf(note, noteSize, true))];
	return 2 * margin + 2 * Math.ceil(wanted.reduce((most, one) => Math.max(most, one), 0) / 2);
}

/** Remarks above the boxes, and where these may begin. */
export function notesOf(notes: readonly string[]): { remarks: Remark[]; bottom: number } {
	const remarks = notes.map((text, at) => ({ text, x: margin, y: margin + at * noteHeight + noteSize, size: noteSize, bold: true }));
	return { remarks, bottom: margin + notes.length * noteHeight };
}

/** Upper and lower border of each rank. @param heights of the boxes, by node */
export function ranksOf({ items, ranks }: Grid, middles: readonly number[], heights: readonly number[], top: number): Rank[] {
	const placed: Rank[] = [];
	let y = top;
	for (const [at, rank] of ranks.entries()) {
		const isLabels = at % 2 === 1;
		const height = isLabels
			? labelHeight
			: rank.reduce((most, item) => Math.max(most, items[item]?.kind === "box" ? (heights[item] as number) : 0), 0);
		placed.push({ top: y, bottom: y + height });
		let far = 0;
		for (const item of rank)
			for (const below of items[item]?.below.keys() ?? [])
				far = Math.max(far, Math.abs((middles[item] as number) - (middles[below] as number)));
		const { least, most, slope } = isLabels ? gaps.aboveBoxes : gaps.belowBoxes;
		y += height + Math.round(Math.min(most, least + far * slope));
	}
	return placed;
}

/** Boxes that no line joins, in rows below a heading. */
export function boxesApart(
	apart: readonly { id: string; content: Content }[],
	width: number,
	top: number,
): { boxes: Box[]; remarks: Remark[]; bottom: number } {
	if (apart.length === 0) return { boxes: [], remarks: [], bottom: top };
	const columns = Math.max(1, Math.min(apart.length, Math.floor((width - 2 * margin + gap) / (boxWidth + gap))));
	const left = Math.round((width - columns * (boxWidth + gap) + gap) / 2);
	const boxes: Box[] = [];
	let y = top + 26 + 18;
	for (let start = 0; start < apart.length; start += columns) {
		const row = apart.slice(start, start + columns);
		const height = row.reduce((most, { content }) => Math.max(most, content.height), 0);
		for (const [at, { id, content }] of row.entries()) boxes.push(boxOf(id, content, left + at * (boxWidth + gap), y, height));
		y += height + gap;
	}
	return { boxes, remarks: [{ text: "No shares", x: left, y: top + 26 + 6, size: noteSize, bold: true }], bottom: y - gap };
}

/** What the signs mean, side by side while they fit. */
export function legendOf(signs: readonly Sign[], width: number, top: number): { remarks: Remark[]; bottom: number } {
	const remarks: Remark[] = [];
	let [x, y] = [margin, top + 34];
	for (const { sign, text } of signs) {
		const room = signWidth + Math.ceil(widthOf(text, signSize));
		if (x > margin && x + room > width - margin) [x, y] = [margin, y + noteHeight];
		remarks.push({ sign, text, x, y, size: signSize });
		x += room + 18;
	}
	return { remarks, bottom: y + 6 };
}
