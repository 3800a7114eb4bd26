import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isToken, makeToken, tokenIn, withoutToken, withToken } from "../../src/payments/rules/token.js";

const alphabet = "023456789BCDFGHJKLMNPQRSTVWXZ";
const fractions = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 9, maxLength: 9 });

function tokenOf(values: readonly number[]): string {
	const left = [...values];
	return makeToken(() => left.shift() as number);
}

describe("the token", () => {
	test("is ten characters, upper case, without vowels, and known as one", () => {
		fc.assert(
			fc.property(fractions, (values) => {
				const token = tokenOf(values);
				expect(token).toMatch(/^[0-9B-DF-HJ-NP-TV-Z]{10}$/);
				expect(isToken(token)).toBe(true);
			}),
		);
	});

	test("one wrong character is seen, whichever it is", () => {
		fc.assert(
			fc.property(fractions, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 28 }), (values, place, step) => {
				const token = tokenOf(values);
				const other = alphabet[(alphabet.indexOf(token[place] as string) + step) % 29];
				expect(isToken(token.slice(0, place) + other + token.slice(place + 1))).toBe(false);
			}),
		);
	});

	test("two swapped characters are seen", () => {
		fc.assert(
			fc.property(fractions, fc.integer({ min: 0, max: 8 }), (values, place) => {
				const token = tokenOf(values);
				const [one, other] = [token[place], token[place + 1]];
				fc.pre(one !== other);
				expect(isToken(`${token.slice(0, place)}${other}${one}${token.slice(place + 2)}`)).toBe(false);
			}),
		);
	});

	test("fits into the 18 characters of a reference that leaves room", () => {
		expect(withToken("Inv 204", "BCDFGHJKL2")).toBe("Inv 204 BCDFGHJKL2");
		expect(withToken("Inv 2041", "BCDFGHJKL2")).toBeUndefined();
		expect(withToken(undefined, "BCDFGHJKL2")).toBe("BCDFGHJKL2");
	});

	test("is found at the end of a reference, as a word of its own, and taken off it", () => {
		expect(["Tk DZV00L5BS0", "DZV00L5BS0", "Inv 3 P45G867Z63"].map(tokenIn)).toEqual(["DZV00L5BS0", "DZV00L5BS0", "P45G867Z63"]);
		expect(["Tk DZV00L5BS0", "DZV00L5BS0", "Inv 204"].map(withoutToken)).toEqual(["Tk", "", "Inv 204"]);
		for (const none of ["TkDZV00L5BS0", "DZV00L5BS0 Tk", "Tk DZV00L5BS2", "Tk", "", undefined]) expect(tokenIn(none)).toBeUndefined();
		// An invoice's number, although the last character would fit.
		expect([isToken("2040003053"), tokenIn("Inv 2040003053")]).toEqual([true, undefined]);
	});

	test("what is none is not taken for one", () => {
		for (const text of ["", "BCDFGHJKL", "bcdfghjkl2", "AEIOUAEIOU", "BCDFGHJKL22", "Invoice 20"]) expect(isToken(text)).toBe(false);
	});
});
