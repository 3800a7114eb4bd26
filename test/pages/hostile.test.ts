/**
 * Whatever people, companies and payments are called: a page of ours shows it as text and does nothing else. Hundreds of texts that try, each in
 * every place where a page has a text; a page has the same elements with the same attributes whatever the texts are.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { pageBytes } from "../../src/pages/page.js";
import { drawn, pictureFile } from "../../src/pages/picture.js";
import type { Block, Diagram, Page, Section } from "../../src/ports/page.js";
import { Random } from "../payments/simulation/random.js";
import { browserFor, openWindow } from "../support/browser.js";
import { hostileTexts } from "../support/hostile-texts.js";
import { countElements, type Elements } from "../support/page-check.js";
import { seedOfRun } from "../support/seed.js";
import { browserSuite } from "./browser-suite.js";

const program = browserFor("pages of hostile texts");
const many = process.env.PURSER_TORTURE === "1" ? 1_000 : 100;
/** So few that no page is too large, which would have fewer rows. */
const each = 50;

/** A diagram that says nothing else. */
const diagram = (text: string): Diagram => ({
	title: text,
	description: text,
	notes: [text],
	legend: [text],
	boxes: [
		{ name: text, details: [text], whole: text, kind: "corporate", heavy: false },
		{ name: text, details: [text], whole: text, kind: "person", heavy: true },
	],
	lines: [{ from: 1, to: 0, label: text, whole: text, dashed: true, heavy: true }],
});

/** Every place of every kind of block. */
const blocks = (text: string): Block[] => [
	{ kind: "text", text },
	{ kind: "text", text, tone: "quiet" },
	{ kind: "notice", text, tone: "bad" },
	{
		kind: "facts",
		rows: [
			[text, text],
			[text, { text, tone: "good" }],
			[text, { time: text }],
			[text, { code: text }],
			[text, { amount: text, currency: text }],
		],
	},
	{
		kind: "table",
		caption: text,
		columns: [{ name: text }, { name: text, right: true }],
		rows: [[text, { amount: text, currency: text }]],
		empty: text,
		of: 2,
		where: text,
	},
	{ kind: "table", caption: text, columns: [], rows: [], empty: text },
	{ kind: "picture", picture: drawn(diagram(text)) },
];

/** A page with all texts in all places; those that a page has once get the first of them. */
const pageOf = (texts: readonly string[]): Page => {
	const first = texts[0] as string;
	return {
		...{ title: first, lead: first, personalData: "masked", madeBy: first, madeAt: first, of: first },
		sections: texts.map((text): Section => ({ title: text, blocks: blocks(text) })),
	};
};

const written = (page: Page): string => new TextDecoder().decode(pageBytes(page));
/** What stands in the place of hostile texts, without a character that HTML knows. */
const harmless = "harmless";

describe.skipIf(program === undefined)("a page of hostile texts", () => {
	const suite = browserSuite(program);
	const look = (html: string, whole = false) => suite.look(html, whole);
	let texts: string[];
	let expected: Elements;
	beforeAll(async () => {
		texts = hostileTexts(new Random(seedOfRun("hostile texts")), many);
		expected = (await look(written(pageOf(Array.from({ length: each }, () => harmless))))).elements;
	});

	test("does nothing, asks for nothing, and has no element that a page of harmless texts has not", async () => {
		for (let from = 0; from < many; from += each) {
			const { faults, elements } = await look(written(pageOf(texts.slice(from, from + each))));
			expect([from, faults]).toEqual([from, []]);
			expect([from, whole(elements)]).toEqual([from, whole(expected)]);
		}
	});

	test("in the places that a page has once, and in a picture of its own: every text", async () => {
		const page = await (await openWindow(suite.browser, { offline: true })).newPage();
		const elementsOf = (documents: string[], type: string): Promise<Elements[]> =>
			page.evaluate(
				`${JSON.stringify(documents)}.map((text) => { const parsed = new DOMParser().parseFromString(text, "${type}"); return ${countElements("parsed")}; })`,
			);
		// The style is the same in all of them, and most of each.
		const head = (text: string): string => written({ ...pageOf([text]), sections: [] }).replace(/<style>[^<]*<\/style>/, "<style></style>");
		const svg = (text: string): string =>
			new TextDecoder().decode(pictureFile(diagram(text))).replace(/<style>[^<]*<\/style>/, "<style></style>");
		for (const [make, type] of [
			[head, "text/html"],
			[svg, "image/svg+xml"],
		] as const) {
			const [control] = await elementsOf([make(harmless)], type);
			expect(Object.keys(control as Elements).length).toBeGreaterThan(5);
			for (let from = 0; from < many; from += 500) {
				const found = await elementsOf(texts.slice(from, from + 500).map(make), type);
				const others = found.flatMap((elements, at) => (same(elements, control) ? [] : [[texts[from + at], elements]]));
				expect(others).toEqual([]);
			}
		}
		await page.context().close();
	});

	test("that is readable, in light and dark", async () => {
		// A picture without a title has none.
		const short = texts.filter((text) => text.trim() !== "" && text.length < 120).slice(-8);
		const { faults } = await look(written(pageOf(short)), true);
		expect(faults).toEqual([]);
	});

	// Each of them is put into a page as it is, in the place of one text: what the tests above look for must be there.
	test.each([
		["<script>alert(1)</script>", /^the console: .*Content Security Policy/],
		['<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">', /^a request: http:\/\/127\.0\.0\.1:9/],
		["<b>bold</b>", undefined],
		['" onmouseover="alert(1)', undefined],
	])("is noticed where one text is not escaped: %s", async (text, fault) => {
		const html = written(pageOf(["one", "MARKED", "three"]));
		const place = text.startsWith('"') ? 'aria-label="' : "<dd>";
		const { faults, elements } = await look(html.replace(`${place}MARKED`, place + text));
		expect(html).toContain(`${place}MARKED`);
		const control = await look(html);
		expect(control.faults).toEqual([]);
		if (fault === undefined) expect(same(elements, control.elements)).toBe(false);
		else expect(faults).toContainEqual(expect.stringMatching(fault));
	});
});

/** Without the lines of text in a picture: a name that is too long has two. */
const whole = ({ "text class x y": _, ...elements }: Elements): Elements => elements;

function same(one: Elements, other: Elements = {}): boolean {
	return JSON.stringify(Object.entries(whole(one)).sort()) === JSON.stringify(Object.entries(whole(other)).sort());
}
