import { describe, expect, test } from "vitest";
import { check } from "../../src/api/check/check.js";
import { createCorporate, listCorporates } from "../../src/api/operations/corporate.js";
import { createRelated } from "../../src/api/operations/related.js";

const named = (firstName: string) => check(createRelated.body, { firstName, lastName: "Sample" });
const faultOf = (firstName: string): string | undefined => named(firstName).faults[0]?.message;

describe("a name", () => {
	test.each([
		["an override", "Ada\u202eelpmaxE", "U+202E"],
		["a mark of direction", "Ada\u200f", "U+200F"],
		["the Arabic letter mark", "Ada\u061c", "U+061C"],
	])("cannot turn the text around it: %s", (_, text, code) => {
		expect(faultOf(text)).toBe(`has ${code}, which changes the direction of the text around it; type the name again without it`);
	});

	test.each([
		["a zero-width space", "Ada\u200bB", "U+200B"],
		["a byte-order mark", "\ufeffAda", "U+FEFF"],
		["a soft hyphen", "Ada\u00adB", "U+00AD"],
		["a joiner at the end", "Ada\u200d", "U+200D"],
		["a joiner before a digit", "Ada\u200c1", "U+200C"],
	])("cannot have what nobody sees: %s", (_, text, code) => {
		expect(faultOf(text)).toBe(`has ${code}, which nobody can see; type it again without it`);
	});

	test.each([
		["a non-joiner between Persian letters", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
		["a joiner after a mark of Sinhala", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"],
		["a variant of a kanji", "\u8fbb\u{e0100}"],
		["right to left letters", "\u05d3\u05d5\u05d3"],
	])("may have %s", (_, text) => {
		expect(named(text).faults).toEqual([]);
	});

	test.each([
		["nothing", "", "is empty; a name is needed"],
		["spaces", "   ", "is nothing but blanks; a name is needed"],
		["a no-break space", "\u00a0", "is nothing but blanks; a name is needed"],
	])("is refused where it has %s", (_, text, message) => {
		expect(faultOf(text)).toBe(message);
		const { faults } = check(createCorporate.body, { accountOwnerInfo: { firstName: text, lastName: text } });
		const own = faults.filter((fault) => fault.message === message).map(({ field }) => field);
		expect(own).toEqual(["accountOwnerInfo.firstName", "accountOwnerInfo.lastName"]);
	});

	test("is composed, and so are an email, an address and a name that is looked for", () => {
		const { data } = check(createRelated.body, {
			firstName: "Zoe\u0301",
			lastName: "Sample",
			emailAddress: "zoe\u0301@example.com",
			address: { city: "Besanc\u0327on" },
		});
		expect(data).toMatchObject({ firstName: "Zo\u00e9", emailAddress: "zo\u00e9@example.com", address: { city: "Besan\u00e7on" } });
		expect(check(listCorporates.query, { registeredName: "Cafe\u0301" }).data).toMatchObject({ registeredName: "Caf\u00e9" });
	});
});
