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
import { countElements, type Elements } from "../support/page-check.js";
import { seedOfRun } from "../support/seed.js";
import { browserSuite } from "./browser-suite.js";

const program = browserFor("pages of hostile texts");
const many = process.env.PURSER_TORTURE === "1" ? 1_000 : 100;
/** So few that no page is too large, which would have fewer rows. */
const each = 50;

const action = "alert(document.title)";

/** One of each kind; where a text can be both, it can also end what it stands in. */
const kinds: readonly string[] = [
	`<script>${action}</script>`,
	`</script><script src="http://127.0.0.1:9/x.js"></script>`,
	`<SCRIPT/x>${action}//`,
	`<img src=x onerror=${action}>`,
	`<img/src="http://127.0.0.1:9/x.png" onload=${action}>`,
	`" onmouseover="${action}" x="`,
	`' onfocus='${action}' autofocus x='`,
	`\` onclick=${action} `,
	`x onpointerenter=${action} tabindex=0`,
	`</style><script>${action}</script>`,
	"</style><style>@import url(http://127.0.0.1:9/x.css)</style>",
	"*/ } body { display: none } /*",
	"</td></tr></table><h1>Paid</h1>",
	"</textarea></select></xmp></noscript></title><b>bold</b>",
	"</desc></title></text></svg><i>x</i>",
	`<a href="javascript:${action}">here</a>`,
	`data:text/html,<script>${action}</script>`,
	`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">`,
	'<base href="http://127.0.0.1:9/"><link rel="stylesheet" href="http://127.0.0.1:9/x.css">',
	`<iframe srcdoc="<script>${action}</script>"></iframe>`,
	`<svg><animate onbegin=${action} attributeName=x dur=1s>`,
	`<svg><foreignObject><b>bold</b></foreignObject><use href="http://127.0.0.1:9/x.svg#a"/></svg>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=${action}>`,
	"<form action=http://127.0.0.1:9/><input autofocus><button>Send</button>",
	"<!-- a comment",
	"--!><b>bold</b><!--",
	"<![CDATA[",
	"]]><b>bold</b>",
	"<?xml version='1.0'?><!DOCTYPE html>",
	"<plaintext>",
	"<template><b>bold</b></template>",
	"&lt;script&gt;alert(1)&lt;/script&gt;",
	"&#60;b&#62;&#x3c;b&#x3e;&amp;lt;b&amp;gt;",
	"&quot; onclick=&quot;x",
	"&#0;&#xD800;&#1114112;&nbsp&notit;&",
	"{{constructor.constructor('alert(1)')()}}<%= alert(1) %>",
	"$&$1$`$'",
	"%3Cscript%3E\\u003cscript\\u003e+ADw-script+AD4-",
	"\u202etxt.exe\u2066\u2067\u2068abc\u2069\u200f\u200e\u061c",
	"a\0b<b>\0</b>",
	"\ufeff<b>",
	"\u001b[31mred\u001b[0m\u0085\u2028\u2029<b>",
	"\r\n\r\n\t\v\f<b>",
	"\ud800",
	"\udfff<b>\ufffe\uffff\u{10ffff}\u{e0041}",
	"＜script＞alert(1)＜/script＞",
	"\u0338<b>\u0338>",
	"👩‍👩‍👧‍👦 العربية עברית ﷺ 漢字かな交じり文",
	"Z\u0351\u0352\u0357".repeat(60),
	"",
	"[object Object]",
	"__proto__",
];

/** Longer than a page shows, or than anybody writes. A few of them are enough: a browser takes long for them. */
const huge: readonly string[] = [
	"x".repeat(5_000),
	`<b>${"y".repeat(2_000)}`,
	"<".repeat(1_500),
	"&".repeat(999),
	`${"a".repeat(995)}<b>x</b>`,
	`${"a".repeat(998)}\u{1f600}<b>`,
	" ".repeat(1_200),
	"-".repeat(300),
];

/** So many texts; the first of them are one of each kind. */
function hostileTexts(random: Random, count: number): string[] {
	return Array.from({ length: count }, (_, at) => [...kinds, ...huge][at] ?? bent(random));
}

/** Changes of a few characters, or of none. */
const bends: readonly ((text: string, random: Random) => string)[] = [
	(text) => text,
	(text) => text.toUpperCase(),
	(text, random) => text.replace(/[<>"'&=]/g, (character) => (random.often(0.2) ? `${character}${character}` : character)),
	(text, random) => text.replaceAll(" ", random.pick(["/", "\t", "\n", "\f", "\u00a0"])),
	(text, random) => random.pick(['"', "'", ">", '">', "'>", "-->", "</p>", "]]>", "`"]) + text,
	(text, random) => text.slice(random.below(12), 1 + random.below(1_200)),
];

/** One or two kinds beside each other, bent. */
function bent(random: Random): string {
	const [first, second] = [random.pick(random.often(0.01) ? huge : kinds), random.often(0.5) ? random.pick(kinds) : ""];
	return random.pick(bends)(random.often(0.5) ? first + second : second.slice(0, random.below(40)) + first, random);
}

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
