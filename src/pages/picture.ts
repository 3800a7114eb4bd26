/**
 * A diagram as SVG: boxes from left to right, placed by a layout library, and the lines between them. It has no ids, no scripts and no styles
 * of its own elements, so that it fits into a page whose policy allows its stylesheet alone. The same diagram gives the same picture.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { sanitizeLine } from "../api/text/sanitize.js";
import type { Box, Diagram, Line, Picture } from "../ports/page.js";
import { escaped, Markup, pictureMark, pictureStyles } from "./markup.js";

/** Pixels. */
const [boxWidth, labelWidth, margin, padding] = [176, 72, 20, 9];
const [nameSize, nameHeight, detailSize, detailHeight, noteSize, noteHeight] = [13, 17, 11, 15, 12, 20];
/** Widest picture that becomes smaller where a page is narrower; the letters of a wider one would be too small to read. */
const mostFitted = 1400;
/** Between a rank of boxes and one of labels, and between the boxes of a rank. */
const [betweenRanks, betweenBoxes] = [20, 16];

type Point = readonly [x: number, y: number];

/** A line at its place, from the owner to what it owns, and the middle of its label. */
interface Way {
	points: Point[];
	label: Point;
}

/** A box at its place: its middle, and what stands in it. */
interface Placed {
	x: number;
	y: number;
	height: number;
	names: string[];
	details: string[];
}

/** A picture in a page. */
export const drawn = (diagram: Diagram): Picture => ({ title: diagram.title, markup: new Markup(svgOf(diagram, "<svg")) });

/** A picture as a file of its own. */
export const pictureFile = (diagram: Diagram): Uint8Array =>
	new TextEncoder().encode(svgOf(diagram, pictureMark, `<style>${pictureStyles}</style>\n`));

function svgOf(diagram: Diagram, start: string, style = ""): string {
	const { title, description, notes, legend, boxes, lines } = diagram;
	const { placed, ways, width: inside, height: below } = laidOut(diagram, margin + notes.length * noteHeight);
	const texts = [...notes.map((text) => widthOf(text, noteSize)), ...legend.map((text) => widthOf(text, detailSize))];
	const width = Math.ceil(texts.reduce((most, text) => Math.max(most, text + 2 * margin), inside));
	const height = below + legend.length * noteHeight + margin;
	const above = notes.map(
		(text, at) => `<text class="note" x="${margin}" y="${margin + at * noteHeight + noteSize}">${escaped(text)}</text>`,
	);
	const signs = legend.map(
		(text, at) => `<text class="legend" x="${margin}" y="${below + at * noteHeight + noteSize}">${escaped(text)}</text>`,
	);
	return `${start} class="drawing${width > mostFitted ? "" : " fit"}" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(title)}</title>
<desc>${escaped(description)}</desc>
${style}<rect class="paper" width="${width}" height="${height}"/>
${[...lines.map((line, at) => lineMarkup(line, ways[at] as Way)), ...boxes.map((box, at) => boxMarkup(box, placed[at] as Placed, at)), ...above, ...signs].join("\n")}
</svg>
`;
}

/** Where boxes stand and lines run. What is owned stands left of its owners, so that many owners make the picture longer and not wider. */
function laidOut({ boxes, lines }: Diagram, top: number): { placed: Placed[]; ways: Way[]; width: number; height: number } {
	const graph = new Graph();
	graph.setGraph({ rankdir: "LR", nodesep: betweenBoxes, edgesep: betweenBoxes, ranksep: 2 * betweenRanks, marginx: margin });
	const contents = boxes.map(({ name, details }) => {
		const names = inTwoLines(name, boxWidth - 2 * padding, nameSize);
		const fitting = details.map((detail) => shortened(detail, boxWidth - 2 * padding, detailSize));
		return { names, details: fitting, height: 2 * padding + names.length * nameHeight + details.length * detailHeight };
	});
	for (const [at, { height }] of contents.entries()) graph.setNode(`${at}`, { width: boxWidth, height });
	for (const { from, to } of lines) graph.setEdge(`${to}`, `${from}`, { width: labelWidth, height: detailHeight + 3, labelpos: "c" });
	layout(graph);
	const placed = contents.map((content, at): Placed => {
		const { x = 0, y = 0 } = graph.node(`${at}`);
		return { ...content, x: Math.round(x), y: Math.round(y) + top };
	});
	const at = ({ x = 0, y = 0 }: { x?: number; y?: number }): Point => [Math.round(x), Math.round(y) + top];
	const labels = lines.map(({ from, to }) => at(graph.edge(`${to}`, `${from}`)));
	// A rank is passed straight on, as far as its boxes or labels are wide, so that no line runs through one of them.
	const halves = new Map([...labels.map(([x]) => [x, labelWidth / 2] as const), ...placed.map(({ x }) => [x, boxWidth / 2] as const)]);
	const ways = lines.map(({ from, to }, number): Way => {
		const [owner, owned] = [placed[from] as Placed, placed[to] as Placed];
		const side = owner.x > owned.x ? 1 : -1;
		const { points = [] }: { points?: readonly { x: number; y: number }[] } = graph.edge(`${to}`, `${from}`);
		const passed = points.slice(1, -1).flatMap((point): Point[] => {
			const [x, y] = at(point);
			const half = side * (halves.get(x) ?? 0);
			return [[x - half, y] as const, [x + half, y] as const];
		});
		const ends = [[owned.x + (side * boxWidth) / 2, owned.y] as const, [owner.x - (side * boxWidth) / 2, owner.y] as const] as const;
		return { points: [ends[1], ...passed.reverse(), ends[0]], label: labels[number] as Point };
	});
	const { width = 0, height = 0 } = graph.graph();
	return { placed, ways, width: Math.ceil(width), height: Math.ceil(height) + top + margin };
}

function boxMarkup({ whole, kind, heavy }: Box, { x, y, height, names, details }: Placed, at: number): string {
	const [left, upper] = [x - boxWidth / 2, y - Math.round(height / 2)];
	const lines = [
		...names.map((text, line) => textMarkup("name", text, padding + (line + 1) * nameHeight - 4)),
		...details.map((text, line) => textMarkup("detail", text, padding + names.length * nameHeight + (line + 1) * detailHeight - 4)),
	];
	const round = kind === "person" ? Math.min(14, height / 2) : 3;
	// Its texts stand in a picture within the picture, which cuts off what a character of unheard-of size would paint over the neighbours.
	return `<g class="box ${kind}${heavy ? " heavy" : ""}" data-box="${at}"><title>${escaped(whole)}</title><rect class="frame" x="${left}" y="${upper}" width="${boxWidth}" height="${height}" rx="${round}"/><svg x="${left}" y="${upper}" width="${boxWidth}" height="${height}">${lines.join("")}</svg></g>`;
}

const textMarkup = (style: string, text: string, y: number): string =>
	`<text class="${style}" x="${boxWidth / 2}" y="${y}">${escaped(text)}</text>`;

function lineMarkup({ from, to, label, whole, dashed, heavy }: Line, { points, label: [x, y] }: Way): string {
	const [[tipX, tipY], [beforeX]] = [points.at(-1) as Point, points.at(-2) as Point];
	const back = beforeX > tipX ? 9 : -9;
	const text = shortened(label, labelWidth - 6, detailSize);
	const width = Math.ceil(widthOf(text, detailSize)) + 6;
	const parts = [
		`<title>${escaped(whole)}</title><path class="way" d="${wayOf(points)}"/>`,
		`<path class="head" d="M${tipX} ${tipY}L${tipX + back} ${tipY - 4}L${tipX + back} ${tipY + 4}Z"/>`,
		`<rect class="plate" x="${x - width / 2}" y="${y - 9}" width="${width}" height="18"/><text x="${x}" y="${y + 4}">${escaped(text)}</text>`,
	];
	return `<g class="line${dashed ? " dashed" : ""}${heavy ? " heavy" : ""}" data-from="${from}" data-to="${to}">${parts.join("")}</g>`;
}

/** Straight on at one height, else a curve that leaves and arrives level. */
function wayOf(points: readonly Point[]): string {
	return points
		.map(([x, y], at) => {
			const before = points[at - 1];
			if (before === undefined) return `M${x} ${y}`;
			const middle = (before[0] + x) / 2;
			return before[1] === y ? `L${x} ${y}` : `C${middle} ${before[1]} ${middle} ${y} ${x} ${y}`;
		})
		.join("");
}

/** Pixels that a text takes at most: nobody knows the font that will show it, so widths are those of a wide one. */
function widthOf(text: string, size: number): number {
	let width = 0;
	for (const character of text) width += widths.find(([characters]) => characters.test(character))?.[1] ?? 1.4;
	return width * size * 1.1;
}

/** Widths of characters in a font of size 1; the first that fits counts. */
const widths: readonly (readonly [characters: RegExp, width: number])[] = [
	[/\p{M}|\u200c|\u200d/u, 0],
	[/[ijlftr .,:;!'|()[\]{}I-]/, 0.4],
	[/[a-ln-vx-z0-9]/, 0.65],
	[/[A-LN-VX-Z]/, 0.8],
	[/[ -~\u2026]|\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}/u, 1],
];

/** What a person perceives as one character is not cut apart: a letter with its marks, an emoji of several. */
const segments = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Its characters on one line, what nobody sees made visible; more than a few hundred never fit. */
const charactersOf = (text: string): string[] =>
	Array.from(segments.segment(sanitizeLine(text.slice(0, 300).replace(/\s+/g, " ").trim())), ({ segment }) => segment);

/** How many of the characters fit. */
function fitting(characters: readonly string[], room: number, size: number): number {
	let left = room;
	for (const [at, character] of characters.entries()) {
		left -= widthOf(character, size);
		if (left < 0) return at;
	}
	return characters.length;
}

/** As much of it as fits, and an ellipsis where that is not all. */
function shortened(text: string, room: number, size: number): string {
	const characters = charactersOf(text);
	if (fitting(characters, room, size) === characters.length) return characters.join("");
	return `${characters
		.slice(0, fitting(characters, room - widthOf("\u2026", size), size))
		.join("")
		.trimEnd()}\u2026`;
}

/** A text in one line or in two, broken between words where that is possible. */
function inTwoLines(text: string, room: number, size: number): string[] {
	const characters = charactersOf(text);
	const end = fitting(characters, room, size);
	if (end === characters.length) return [characters.join("")];
	// After a hyphen, before a blank.
	const places = [...Array(end + 1).keys()].filter((at) => at > end / 3 && (characters[at] === " " || characters[at - 1] === "-"));
	const split = places.at(-1) ?? Math.max(1, end);
	return [characters.slice(0, split).join(""), shortened(characters.slice(split).join(""), room, size)];
}
