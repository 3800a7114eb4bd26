import { describe, expect, it, test } from "vitest";
import { makeStyle, noPaint, type Paint, paintOf } from "../../src/cli/output/style.js";
import { widthOf, wrapLines, wrapSentence, wrapText } from "../../src/cli/output/wrap.js";

describe("width", () => {
	it.each([
		["plain", 5],
		["\u001b[32mACTIVE\u001b[39m", 6],
		["日本", 4],
		["e\u0301", 1],
		["Example® GmbH™ ©", 16],
		["𠮷野家", 6],
		["🚢", 2],
		["می\u200cخواهم", 7],
		["", 0],
	])("of %j is %i", (text, width) => {
		expect(widthOf(text)).toBe(width);
	});
});

describe("wrapping", () => {
	it.each([
		["fits", 10, "fits"],
		["two words here", 9, "two words\nhere"],
		["averylongword", 5, "avery\nlongw\nord"],
		["a averylongword", 5, "a\navery\nlongw\nord"],
		["a averylong", 9, "a\naverylong"],
		["\u001b[32mACTIVE\u001b[39m", 6, "\u001b[32mACTIVE\u001b[39m"],
		["日本語", 4, "日本\n語"],
		["\u001b[33mPENDING_REVIEW\u001b[39m", 8, "\u001b[33mPENDING_\u001b[39m\n\u001b[33mREVIEW\u001b[39m"],
		["\u001b[2mexternal id\u001b[22m now", 8, "\u001b[2mexternal\u001b[22m\n\u001b[2mid\u001b[22m now"],
		[
			"\u001b[1m\u001b[31mtwo words\u001b[39m\u001b[22m",
			5,
			"\u001b[1m\u001b[31mtwo\u001b[39m\u001b[22m\n\u001b[1m\u001b[31mwords\u001b[39m\u001b[22m",
		],
	])("%j in %i columns", (text, width, expected) => {
		expect(wrapText(text, width)).toBe(expected);
	});
});

it("a coloured cell takes as much room as a noPaint one", async () => {
	const coloured = await paintOf(1);
	const table = (paint: Paint) => {
		const style = makeStyle({ paint, columns: 40, now: new Date(0) });
		return style.table(["name", "status"], [["one", style.status("PENDING_REVIEW")]]);
	};
	const bare = table(coloured).replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
	expect(bare.split("\n").map((line) => line.trimEnd())).toEqual(table(noPaint).split("\n"));
	expect(table(coloured)).not.toBe(bare);
	expect(table(noPaint)).toBe("name  status\none   PENDING_REVIEW");
});

const cyan = (text: string): string => `\u001b[36m${text}\u001b[39m`;

describe("a sentence on a terminal", () => {
	it.each<[string, string, number | undefined, number, string]>([
		["where there is no terminal nothing is broken", "one two three four", undefined, 7, "one two three four"],
		["what fits stays", "two words", 20, 7, "two words"],
		["between words, indented", "one two three four", 16, 7, "one two\n       three\n       four"],
		["a command in backquotes stays whole", "Go on with `purser onboard resume`, or", 32, 2, "Go on with\n  `purser onboard resume`, or"],
		[
			"a command that stands free stays whole to the end of its clause",
			"Throw it away: purser onboard start --discard. Or leave it",
			...([34, 2, "Throw it away:\n  purser onboard start --discard.\n  Or leave it"] as const),
		],
		["in colour too", `Do it: ${cyan("purser onboard apply a.yaml")}`, 12, 2, `Do it:\n  ${cyan("purser onboard apply a.yaml")}`],
		["and before what stands in brackets", "have it: purser api list (all of them)", 22, 2, "have it:\n  purser api list (all\n  of them)"],
		["what is wider than the terminal is left to it", "in /a/very/long/path now", 12, 2, "in\n  /a/very/long/path\n  now"],
	])("%s", (_, text, columns, indent, expected) => {
		expect(wrapSentence(text, columns, indent)).toBe(expected);
	});

	it.each([
		[
			"below its own beginning, and what stands in line stays so",
			"a  b\n  Name    Example Trading SAS of Paris\n",
			...([26, "a  b\n  Name    Example Trading\n          SAS of Paris\n"] as const),
		],
		[
			"as an item of a list apart from the next",
			"  created corporate Example Trading SAS  1\n  created another",
			...([30, "  created corporate Example\n    Trading SAS  1\n  created another"] as const),
		],
		["in line where a paragraph is further in", "      one two three four", 16, "      one two\n      three four"],
		[
			"below its value where a label is coloured with the blanks behind it",
			"  \u001b[2mTo      \u001b[22m  Example Trading SAS of Paris",
			...([30, "  \u001b[2mTo      \u001b[22m  Example Trading\n            SAS of Paris"] as const),
		],
	])("a line hangs %s", (_, text, columns, expected) => {
		expect(wrapLines(text, columns)).toBe(expected);
	});
});

it("a line that a shell was told stays whole, with what shows where it begins", () => {
	const line = "$ printf %s secret | purser auth login --base-url http://127.0.0.1:4010 --password-stdin";
	expect(wrapLines(`# Log in\n${line}`, 40)).toBe(`# Log in\n${line}`);
});

const roles = `id|name|roles|KYC
100998d3-78b5-409a-b6dd-c1ef98c3c7db|Grace Sample|director, account owner|NOT_STARTED
20eeb023-a628-4141-895b-61096e5c4913|Linus Placeholder||VALIDATED`;
const endless = "N".repeat(40);

/** What a table is, the columns of the terminal, its cells, and the table. */
test.each<[string, number, string, string]>([
	[
		"with room has everything on one line",
		120,
		roles,
		`id                                    name               roles                    KYC
100998d3-78b5-409a-b6dd-c1ef98c3c7db  Grace Sample       director, account owner  NOT_STARTED
20eeb023-a628-4141-895b-61096e5c4913  Linus Placeholder                           VALIDATED`,
	],
	[
		"has the id below its row before anything is folded",
		80,
		roles,
		`name               roles                    KYC
Grace Sample       director, account owner  NOT_STARTED
  100998d3-78b5-409a-b6dd-c1ef98c3c7db
Linus Placeholder                           VALIDATED
  20eeb023-a628-4141-895b-61096e5c4913`,
	],
	[
		"breaks between words, and never inside an id",
		20,
		"id|name|status\n7b4376f0-8553-4386-ae8f-81a6f9bfcc5b|Main account here|NOT_STARTED",
		"name     status\nMain     NOT_STARTED\naccount\nhere\n  7b4376f0-8553-4386-ae8f-81a6f9bfcc5b",
	],
	[
		"has each record by itself where a name is endless",
		48,
		`name|KYB|terms\n${endless}|NEED_ADDITIONAL_INFORMATION|no`,
		`name:\n    ${endless}\n  KYB: NEED_ADDITIONAL_INFORMATION · terms: no`,
	],
	[
		"keeps an amount on one line, and folds the name beside it",
		40,
		"name|available|balance\nMain account|9 966.40 EUR|10 966.40 EUR",
		"name            available        balance\nMain         9 966.40 EUR  10 966.40 EUR\naccount",
	],
	[
		"has amounts and counts to the right, whatever is missing; the first column, and what is not all numbers, to the left",
		60,
		"row|balance|rows|note\n1|10 000.00 EUR|3|12\n22|0.00 EUR|120|none\n3||7|",
		"row        balance  rows  note\n1    10 000.00 EUR     3  12\n22        0.00 EUR   120  none\n3                      7",
	],
	[
		"has each record by itself before a row is five lines high",
		40,
		"amount|status|from|reference\n12.50 EUR|APPROVED|Main account of Example Trading SAS|1",
		"amount: 12.50 EUR · status: APPROVED\n  from: Main account of Example\n    Trading SAS\n  reference: 1",
	],
	[
		"has each record by itself, its cells with their names, before a word of any column is cut",
		60,
		`created|amount|to|reference|status|id
2026-11-22 16:38 +00:00|12.50 EUR|Example Supplies Ltd|Invoice 7|APPROVED|44384854-3457-417c-9de7-50ffe426a840`,
		`created: 2026-11-22 16:38 +00:00 · amount: 12.50 EUR
  to: Example Supplies Ltd · reference: Invoice 7
  status: APPROVED
  44384854-3457-417c-9de7-50ffe426a840`,
	],
])("a table %s: %i columns", (_, columns, cells, shown) => {
	const [head = [], ...rows] = cells.split("\n").map((row) => row.split("|"));
	expect(makeStyle({ paint: noPaint, columns, now: new Date(0) }).table(head, rows)).toBe(shown);
});

test("an id in a deployment's own form is never cut", () => {
	const id = "acc_0123456789abcdefghijklmnopqrstuvwxyz0123";
	const drawn = (columns: number, ids = {}) =>
		makeStyle({ paint: noPaint, columns, now: new Date(0), ids }).table(
			["name", "account", "roles"],
			[["Main account of Example Florist", id, "director, UBO, account owner"]],
		);
	for (const columns of [50, 60]) expect(drawn(columns, { ledger: "acc_[0-9a-z]{40}" })).toContain(id);
	expect(drawn(40)).not.toContain(id);
});
