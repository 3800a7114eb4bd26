import { describe, expect, test } from "vitest";
import { mermaidOf } from "../../src/onboarding/ownership/mermaid.js";
import { type Holding, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";
import { numbered, ownershipPage } from "../../src/onboarding/ownership/page.js";
import { ownershipTable } from "../../src/onboarding/ownership/table.js";
import { pageBytes } from "../../src/shell/html/page.js";

const corporate = { id: "C", name: "Example Trading SAS" };
const parties: Party[] = [
	{ id: "a", name: "Ada Example", isCompany: false, isDirector: true, isAccountOwner: true },
	{ id: "h", name: "Example Holding BV", isCompany: true },
	{ id: "d", name: "Dan Sample", isCompany: false, isDirector: true },
];
const holdings: Holding[] = [
	{ owner: "h", owned: "C", percentage: "60" },
	{ owner: "a", owned: "h", percentage: "50.50" },
	{ owner: "h", owned: "h", percentage: "5" },
	{ owner: "a", owned: "x<1>", percentage: "10" },
];
const ownership = ownershipOf(corporate, parties, holdings);

describe("as a Mermaid flowchart", () => {
	test("boxes, lines, the threshold, circles", () => {
		expect(mermaidOf(ownership)).toBe(`flowchart BT
  n0["Example Trading SAS<br>this company"]
  n1["Example Holding BV<br>63.1578… % effective<br>company"]
  n2(["Ada Example<br>31.8947… % effective<br>at or above 25 %<br>account owner, director<br>UBO not marked"])
  n3["x#60;1#62;<br>not declared"]
  n4(["Dan Sample<br>director"])
  n1 ==>|"60 %"| n0
  n2 ==>|"50.5 %"| n1
  n2 -->|"10 %"| n3
  n1 -.->|"5 %"| n1
  classDef owner stroke-width:3px
  classDef undeclared stroke-dasharray:3
  class n2 owner
  class n3 undeclared
`);
	});

	// Each of them was drawn by Mermaid 11.17, where it read as it is written here.
	test.each([
		['He said "hi" #quot; #35;', "He said #34;hi#34; #35;quot#59; #35;35#59;"],
		["a]b)c}d|e<b>f</b>", "a#93;b#41;c#125;d#124;e#60;b#62;f#60;/b#62;"],
		["1. List & co", "1#46; List #38; co"],
		["- dash", "#45; dash"],
		["+ 2) plus", "#43; 2#41; plus"],
		["*s* _u_ `c` ~~t~~", "#42;s#42; #95;u#95; #96;c#96; #126;#126;t#126;#126;"],
		["%%{init: {}}%%", "#37;#37;#123;init#58; #123;#125;#125;#37;#37;"],
		["line\nbreak\r\n\tclick n0", "line break click n0"],
		["\\a $$x$$", "#92;a #36; #36;x#36; #36;"],
		["fa:fa-user fab:fa-x", "fa#58; fa-user fab#58; fa-x"],
		["\u202eturned\u0000 \u200b", "\ufffdturned\ufffd \ufffd"],
		["O'Brien-Smith, Ltd. 見本", "O#39;Brien-Smith, Ltd. 見本"],
	])("%j stays text", (name, written) => {
		const text = mermaidOf(ownershipOf({ id: "C", name }, [], []));
		expect(text.split("\n")[1]).toBe(`  n0["${written}<br>this company"]`);
	});

	test("of a large ownership it has no more than Mermaid draws, and says so", () => {
		const many = Array.from({ length: 2000 }, (_, at): Party => ({ id: `p${at}`, name: "<>".repeat(40), isCompany: false }));
		const text = mermaidOf(
			ownershipOf(
				corporate,
				many,
				many.map(({ id }) => ({ owner: id, owned: "C", percentage: "0.01" })),
			),
		);
		expect(text.length).toBeLessThan(50_000);
		expect(text.split("\n")[1]).toMatch(/^ {2}%% Not shown here: \d+ of 2001 people and companies and \d+ of 2000 holdings$/);
	});
});

test("as a table: each holding, then those without one", () => {
	expect(ownershipTable(ownership)).toMatchObject({
		rows: [
			["Example Holding BV", "Example Trading SAS", "60 %", "63.157894736842 %", "company"],
			["Ada Example", "Example Holding BV", "50.50 %", "31.894736842105 %", "account owner, director, UBO not marked"],
			["Example Holding BV", "Example Holding BV", "5 %", "63.157894736842 %", "company"],
			["Ada Example", "x<1>", "10 %", "31.894736842105 %", "account owner, director, UBO not marked"],
			["Dan Sample", "no shares", "", "0 %", "director"],
		],
	});
	const { rows, more } = ownershipTable(ownership, 3);
	expect([rows.length, more]).toEqual([3, "The first 3 of 5 rows; related tree --json has all of them."]);
});

test("as a page: the picture, the warnings, the table; masked it has no name of a person", () => {
	const about = { masked: true, madeBy: "purser 1.2.3", of: "acme (sandbox, http://localhost:1)" };
	const html = (one: typeof ownership, masked: boolean): string =>
		new TextDecoder().decode(pageBytes(ownershipPage(one, { ...about, masked })));
	const page = html(ownershipOf(corporate, numbered(parties), holdings), true);
	expect(page).not.toMatch(/Ada|Dan Sample/);
	for (const text of ["Person 1", "Person 2", "Example Holding BV", "Persons are numbered", "Personal data is masked"])
		expect(page).toContain(text);
	expect(page.match(/<svg class="drawing/g)).toHaveLength(1);
	expect(page).toContain("Person 1 holds an effective 31.8947 % and is not marked as a beneficial owner (UBO)");
	expect(html(ownership, false)).toContain("Ada Example");
	expect(html(ownership, false)).toContain("This file shows personal data");
});

test("a page of the longest names that have to be escaped is no larger than a page may be, and keeps its table", () => {
	const many = Array.from({ length: 700 }, (_, at): Party => ({ id: `c${at}`, name: `${"<>".repeat(500)} ${at}`, isCompany: true }));
	const crossed = many.flatMap(({ id }, at) =>
		[40, 60, 13].map((step): Holding => ({ owner: id, owned: at < 60 ? "C" : `c${at - step}`, percentage: "0.123456789" })),
	);
	const page = ownershipPage(ownershipOf(corporate, many, crossed), { masked: true, madeBy: "purser 1.2.3", of: "acme" });
	const { length } = pageBytes(page);
	expect(length).toBeGreaterThan(800_000);
	expect(length).toBeLessThan(1024 * 1024);
});
