import { describe, expect, test } from "vitest";
import { sameCode, sameName } from "../../src/api/names.js";
import type { Case } from "../../src/onboarding/case/case.js";
import { ownershipNotes } from "../../src/onboarding/case/files.js";
import { matchingCorporate, matchingEntity, refuseAnother } from "../../src/onboarding/case/match.js";
import { duplicateOf } from "../../src/onboarding/records/twins.js";

const same: readonly [why: string, one: string, other: string][] = [
	["composed and decomposed", "Zo\u00e9 L\u00f6we", "Zoe\u0301 Lo\u0308we"],
	["capitals", "ADA EXAMPLE", "Ada Example"],
	["ß in capitals", "Anna Gro\u00df", "ANNA GROSS"],
	["a ligature", "\ufb01nn", "FINN"],
	["the last sigma", "\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2"],
	["İ of Turkish", "\u0130smail", "ismail"],
	["ı of Turkish in capitals", "I\u015eIK", "\u0131\u015f\u0131k"],
	["spaces at the ends and in a row", "  Ada \t Example ", "Ada Example"],
	["a no-break space", "Ada\u00a0Example", "Ada Example"],
	["two missing ones", "", "   "],
];

const different: readonly [why: string, one: string, other: string][] = [
	["an accent", "Ren\u00e9", "Rene"],
	["ü is not ue", "M\u00fcller", "Mueller"],
	["a hyphen", "Anne-Marie", "Anne Marie"],
	["an apostrophe", "O'Hara", "OHara"],
	["the order", "Example Ada", "Ada Example"],
	["one missing", "Ada", ""],
];

describe("two names", () => {
	test.each(same)("are the same: %s", (_, one, other) => {
		expect([sameName(one, other), sameName(other, one)]).toEqual([true, true]);
	});

	test.each(different)("are different: %s", (_, one, other) => {
		expect([sameName(one, other), sameName(other, one)]).toEqual([false, false]);
	});

	test("a code has no spaces that count", () => {
		expect(sameCode("000 000\u00a0001", "000000001")).toBe(true);
		expect(sameCode("hrb 1", "HRB1")).toBe(true);
		expect(sameCode("HRB-1", "HRB1")).toBe(false);
	});
});

describe("a person who is there twice is so in every check", () => {
	const address = "anna@example.com";
	const names = [
		["Zoe\u0301", "GROSS"],
		[" \u0130lke", "I\u015f\u0131k "],
		["ANNE  MARIE", "von\u00a0Muster"],
	] as const;
	const others = [
		["Zo\u00e9", "Gro\u00df"],
		["ilke", "\u0131\u015f\u0131k"],
		["Anne Marie", "Von Muster"],
	] as const;
	const pairs = names.map((name, at) => ({ name, other: others[at] as readonly [string, string] }));
	const person = ([firstName, lastName]: readonly [string, string], emailAddress = address) => ({ firstName, lastName, emailAddress });
	const record = (id: string, name: readonly [string, string], more: object = {}) => ({ id, ...person(name), ...more });

	test.each(pairs)("$name and $other", ({ name, other }) => {
		const company = { externalId: "crm-1", corporateName: "Example SAS", incorporationCountry: "FRA", incorporationCode: "1" };
		const of = { corporate: company, accountOwner: person(name), persons: [{ ...person(other), key: "p" }], companies: [], ownership: [] };
		const written = of as unknown as Case;
		const entity = { ...person(name), key: "p" } as Case["persons"][number];

		expect(ownershipNotes(written, "25")).toContain(
			"p has the name and email of accountOwner; if it is one person, put what the person is and holds there, and only there",
		);
		expect(duplicateOf(person(name), [record("r", other)])).toBeDefined();
		expect(matchingEntity([record("r", other)], entity, "crm-1-p", false)).toBe("r");
		const elsewhere = record("r", other, { emailAddress: "another@example.com" });
		expect(refuseAnother({ ...written, persons: [] }, { records: new Map([["accountOwner", elsewhere]]) })).toBeUndefined();
	});

	test("so is a company", () => {
		const corporate = {
			externalId: "crm-1",
			corporateName: "Caf\u00e9 Stra\u00dfe AG",
			incorporationCountry: "AUT",
			incorporationCode: "FN 1",
		};
		const listed = { id: "r", corporateName: "CAFE\u0301  STRASSE ag", incorporationCountry: "AUT", incorporationCode: "fn1" };
		expect(() => matchingCorporate([listed], { corporate } as unknown as Case, false)).toThrow("It has the same name, country and code");
	});
});
