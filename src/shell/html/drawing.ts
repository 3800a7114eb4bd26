/**
 * A drawing as SVG. It has no ids, no scripts and no styles of its own elements, so that several fit into one page whose policy allows its
 * stylesheet alone.
 */
import type { Arrow, Box, Drawing, Line, Remark } from "../../ports/page.js";
import { pictureMark } from "./marks.js";
import { escaped, Markup } from "./markup.js";

/** The style of drawings: inside a standalone one, and for the stylesheet of a page that holds some. */
export const drawingStyles = `.drawing { --ink: #1d2733; --quiet: #55616f; --paper: #fff; --card: #f4f6f9; --edge: #8794a3; --strong: #1d2733; --top: #0b5cad; --on: #fff; color-scheme: light dark; display: block; max-width: 100%; height: auto; font-family: system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.drawing.middle { max-width: max(100%, 37rem); } .drawing.wide { max-width: max(100%, 57rem); } .drawing.large { max-width: none; }
@media (prefers-color-scheme: dark) { .drawing { --ink: #e8edf2; --quiet: #a7b3c0; --paper: #161d25; --card: #232d38; --edge: #76838f; --strong: #e8edf2; --top: #6db3f2; --on: #0e1318; } }
@media print { .drawing { --ink: #000; --quiet: #333; --paper: #fff; --card: #fff; --edge: #555; --strong: #000; --top: #fff; --on: #000; } .drawing.drawing { width: auto; height: auto; max-width: 100%; max-height: 240mm; } }
.drawing .paper, .drawing .plate { fill: var(--paper); }
.drawing text { fill: var(--ink); text-anchor: middle; font-weight: 400; }
.drawing .remark text { text-anchor: start; }
.drawing .bold { font-weight: 600; }
.drawing .soft { fill: var(--quiet); }
.drawing .frame { fill: var(--card); stroke: var(--edge); stroke-width: 1; }
.drawing .heavy .frame { stroke: var(--strong); stroke-width: 3; }
.drawing .undeclared .frame { stroke-dasharray: 2 3; }
.drawing .corporate .frame { fill: var(--top); stroke: var(--strong); }
.drawing .corporate text { fill: var(--on); }
.drawing .way { fill: none; stroke: var(--edge); stroke-width: 1.25; }
.drawing .head { fill: var(--edge); }
.drawing .heavy .way { stroke: var(--strong); stroke-width: 2.75; }
.drawing .heavy .head { fill: var(--strong); }
.drawing .dashed .way { stroke-dasharray: 6 4; }`;

/**
 * A drawing becomes as small as its place, yet not so small that nobody could read it: then it scrolls. By its width in pixels; the style
 * keeps each to about {@link smallest} of its size.
 */
const classByWidth = (width: number): string | undefined =>
	width > 1400 ? "large" : width > 900 ? "wide" : width > 560 ? "middle" : undefined;
const smallest = 0.65;

/** @param standalone whether it is a file of its own, with its style inside; else the page has {@link drawingStyles} */
export function svgOf(drawing: Drawing, { standalone }: { standalone: boolean }): string {
	const { title, description, width, height, boxes, arrows, remarks } = drawing;
	const ofWidth = classByWidth(width);
	const scale = ofWidth === "large" && !standalone ? smallest : 1;
	const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`;
	const numbers = new Map(boxes.map(({ id }, number) => [id, number]));
	return [
		`${standalone ? pictureMark : "<svg"} class="${classes("drawing", ofWidth)}" role="img" ${size} viewBox="0 0 ${width} ${height}">`,
		`<title>${escaped(title)}</title>`,
		`<desc>${escaped(description)}</desc>`,
		...(standalone ? [`<style>${drawingStyles}</style>`] : []),
		`<rect class="paper" width="${width}" height="${height}"/>`,
		...arrows.map((arrow) => arrowOf(arrow, numbers)),
		...boxes.map((box, number) => boxOf(box, number)),
		...remarks.map(remarkOf),
		"</svg>",
		"",
	].join("\n");
}

/** A drawing inside a page. */
export const drawingMarkup = (drawing: Drawing): Markup => new Markup(svgOf(drawing, { standalone: false }));

const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(" ");

function textOf({ text, x, y, size, bold, quiet }: Line): string {
	const style = classes(bold && "bold", quiet && "soft");
	return `<text x="${x}" y="${y}" font-size="${size}"${style === "" ? "" : ` class="${style}"`}>${escaped(text)}</text>`;
}

/** Its texts stand in a picture within the picture, which cuts off what a character of unheard-of size would paint over the neighbours. */
function boxOf({ x, y, width, height, lines, whole, kind, heavy }: Box, number: number): string {
	const inside = lines.map((line) => textOf({ ...line, x: line.x - x, y: line.y - y }));
	return [
		`<g class="${classes("box", kind, heavy && "heavy")}" data-box="${number}"><title>${escaped(whole)}</title>`,
		frameOf(x, y, width, height, kind === "person"),
		`<svg x="${x}" y="${y}" width="${width}" height="${height}">${inside.join("")}</svg></g>`,
	].join("");
}

const frameOf = (x: number, y: number, width: number, height: number, round: boolean): string =>
	`<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round ? Math.min(14, height / 2) : 3}"/>`;

function arrowOf(arrow: Arrow, numbers: ReadonlyMap<string, number>): string {
	const { from, to, points, whole, dashed, heavy } = arrow;
	const about = `class="${classes("arrow", dashed && "dashed", heavy && "heavy")}" data-from="${numbers.get(from)}" data-to="${numbers.get(to)}"`;
	return `<g ${about}><title>${escaped(whole)}</title><path class="way" d="${wayOf(points)}"/>${headOf(points)}${labelOf(arrow)}</g>`;
}

/** Straight to a point below or beside, else a curve that leaves and arrives upright. */
function wayOf(points: Arrow["points"]): string {
	const parts: string[] = [];
	for (const [at, [x, y]] of points.entries()) {
		const [beforeX, beforeY] = points[at - 1] ?? [x, y];
		const middle = (beforeY + y) / 2;
		if (at === 0) parts.push(`M${x} ${y}`);
		else if (x === beforeX || y === beforeY) parts.push(`L${x} ${y}`);
		else parts.push(`C${beforeX} ${middle} ${x} ${middle} ${x} ${y}`);
	}
	return parts.join("");
}

/** The tip is at the last point; a curve arrives upright. */
function headOf(points: Arrow["points"]): string {
	const [[x, y], [beforeX, beforeY]] = [points.at(-1) ?? [0, 0], points.at(-2) ?? [0, 0]];
	if (y === beforeY) {
		const away = beforeX > x ? 9 : -9;
		return `<path class="head" d="M${x} ${y}L${x + away} ${y - 4}L${x + away} ${y + 4}Z"/>`;
	}
	const away = beforeY > y ? 9 : -9;
	return `<path class="head" d="M${x} ${y}L${x - 4} ${y + away}L${x + 4} ${y + away}Z"/>`;
}

/** On a plate of the paper's colour, for its line runs below it. */
function labelOf({ label, labelWidth }: Arrow): string {
	const { x, y, size } = label;
	return `<rect class="plate" x="${x - labelWidth / 2}" y="${y - size - 1}" width="${labelWidth}" height="${size + 5}"/>${textOf(label)}`;
}

function remarkOf({ text, x, y, size, bold, sign }: Remark): string {
	const shown = textOf({ text, x: sign === undefined ? x : x + 36, y, size, bold });
	return `<g class="remark">${sign === undefined ? "" : signOf(sign, x, y)}${shown}</g>`;
}

function signOf(sign: NonNullable<Remark["sign"]>, x: number, y: number): string {
	const middle = y - 4;
	if (sign === "person" || sign === "company" || sign === "owner")
		return `<g class="${classes("sign", sign === "owner" && "heavy")}"><rect class="frame" x="${x + 2}" y="${middle - 7}" width="26" height="14" rx="${sign === "company" ? 2 : 7}"/></g>`;
	const points = [
		[x, middle],
		[x + 28, middle],
	] as const;
	return `<g class="${classes("sign", sign !== "arrow" && sign)}"><path class="way" d="${wayOf(points)}"/>${headOf(points)}</g>`;
}
