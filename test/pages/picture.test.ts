/**
 * Pictures of ownerships read back from their SVG: what a browser would draw is measured, not how it was laid out.
 */
import { describe, expect, test } from "vitest";
import { type Holding, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";
import { ownershipDiagram } from "../../src/onboarding/ownership/page.js";
import { pictureFile } from "../../src/pages/picture.js";
import type { Diagram } from "../../src/ports/page.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";

type Point = readonly [x: number, y: number];
interface Rectangle {
	x: number;
	y: number;
	width: number;
	height: number;
}
interface Found {
	view: Rectangle;
	boxes: Rectangle[];
	lines: { from: number; to: number; way: Point[]; label: Rectangle }[];
}

const svgOf = (diagram: Diagram): string => new TextDecoder().decode(pictureFile(diagram));
const numbers = (text = ""): number[] => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
const rectangle = ([x = 0, y = 0, width = 0, height = 0]: number[]): Rectangle => ({ x, y, width, height });

function read(svg: string): Found {
	const place = 'x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"';
	const frames = svg.matchAll(new RegExp(`data-box="(\\d+)">.*?class="frame" ${place}`, "g"));
	const lines = svg.matchAll(new RegExp(`data-from="(\\d+)" data-to="(\\d+)">.*?class="way" d="([^"]+)".*?class="plate" ${place}`, "g"));
	return {
		view: rectangle(numbers(/viewBox="([^"]+)"/.exec(svg)?.[1])),
		boxes: [...frames].map(([, , ...at]) => rectangle(at.map(Number))),
		lines: [...lines].map(([, from, to, way, ...at]) => ({
			from: Number(from),
			to: Number(to),
			way: pointsOf(way as string),
			label: rectangle(at.map(Number)),
		})),
	};
}

/** Points every few pixels of a path of straight parts and curves. */
function pointsOf(path: string): Point[] {
	const points: Point[] = [];
	for (const [, command, values] of path.matchAll(/([MLC])([^MLC]+)/g)) {
		const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers(values);
		const [x, y] = points.at(-1) ?? [a, b];
		for (let step = command === "M" ? 24 : 1; step <= 24; step++) {
			const t = step / 24;
			const bend = (p: number, q: number, r: number, s: number): number =>
				p * (1 - t) ** 3 + 3 * q * t * (1 - t) ** 2 + 3 * r * t * t * (1 - t) + s * t ** 3;
			points.push(command === "C" ? [bend(x, a, c, e), bend(y, b, d, f)] : [x + (a - x) * t, y + (b - y) * t]);
		}
	}
	return points;
}

const overlap = (one: Rectangle, other: Rectangle): boolean =>
	one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
const within = (inner: Rectangle, outer: Rectangle): boolean =>
	inner.x >= outer.x &&
	inner.y >= outer.y &&
	inner.x + inner.width <= outer.x + outer.width &&
	inner.y + inner.height <= outer.y + outer.height;
const isInside = ([x, y]: Point, box: Rectangle): boolean =>
	x > box.x + 0.1 && x < box.x + box.width - 0.1 && y > box.y + 0.1 && y < box.y + box.height - 0.1;
const isAtSide = ([x, y]: Point, box: Rectangle): boolean =>
	(x === box.x || x === box.x + box.width) && y > box.y && y < box.y + box.height;

function faultsOf({ view, boxes, lines }: Found): string[] {
	const faults: string[] = [];
	const fault = (is: boolean, text: string): void => void (is && faults.push(text));
	for (const [at, box] of boxes.entries()) {
		fault(!within(box, view), `box ${at} leaves the picture`);
		for (const [other, one] of boxes.slice(0, at).entries()) fault(overlap(box, one), `boxes ${other} and ${at} overlap`);
	}
	for (const [at, { from, to, way, label }] of lines.entries()) {
		fault(!isAtSide(way[0] as Point, boxes[from] as Rectangle), `line ${at} does not begin at box ${from}`);
		fault(!isAtSide(way.at(-1) as Point, boxes[to] as Rectangle), `line ${at} does not end at box ${to}`);
		fault(!within(label, view), `label ${at} leaves the picture`);
		for (const [number, box] of boxes.entries()) {
			fault(overlap(label, box), `label ${at} lies on box ${number}`);
			fault(
				way.some((point) => isInside(point, box)),
				`line ${at} runs through box ${number}`,
			);
		}
		for (const [number, other] of lines.slice(0, at).entries()) fault(overlap(label, other.label), `labels ${number} and ${at} overlap`);
	}
	return faults;
}

const corporate = { id: "C", name: "Example Trading SAS" };
const names = [
	"Example",
	`"><script>alert(1)</script>`,
	"W".repeat(300),
	"見本持株会社".repeat(12),
	"\u202e\ud800",
	" ",
	"Sample-van-der-Voorbeeld",
];

/** Chains, stars, trees and thickets, with circles and with companies that nobody declared. */
function randomDiagram(random: Random, count: number): { diagram: Diagram; pairs: string[] } {
	const parties = Array.from(
		{ length: count },
		(_, at): Party => ({ id: `${at}`, name: `${random.pick(names)} ${at}`, isCompany: random.often(0.6) }),
	);
	const companies = ["C", ...parties.filter(({ isCompany }) => isCompany).map(({ id }) => id), "nobody"];
	const near = random.often(0.5);
	const holdings = Array.from({ length: count + random.below(1 + count / 2) }, (_, at): Holding => {
		const owner = at < count ? `${at}` : `${random.below(count)}`;
		const owned = near && at < count ? (companies[Math.min(companies.length - 1, at >> 1)] as string) : random.pick(companies);
		return { owner, owned, percentage: random.pick(["0.000000000001", "33.333333333333", "100", "7", "25.0"]) };
	});
	const ownership = ownershipOf(corporate, parties, holdings);
	const byId = new Map(ownership.nodes.map(({ id, name }) => [id, name]));
	const between = ownership.edges.filter(({ owner, owned }) => owner !== owned);
	return {
		diagram: ownershipDiagram(ownership),
		pairs: [...new Set(between.map(({ owner, owned }) => `${byId.get(owner)} > ${byId.get(owned)}`))].sort(),
	};
}

describe("a picture by its geometry", () => {
	test("80 random ownerships: no boxes or labels overlap, each line joins its boxes and runs through no other", () => {
		const random = new Random(seedOfRun("pictures of ownership"));
		for (let round = 0; round < 80; round++) {
			const { diagram, pairs } = randomDiagram(random, 1 + random.below(round % 10 === 0 ? 40 : 12));
			const svg = svgOf(diagram);
			const found = read(svg);
			expect([round, faultsOf(found)]).toEqual([round, []]);
			expect([round, found.boxes.length]).toEqual([round, diagram.boxes.length]);
			const named = found.lines.map(({ from, to }) => `${diagram.boxes[from]?.name} > ${diagram.boxes[to]?.name}`);
			expect([round, named.sort()]).toEqual([round, pairs]);
			if (round % 10 === 0) expect([round, svgOf(structuredClone(diagram)) === svg]).toEqual([round, true]);
		}
	});

	test("controls: a box that moved, a line that was cut, a label on a box are found", () => {
		const holdings = [
			{ owner: "h", owned: "C", percentage: "60" },
			{ owner: "a", owned: "h", percentage: "50" },
		];
		const parties = [
			{ id: "h", name: "Example Holding BV", isCompany: true },
			{ id: "a", name: "Ada Example", isCompany: false },
		];
		const svg = svgOf(ownershipDiagram(ownershipOf(corporate, parties, holdings)));
		expect(faultsOf(read(svg))).toEqual([]);
		const changed = (change: (found: Found) => void): string => {
			const found = read(svg);
			change(found);
			return faultsOf(found).join("; ");
		};
		expect(changed(({ boxes }) => Object.assign(boxes[1] as Rectangle, boxes[0], { x: (boxes[0]?.x ?? 0) + 5 }))).toContain("overlap");
		expect(changed(({ boxes }) => Object.assign(boxes[0] as Rectangle, { x: -300 }))).toMatch(/box 0 leaves.*does not end at box 0/);
		expect(changed(({ lines }) => lines[0]?.way.pop())).toContain("line 0 does not end");
		expect(changed(({ lines }) => lines[0]?.way.shift())).toContain("line 0 does not begin");
		expect(changed(({ lines, boxes }) => Object.assign(lines[0]?.label as Rectangle, { ...boxes[2], width: 9 }))).toContain(
			"lies on box 2",
		);
		expect(
			changed(({ lines, boxes }) => Object.assign(boxes[2] as Rectangle, { x: lines[0]?.way[30]?.[0] as number, y: 0, height: 999 })),
		).toContain("runs through box 2");
	});

	test("of ten thousand the nearest are drawn, and the picture says how many are not", () => {
		const many = Array.from({ length: 10_000 }, (_, at): Party => ({ id: `c${at}`, name: `Company ${at}`, isCompany: true }));
		const held = many.map(({ id }, at): Holding => ({ owner: id, owned: at < 40 ? "C" : `c${at - 40}`, percentage: "2" }));
		const diagram = ownershipDiagram(ownershipOf(corporate, many, held));
		const found = read(svgOf(diagram));
		expect([found.boxes.length, found.lines.length, faultsOf(found)]).toEqual([100, 99, []]);
		expect(diagram.notes).toEqual(["Not drawn, for want of room: 9901 people and companies and 9901 holdings"]);
		expect(diagram.description).toContain("9901 people and companies");
	});
});
