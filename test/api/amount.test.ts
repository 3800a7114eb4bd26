import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountFault, decimalsFault, decimalsOf, fromMinor, groupDigits, inCurrency, toMinor } from "../../src/api/amount.js";
import { formatJson, parseJson } from "../../src/api/json.js";
import { processorSeconds } from "../support/time.js";

describe("an amount as typed", () => {
	test.each(["0.01", "1", "10.10", "999999999999999", "0.000000000000001", "1234567890.12345", "100"])("%s is taken", (typed) => {
		expect(amountFault(typed)).toBeUndefined();
	});

	test.each([
		["", "is empty; type an amount like 10.10"],
		["10,10", 'has a comma; the decimal separator is "." and there are no thousands separators'],
		["1 000", 'has the character U+0020 (a space); only the digits 0-9 and one "." are allowed'],
		["1\u00a0000", 'has the character U+00A0; only the digits 0-9 and one "." are allowed'],
		["-5", 'has the character "-" (U+002D); only the digits 0-9 and one "." are allowed'],
		["1e3", 'has the character "e" (U+0065); only the digits 0-9 and one "." are allowed'],
		["١٢", 'has the character "١" (U+0661); only the digits 0-9 and one "." are allowed'],
		["１０", 'has the character "１" (U+FF11); only the digits 0-9 and one "." are allowed'],
		["5\n", 'has the character U+000A; only the digits 0-9 and one "." are allowed'],
		[".5", 'must be digits, or digits "." digits, like 10 or 10.10'],
		["5.", 'must be digits, or digits "." digits, like 10 or 10.10'],
		["01.50", "has a leading zero"],
		["0", "must be greater than 0"],
		["1000000000000000", "has 16 significant digits; at most 15 arrive unaltered everywhere"],
		["0.00000000000000000000000000001", "has 31 characters; at most 30 are allowed"],
	])("%j is refused: %s", (typed, fault) => {
		expect(amountFault(typed)).toBe(fault);
	});
});

describe("decimals of a currency", () => {
	test.each([
		["EUR", 2],
		["JPY", 0],
		["HUF", 2],
		["IQD", 3],
		["BHD", 3],
		["CLF", 4],
		["XXX", undefined],
	])("%s has %s", (currency, decimals) => {
		expect(decimalsOf(currency)).toBe(decimals);
	});

	test.each([
		["10.10", "EUR", undefined],
		["10.101", "EUR", "has 3 decimals; EUR has 2"],
		["10.1234", "XXX", undefined],
	])("%s %s: %s", (typed, currency, fault) => {
		expect(decimalsFault(typed, currency)).toBe(fault);
	});
});

describe("minor units", () => {
	test.each([
		["10.10", 2, 1010n],
		["10", 2, 1000n],
		["10.100", 2, 1010n],
		["-0.05", 2, -5n],
	])("%s with %d decimals is %s", (typed, decimals, minor) => {
		expect(toMinor(typed, decimals)).toBe(minor);
	});

	test("more decimals than there are is refused", () => {
		expect(() => toMinor("1.001", 2)).toThrowError("1.001 has more than 2 decimals");
	});

	test("there and back", () => {
		fc.assert(
			fc.property(
				fc.bigInt(-(10n ** 20n), 10n ** 20n),
				fc.integer({ min: 0, max: 4 }),
				(minor, decimals) => toMinor(fromMinor(minor, decimals), decimals) === minor,
			),
		);
	});
});

describe("digits in groups", () => {
	test.each([
		["0", "0"],
		["1234", "1 234"],
		["-123456", "-123 456"],
		["123456789012345678901234567890", "123 456 789 012 345 678 901 234 567 890"],
		["1234567890123456789012345678901", "1234567890123456789012345678901"],
	])("%s is %s", (digits, grouped) => {
		expect(groupDigits(digits)).toBe(grouped);
	});

	test("and zeros behind the point take time in proportion to their number", async () => {
		const took = await processorSeconds(() => {
			expect(groupDigits("1".repeat(300_000))).toHaveLength(300_000);
			expect(() => toMinor(`0.${"0".repeat(300_000)}1`, 2)).toThrow(RangeError);
		});
		// Some milliseconds; in proportion to the square of it, a minute.
		expect(took).toBeLessThan(10);
	});
});

describe("number literals", () => {
	test.each(["10.10", "1.0", "123456789012345678901234567890", "1e400", "-0", "0.10000000000000000001"])(
		"%s keeps its digits through JSON",
		(literal) => {
			expect(formatJson(parseJson(`{"amount":${literal}}`))).toBe(`{"amount":${literal}}`);
		},
	);
});

describe("an amount as a person sees it", () => {
	test.each([
		["10", "EUR", "10.00 EUR"],
		["1234567.5", "EUR", "1 234 567.50 EUR"],
		["-1234.5", "EUR", "-1 234.50 EUR"],
		["1250", "JPY", "1 250 JPY"],
		["1250.5", "JPY", "1 250.5 JPY"],
		["10.5", "BHD", "10.500 BHD"],
		["0.0001", "EUR", "0.0001 EUR"],
		["10.100", "EUR", "10.100 EUR"],
		["7", "XYZ", "7.00 XYZ"],
		["7", undefined, "7.00"],
		["7.125", undefined, "7.125"],
		["lots", "EUR", "lots EUR"],
		["1".repeat(31), "EUR", `${"1".repeat(31)} EUR`],
	])("%s in %s is %s", (amount, currency, shown) => {
		expect(inCurrency(amount, currency)).toBe(shown);
	});
});
