import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isToken, makeToken, withoutToken, withToken } from "../../src/payments/token.js";

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
		expect(withoutToken("Inv 204 BCDFGHJKL2", "BCDFGHJKL2")).toBe("Inv 204");
		expect(withoutToken("BCDFGHJKL2", "BCDFGHJKL2")).toBe("");
		expect(withoutToken("Inv 204", "BCDFGHJKL2")).toBe("Inv 204");
	});

	test("what is none is not taken for one", () => {
		for (const text of ["", "BCDFGHJKL", "bcdfghjkl2", "AEIOUAEIOU", "BCDFGHJKL22", "Invoice 20"]) expect(isToken(text)).toBe(false);
	});
});
