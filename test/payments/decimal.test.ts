import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareAmounts, difference } from "../../src/payments/rules/decimal.js";

it.each<[string, string, number]>([
	["9", "10", -1],
	["10", "9.999", 1],
	["0.5", "0.45", 1],
	["0.4", "0.45", -1],
	["10.10", "10.1", 0],
	["0010", "10.000", 0],
	["0.0000001", "0.00000011", -1],
	["123456789012345678901234567890", "123456789012345678901234567889.999999999999999999999999999999", 1],
])("the amount %s is to %s as %i", (one, other, sign) => {
	expect([Math.sign(compareAmounts(one, other)), Math.sign(compareAmounts(other, one))]).toEqual([sign, sign === 0 ? 0 : -sign]);
});

describe("difference", () => {
	it.each([
		["100.5", "10.10", "90.40"],
		["10", "10.000", "0.000"],
		["0.1", "0.3", "-0.2"],
		["-5", "1", "-6"],
		["999999999999999999999.99", "0.01", "999999999999999999999.98"],
		["1e3", "1", undefined],
		["", "1", undefined],
	])("%s less %s is %s", (from, less, rest) => {
		expect(difference(from, less)).toBe(rest);
	});

	it("is exact for any two amounts of cents", () => {
		const cents = (value: number): string => `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, "0")}`;
		fc.assert(
			fc.property(fc.nat(1e9), fc.nat(1e9), (one, other) => {
				const [more, less] = one > other ? [one, other] : [other, one];
				expect(difference(cents(more), cents(less))).toBe(cents(more - less));
			}),
		);
	});
});
