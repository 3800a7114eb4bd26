import { describe, expect, test } from "vitest";
import { check } from "../../src/api/check/check.js";
import { createCorporate, updateCorporate } from "../../src/api/operations/corporate.js";
import { createRelated } from "../../src/api/operations/related.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { verifyPhoneCode } from "../../src/api/operations/verification.js";

const ledger = "7d1f2c34-5b6a-4c7d-8e9f-0a1b2c3d4e5f";
const corporate = {
	corporateName: "Example Trading SAS",
	incorporationCountry: "FRA",
	incorporationCode: "000 000 000",
	industry: "FOOD_RESTAURANT_CATERING",
	registeredAddress: {},
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO" },
};
const transfer = { ledgerFromId: ledger, ledgerToId: "0c9b8a76-5d4e-4f3a-9b2c-1d0e9f8a7b6c", amount: "10.10" };

const ofCorporate = (change: object) => check(createCorporate.body!, { ...corporate, ...change });
const ofOwner = (change: object) => ofCorporate({ accountOwnerInfo: { ...corporate.accountOwnerInfo, ...change } });
const ofTransfer = (change: object) => check(createInterLedger.body!, { ...transfer, ...change });

test("the plain input passes without a word", () => {
	expect(ofCorporate({})).toMatchObject({ faults: [], warnings: [] });
	expect(ofTransfer({})).toMatchObject({ faults: [], warnings: [] });
});

describe("lengths (specification 2.1, 8)", () => {
	test.each([
		["externalId", 511],
		["corporateName", 255],
		["tradeName", 255],
		["incorporationCode", 255],
		["website", 511],
	])("%s: %d characters", (name, most) => {
		// A website has the form of an address.
		const start = name === "website" ? "https://example.com/" : "";
		const at = (length: number, character = "x") =>
			ofCorporate({ [name]: length === 0 ? "" : start + character.repeat(length - start.length) });
		expect(at(0)).toMatchObject({ faults: [], warnings: [{ field: name, message: "is given and empty" }] });
		for (const length of [most - 1, most]) expect(at(length)).toMatchObject({ faults: [], warnings: [] });
		expect(at(most + 1).faults).toEqual([{ field: name, message: `has ${most + 1} characters; at most ${most} are allowed` }]);
		// Between the strict and the loose reading: within the limit as code points, beyond it as bytes.
		const bytes = `has ${most} characters but ${2 * most - start.length} bytes; a deployment that counts bytes allows ${most}`;
		expect(at(most, "é")).toMatchObject({ faults: [], warnings: [{ field: name, message: bytes }] });
		expect([at(most, "🚢").faults.length, at(most + 1, "🚢").faults.length]).toEqual([0, 1]);
	});

	test("metadata: 3000 characters as sent", () => {
		const at = (length: number) => ofCorporate({ metadata: { k: "x".repeat(length - '{"k":""}'.length) } });
		for (const length of [2999, 3000]) expect(at(length)).toMatchObject({ faults: [], warnings: [] });
		expect(at(3001).faults).toEqual([{ field: "metadata", message: "has 3001 characters as sent; at most 3000 are allowed" }]);
		const message = "has 2008 characters but 4008 bytes; a deployment that counts bytes allows 3000";
		expect(ofCorporate({ metadata: { k: "é".repeat(2000) } }).warnings).toEqual([{ field: "metadata", message }]);
	});

	test("reference: 18 characters, composed first", () => {
		for (const length of [0, 17, 18]) expect(ofTransfer({ reference: "x".repeat(length) }).faults).toEqual([]);
		const long = [{ field: "reference", message: "has 19 characters; at most 18 are allowed" }];
		expect(ofTransfer({ reference: "x".repeat(19) }).faults).toEqual(long);
		const composed = ofTransfer({ reference: "e\u0301".repeat(18) });
		expect([composed.faults, composed.data?.reference]).toEqual([[], "é".repeat(18)]);
	});
});

test("the pattern of reference (specification 2.7, 2.8)", () => {
	for (const reference of ["Invoice 2041", "L'été, ça va ?", "a.b,c?d'e", "ÀÿŸ".slice(0, 2), "×÷", "0123456789"])
		expect([reference, ofTransfer({ reference }).faults]).toEqual([reference, []]);
	const refused = {
		...{ "a-b": '"-" (U+002D)', "a/b": '"/" (U+002F)', "a#b": '"#" (U+0023)', "a:b": '":" (U+003A)', a_b: '"_" (U+005F)' },
		...{ "a\n": "U+000A", "tab\there": "U+0009", "nb\u00a0sp": "U+00A0", "🚢": '"🚢" (U+1F6A2)', "’": '"’" (U+2019)' },
		...{ Ÿ: '"Ÿ" (U+0178)', œuf: '"œ" (U+0153)', "é\u0323": '"ẹ" (U+1EB9)' },
	};
	for (const [reference, named] of Object.entries(refused)) {
		const message = `has the character ${named}; allowed are letters (À-ÿ too), digits, space and . ' , ?`;
		expect([reference, ofTransfer({ reference }).faults]).toEqual([reference, [{ field: "reference", message }]]);
	}
});

describe("lines of text", () => {
	test.each([
		["Example SAS\r", "has a line end (U+000D) at its end; it has to be one line of text"],
		["Example\nSAS", "has a line end (U+000A); it has to be one line of text"],
		["Example\u2028SAS", "has a line end (U+2028); it has to be one line of text"],
		["Example\u001b[2J", "has a control character (U+001B); it has to be one line of text"],
		["Soci\ufffdt\ufffd", "has a letter that was not written in UTF-8 and cannot be read; type it again in a UTF-8 terminal"],
	])("%j is refused as a name", (name, message) => {
		expect(ofCorporate({ corporateName: name }).faults).toEqual([{ field: "corporateName", message }]);
		expect(ofOwner({ lastName: name }).faults).toEqual([{ field: "accountOwnerInfo.lastName", message }]);
	});
	test("all letters pass without a word", () => {
		for (const name of ["Société Générale d’Exemple", "株式会社 例", "ÜÑÏ & Co. (1)", "🚢", "شركة المثال", "e\u0301"]) {
			expect(ofCorporate({ corporateName: name })).toMatchObject({ faults: [], warnings: [] });
			expect(ofOwner({ lastName: name })).toMatchObject({ faults: [], warnings: [] });
		}
	});
	test.each([" Example", "Example\u00a0"])("%j passes, and is told", (name) => {
		const message = "begins or ends with a space, which would be sent too";
		expect(ofCorporate({ corporateName: name })).toMatchObject({ faults: [], warnings: [{ field: "corporateName", message }] });
		expect(ofOwner({ lastName: name }).warnings).toEqual([{ field: "accountOwnerInfo.lastName", message }]);
	});
	test.each([
		["", "is given and empty"],
		["  ", "has nothing but spaces"],
	])("%j passes where it is no name, and is told", (position, message) => {
		expect(ofOwner({ position })).toMatchObject({ faults: [], warnings: [{ field: "accountOwnerInfo.position", message }] });
	});
});

const country = "is not a country; write its English name or its code, like Germany, DE or DEU";
const noCode = (code: string) => `is not a dialling code the service takes: ${JSON.stringify(code)} (like 33 or +33)`;
const phoneNumber = "must be 1 to 14 digits after the dialling code, like +33 639980001";
const ofPhone = (phone: object) => ofOwner({ phone });
const verified = (code: string) => check(verifyPhoneCode.body!, { relatedPhysicalPersonId: ledger, code });
const date = (incorporationDate: string) => ofCorporate({ incorporationDate });

describe("values that pass without a word, and values that are refused", () => {
	test.each<[field: string, of: (value: string) => { faults: unknown[]; warnings: unknown[] }, string[], string[], unknown]>([
		[
			"incorporationDate",
			date,
			["2024-02-29", "2000-02-29", "2023-12-31", "1999-01-01"],
			["2023-02-30", "2023-02-29", "1900-02-29", "2023-13-01", "2023-00-10", "2023-04-31", "2023-01-00"],
			(day: string) => `is not a valid date: ${day}`,
		],
		[
			"incorporationDate",
			date,
			[],
			["2023-1-1", "01/02/2023", "2023-01-01T00:00:00Z", "20230101", "2023-01-01\n", "tomorrow"],
			"must be a date as YYYY-MM-DD",
		],
		[
			"incorporationCountry",
			(incorporationCountry) => ofCorporate({ incorporationCountry }),
			["FRA", "USA", "SXM", "ZWE"],
			["XXX", "QZ", ""],
			country,
		],
		[
			"accountOwnerInfo.phone.countryCode",
			(countryCode) => ofPhone({ countryCode, number: "639980001" }),
			["33", "+33", "1", "441481", "998", "1242"],
			["0", "++33", "999", "247", "7840", "", "fr"],
			noCode,
		],
		[
			"accountOwnerInfo.phone.number",
			(number) => ofPhone({ countryCode: "33", number }),
			["1", "12345678901234"],
			["", "123456789012345", "+32639980001", "six"],
			phoneNumber,
		],
		["code", verified, ["123456"], ["12345", "1234567", "12345a", "１２３４５６"], "must be the 6 digits of the SMS"],
		[
			"accountOwnerInfo.directSharesPercentage",
			(directSharesPercentage) => ofOwner({ directSharesPercentage }),
			["0", "100", "100.0", "33.34", "0.5", "99.999"],
			["101", "100.01", "-1", "33,5", "1e1", "abc", "033", "33.", "1000"],
			expect.any(String),
		],
		[
			"industry",
			(industry) => ofCorporate({ industry }),
			[],
			["food", "FOOD-RESTAURANT", "FOOD RESTAURANT", ""],
			'must be in capitals, digits and "_", like FOOD_RESTAURANT_CATERING',
		],
	])("%s", (field, of, good, bad, told) => {
		for (const value of good) expect([value, of(value)]).toMatchObject([value, { faults: [], warnings: [] }]);
		for (const value of bad) {
			const message = typeof told === "function" ? told(value) : told;
			expect([value, of(value).faults]).toEqual([value, [{ field, message }]]);
		}
	});
	test("XKX passes with a warning", () => {
		expect(ofCorporate({ incorporationCountry: "XKX" })).toMatchObject({
			faults: [],
			warnings: [{ field: "incorporationCountry", message: "is not in ISO 3166-1; not every deployment takes it" }],
		});
	});
	test("a phone needs both parts", () => {
		expect(ofPhone({ number: "1" }).faults).toEqual([{ field: "accountOwnerInfo.phone.countryCode", message: "is required" }]);
	});
});

describe("identifiers", () => {
	test("that are UUIDs", () => {
		for (const ledgerFromId of [ledger, ledger.toUpperCase(), "00000000-0000-0000-0000-000000000000"])
			expect(ofTransfer({ ledgerFromId }).faults).toEqual([]);
	});
	test.each([
		["", ["", "main", `{${ledger}}`, ledger.replace("7", "g")]],
		["; this one has 32 characters, not 36", ["7d1f2c345b6a4c7d8e9f0a1b2c3d4e5f"]],
		["; this one has 35 characters, not 36", [ledger.slice(1)]],
		["; there is a blank or a line end around it", [`${ledger} `, `${ledger}\n`]],
	])("that are none, and it is told why%s", (why, ids) => {
		const message = `must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f${why}`;
		for (const ledgerFromId of ids) expect(ofTransfer({ ledgerFromId }).faults).toEqual([{ field: "ledgerFromId", message }]);
	});
});

describe("open lists", () => {
	test.each([
		[{ industry: "SPACE_TOURISM" }, ["industry"]],
		[{ employeesRange: "BTW_11_AND_50" }, ["employeesRange"]],
		[
			{ expectedMonthlyExpenses: { value: "LESS_THAN_50_000", currency: "ISK" } },
			["expectedMonthlyExpenses.value", "expectedMonthlyExpenses.currency"],
		],
	])("what is unknown passes with a warning each: %j", (change, fields) => {
		const { faults, warnings } = ofCorporate(change);
		expect([faults, warnings.map(({ field }) => field)]).toEqual([[], fields]);
	});
	test("legal types: one key with one value", () => {
		const austrian = { legalType: { austriaValue: "AT_AKTIENGESELLSCHAFT_AG" } };
		expect(ofCorporate({ ...austrian, incorporationCountry: "AUT" })).toMatchObject({ faults: [], warnings: [] });
		for (const legalType of [{ austriaValue: "A", franceValue: "B" }, {}, "SAS"])
			expect([legalType, ofCorporate({ legalType }).faults.length]).toEqual([legalType, 1]);
	});
});

describe("all at once", () => {
	test("every fault of an input is told together, with its path", () => {
		const { faults } = ofCorporate({
			corporateName: "x".repeat(256),
			incorporationDate: "2023-02-30",
			registeredAddress: { isoCountryCode: "FRX" },
			accountOwnerInfo: { firstName: "Ada", emailAddress: "nobody", position: "CEO", phone: { countryCode: "0", number: "x" } },
		});
		expect(faults.map(({ field }) => field)).toEqual([
			"corporateName",
			"incorporationDate",
			"registeredAddress.isoCountryCode",
			"accountOwnerInfo.lastName",
			"accountOwnerInfo.emailAddress",
			"accountOwnerInfo.phone.countryCode",
			"accountOwnerInfo.phone.number",
		]);
	});
	test("an unknown field is named and the way to send it told", () => {
		expect(ofCorporate({ corparateName: "x" }).faults).toEqual([
			{ field: "corparateName", message: "is not a known field; did you mean corporateName? (send it with --set)" },
		]);
	});
	test("an update needs nothing, and checks what it is given", () => {
		expect(check(updateCorporate.body!, {}).faults).toEqual([]);
		expect(check(updateCorporate.body!, { incorporationCountry: "FRX" }).faults).toHaveLength(1);
	});
	test("a person needs names, a company a name", () => {
		const person = ["firstName", "lastName"].map((field) => ({ field, message: "is required for a physical person" }));
		expect(check(createRelated.body!, {}).faults).toEqual(person);
		const company = [{ field: "corporateName", message: "is required for a company" }];
		expect(check(createRelated.body!, { type: "COMPANY" }).faults).toEqual(company);
	});
	test("both switches stand in the body even when nobody gave them", () => {
		const { data } = check(createBeneficiaryTransaction.body!, { ledgerFromId: ledger, beneficiaryId: ledger, amount: "1" });
		expect(data).toMatchObject({ allowFastPayment: true, allowInterLedger: true });
	});
});
