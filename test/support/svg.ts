/**
 * A picture of an ownership read back from its SVG text, and what is wrong with its geometry. It knows nothing of how the picture was laid
 * out: it measures what a browser would draw.
 */

export interface Element {
	name: string;
	attributes: Record<string, string>;
	children: Element[];
	/** Its own text, without that of its children. */
	text: string;
}

/** @throws Error where the text is no well-formed XML of elements, attributes and text */
export function parseXml(source: string): Element {
	const root: Element = { name: "", attributes: {}, children: [], text: "" };
	const open = [root];
	let at = 0;
	for (const match of source.matchAll(/<(\/?)([a-z]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/g)) {
		if (match.index !== at) throw new Error(`no XML at ${at}: ${source.slice(at, at + 60)}`);
		at += match[0].length;
		const [, closing, name = "", attributes = "", empty, text] = match;
		const parent = open.at(-1) as Element;
		if (text !== undefined) parent.text += unescaped(text);
		else if (closing) {
			if (parent.name !== name || open.length === 1) throw new Error(`</${name}> closes <${parent.name}>`);
			open.pop();
		} else {
			const element: Element = { name, attributes: {}, children: [], text: "" };
			for (const [, key = "", value = ""] of attributes.matchAll(/([a-zA-Z:-]+)="([^"]*)"/g)) element.attributes[key] = unescaped(value);
			parent.children.push(element);
			if (!empty) open.push(element);
		}
	}
	if (at !== source.length || open.length !== 1) throw new Error("no XML to its end");
	return root.children[0] as Element;
}

function unescaped(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
	if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text)) throw new Error("a character that XML forbids");
	if (/&(?!#\d{1,7};)/.test(text)) throw new Error(`a reference that is none: ${text}`);
	return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

export interface Rectangle {
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface Picture {
	title: string;
	description: string;
	view: Rectangle;
	boxes: { frame: Rectangle; title: string; texts: Rectangle[]; classes: string[] }[];
	/** Points every few pixels of its line. */
	arrows: { from: number; to: number; line: Point[]; label: Rectangle; text: string; title: string; classes: string[] }[];
	remarks: (Rectangle & { text: string })[];
}

type Point = readonly [x: number, y: number];

/** Reads a picture back. */
export function pictureOf(svg: string): Picture {
	const root = parseXml(svg);
	const [x, y, width, height] = numbersOf(root.attributes.viewBox ?? "");
	const groups = root.children.filter(({ name }) => name === "g");
	const boxes = groups.filter(({ attributes }) => attributes["data-box"] !== undefined);
	return {
		title: childOf(root, "title").text,
		description: childOf(root, "desc").text,
		view: { x, y, width, height } as Rectangle,
		boxes: boxes.map((box) => {
			const frame = rectangleOf(childOf(box, "rect"));
			const inner = childOf(box, "svg");
			const origin = rectangleOf(inner);
			const texts = inner.children.map(textRectangle).map((text) => ({ ...text, x: text.x + origin.x, y: text.y + origin.y }));
			return { frame, texts, title: childOf(box, "title").text, classes: classesOf(box) };
		}),
		arrows: groups
			.filter(({ attributes }) => attributes["data-from"] !== undefined)
			.map((arrow) => ({
				from: Number(arrow.attributes["data-from"]),
				to: Number(arrow.attributes["data-to"]),
				line: lineOf(childOf(arrow, "path").attributes.d ?? ""),
				label: union(rectangleOf(childOf(arrow, "rect")), textRectangle(childOf(arrow, "text"))),
				text: childOf(arrow, "text").text,
				title: childOf(arrow, "title").text,
				classes: classesOf(arrow),
			})),
		remarks: groups
			.filter(({ attributes }) => attributes.class === "remark")
			.map((remark) => {
				const text = childOf(remark, "text");
				const place = textRectangle(text);
				return { ...place, x: Number(text.attributes.x), text: text.text };
			}),
	};
}

const classesOf = ({ attributes }: Element): string[] => (attributes.class ?? "").split(" ");
const numbersOf = (text: string): number[] => (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

function childOf({ children }: Element, name: string): Element {
	const found = children.find((child) => child.name === name);
	if (found === undefined) throw new Error(`no <${name}>`);
	return found;
}

const rectangleOf = ({ attributes: { x = "0", y = "0", width, height } }: Element): Rectangle => ({
	x: Number(x),
	y: Number(y),
	width: Number(width),
	height: Number(height),
});

/** Around a text that is centred, with the width of its characters in a common font. */
function textRectangle({ attributes, text }: Element): Rectangle {
	const size = Number(attributes["font-size"]);
	let width = 0;
	for (const character of text) width += size * widthOf(character);
	return { x: Number(attributes.x) - width / 2, y: Number(attributes.y) - size, width, height: size + 3 };
}

function widthOf(character: string): number {
	if (/\p{M}|\u200c|\u200d/u.test(character)) return 0;
	if (/[\u2e80-\ua4cf\uac00-\ud7a3\u{1f300}-\u{3fffd}]/u.test(character)) return 1;
	return /[ -/:;I[\]`f-jlrt{-}|]/.test(character) ? 0.3 : 0.6;
}

function union(one: Rectangle, other: Rectangle): Rectangle {
	const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
	const right = Math.max(one.x + one.width, other.x + other.width);
	return { x, y, width: right - x, height: Math.max(one.y + one.height, other.y + other.height) - y };
}

/** The points of a path of straight parts (`L`) and cubic curves (`C`). */
function lineOf(path: string): Point[] {
	const points: Point[] = [];
	for (const [, command = "", values = ""] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
		const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbersOf(values);
		const last = points.at(-1) ?? [0, 0];
		if (command === "M" || command === "L") points.push([a, b]);
		else if (command === "C")
			for (let step = 1; step <= 24; step++) {
				const t = step / 24;
				const bend = (p: number, q: number, r: number, s: number): number =>
					p * (1 - t) ** 3 + 3 * q * t * (1 - t) ** 2 + 3 * r * t * t * (1 - t) + s * t ** 3;
				points.push([bend(last[0], a, c, e), bend(last[1], b, d, f)]);
			}
		else throw new Error(`a path with ${command}`);
	}
	return points;
}

/** Everything that is wrong with the places of a picture. */
export function faultsOf(picture: Picture): string[] {
	return [...faultsOfBoxes(picture), ...faultsOfArrows(picture), ...faultsOfRemarks(picture)];
}

const found = (...checks: readonly (readonly [holds: boolean, fault: () => string])[]): string[] =>
	checks.flatMap(([holds, fault]) => (holds ? [] : [fault()]));

function faultsOfBoxes({ view, boxes }: Picture): string[] {
	return boxes.flatMap(({ frame, texts }, at) =>
		found(
			[within(frame, view), () => `box ${at} leaves the picture`],
			[texts.every((text) => within(text, frame)), () => `a text leaves box ${at}`],
			...boxes.slice(0, at).map((other, number) => [!overlap(frame, other.frame), () => `boxes ${number} and ${at} overlap`] as const),
		),
	);
}

function faultsOfArrows({ view, boxes, arrows }: Picture): string[] {
	const spans = arrows.map(({ line }) => spanOf(line));
	return arrows.flatMap(({ from, to, line, label }, at) => {
		const name = `line ${at}`;
		return found(
			[onBorder(line[0], boxes[from]?.frame), () => `${name} does not begin at box ${from}`],
			[onBorder(line.at(-1), boxes[to]?.frame), () => `${name} does not end at box ${to}`],
			[within(spans[at] as Rectangle, view), () => `${name} leaves the picture`],
			[within(label, view), () => `the label of ${name} leaves the picture`],
			...boxes.flatMap(({ frame }, box) => [
				[!(touch(spans[at] as Rectangle, frame) && runsThrough(line, frame)), () => `${name} runs through box ${box}`] as const,
				[!overlap(label, frame), () => `the label of ${name} lies on box ${box}`] as const,
			]),
			...arrows.flatMap((other, number) =>
				number === at
					? []
					: ([
							[!overlap(label, other.label), () => `the labels of lines ${number} and ${at} overlap`],
							[
								!(touch(spans[number] as Rectangle, label) && runsThrough(other.line, label)),
								() => `line ${number} runs through the label of ${name}`,
							],
						] as const),
			),
		);
	});
}

function faultsOfRemarks({ view, boxes, remarks }: Picture): string[] {
	return remarks.flatMap((remark, at) =>
		found(
			[within(remark, view), () => `remark ${at} leaves the picture`],
			...boxes.map(({ frame }, box) => [!overlap(remark, frame), () => `remark ${at} lies on box ${box}`] as const),
			...remarks.slice(0, at).map((other, number) => [!overlap(remark, other), () => `remarks ${number} and ${at} overlap`] as const),
		),
	);
}

function spanOf(line: readonly Point[]): Rectangle {
	let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const [x, y] of line) [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
	return { x: left, y: top, width: right - left, height: bottom - top };
}

const touch = (one: Rectangle, other: Rectangle): boolean =>
	one.x <= other.x + other.width && other.x <= one.x + one.width && one.y <= other.y + other.height && other.y <= one.y + one.height;

const overlap = (one: Rectangle, other: Rectangle): boolean =>
	one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

const within = ({ x, y, width, height }: Rectangle, outer: Rectangle): boolean =>
	x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height;

function onBorder(point: Point | undefined, frame: Rectangle | undefined): boolean {
	if (point === undefined || frame === undefined) return false;
	const [x, y] = point;
	const [right, bottom] = [frame.x + frame.width, frame.y + frame.height];
	if (!within({ x, y, width: 0, height: 0 }, frame)) return false;
	return x === frame.x || x === right || y === frame.y || y === bottom;
}

/** Whether a line has more in common with a rectangle than its border. */
function runsThrough(line: readonly Point[], { x, y, width, height }: Rectangle): boolean {
	const [left, top, right, bottom] = [x + 0.1, y + 0.1, x + width - 0.1, y + height - 0.1];
	return line.some(([endX, endY], at) => {
		const [startX, startY] = line[at - 1] ?? [endX, endY];
		if (Math.max(startX, endX) < left || Math.min(startX, endX) > right) return false;
		if (Math.max(startY, endY) < top || Math.min(startY, endY) > bottom) return false;
		// The part of the way between the sides, and between top and bottom (Liang and Barsky).
		let [enters, leaves] = [0, 1];
		for (const [start, way, low, high] of [
			[startX, endX - startX, left, right],
			[startY, endY - startY, top, bottom],
		] as const) {
			if (way === 0) continue;
			const [one, other] = [(low - start) / way, (high - start) / way];
			enters = Math.max(enters, Math.min(one, other));
			leaves = Math.min(leaves, Math.max(one, other));
		}
		return enters <= leaves;
	});
}
