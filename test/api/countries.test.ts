import { describe, expect, it } from "vitest";
import { check } from "../../src/api/check/check.js";
import { countryName, shortNames } from "../../src/api/countries.js";
import { country } from "../../src/api/fields.js";
import { countries } from "../../src/api/values.js";

describe("a country", () => {
	it.each([
		["DEU", "Germany", "germany", "DE", "de", "deu", " Germany "],
		["GBR", "United Kingdom", "united kingdom", "the united kingdom", "UK", "Great Britain", "gb"],
		["USA", "United States", "United States of America", "U.S.A.", "us"],
		["CIV", "Ivory Coast", "Cote d'Ivoire", "Côte d’Ivoire"],
		["BIH", "Bosnia and Herzegovina", "Bosnia & Herzegovina", "bosnia"],
		["CZE", "Czechia", "Czech Republic"],
		["TUR", "Turkey", "Türkiye"],
		["KNA", "St. Kitts and Nevis", "Saint Kitts & Nevis"],
		["NLD", "The Netherlands", "Holland"],
		["HKG", "Hong Kong"],
		["GIN", "Guinea"],
		["AND", "Andorra", "and"],
		["XKX", "Kosovo"],
	])("%s is read from each of its names and codes", (code, ...names) => {
		for (const typed of names) expect([typed, check(country("Country"), typed).data]).toEqual([typed, code]);
	});

	it.each([
		["Korea", "is not a country; write its English name or its code, like Germany, DE or DEU"],
		["Germny", "is not a country; did you mean Germany (DEU)?"],
		["of the", "is not a country; write its English name or its code, like Germany, DE or DEU"],
		["Bundesrepublik", "is not a country; write its English name or its code, like Germany, DE or DEU"],
		["", "is not a country; write its English name or its code, like Germany, DE or DEU"],
	])("%j is refused with those that may be meant", (typed, message) => {
		expect(check(country("Country"), typed).faults).toEqual([{ field: "", message }]);
	});

	it("each of the 249 is read from the name that it is shown with", () => {
		expect(countries).toHaveLength(249);
		expect(countries.filter((code) => check(country("Country"), countryName(code)).data !== code)).toEqual([]);
		expect(shortNames("GBR")).toEqual(["GB", "GBR", "UK"]);
	});
});
