import { expect, test } from "vitest";
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
