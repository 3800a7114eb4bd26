import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { difference, sameAmount } from "../../src/payments/rules/decimal.js";

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

it("calls amounts the same whatever their zeros", () => {
	expect(sameAmount("10.1", "10.10")).toBe(true);
	expect(sameAmount("10", "10.00")).toBe(true);
	expect(sameAmount("10.1", "10.11")).toBe(false);
	expect(sameAmount("ten", "ten")).toBe(false);
});
