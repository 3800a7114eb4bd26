import { describe, expect, test } from "vitest";
import { Decimal } from "../../src/api/json.js";
import { PurserError } from "../../src/errors.js";
import { parseInput } from "../../src/shell/document.js";

const read = (text: string): unknown => parseInput(new TextEncoder().encode(text), "file.yaml");

describe("an input document", () => {
	test("numbers keep the text they were written in", () => {
		expect(read("amount: 10.10\nbig: 123456789012345678\n")).toEqual({
			amount: new Decimal("10.10"),
			big: new Decimal("123456789012345678"),
		});
		expect(read('{"amount": 10.10}')).toEqual({ amount: new Decimal("10.10") });
	});

	test("what JSON has no number for stays text", () => {
		expect(read("postalCode: 01234\nhex: 0x10\n")).toEqual({ postalCode: "01234", hex: "0x10" });
	});

	test("country codes and dates are text", () => {
		expect(read("country: NO\ndate: 2024-02-29\nyes: true\n")).toEqual({ country: "NO", date: "2024-02-29", yes: true });
	});

	test("a list of records", () => {
		expect(read("- firstName: Ada\n- firstName: Grace\n")).toEqual([{ firstName: "Ada" }, { firstName: "Grace" }]);
	});

	test("anchors are followed", () => {
		expect(read("a: &x {city: Paris}\nb: *x\n")).toEqual({ a: { city: "Paris" }, b: { city: "Paris" } });
	});

	test.each([
		["twice the same key", "a: 1\na: 2\n"],
		["not UTF-8", "\u0000"],
		[
			"an alias bomb",
			`a: &a [x,x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
				.split("")
				.map((key, at) => `${key}: &${key} [${Array(10).fill(`*${"abcdefg"[at]}`).join(",")}]`)
				.join("\n")}`,
		],
		["a broken flow", "{a: [1, 2"],
	])("%s is refused", (name, text) => {
		const bytes = name === "not UTF-8" ? new Uint8Array([0x61, 0xff, 0xfe]) : new TextEncoder().encode(text);
		expect(() => parseInput(bytes, "file.yaml")).toThrowError(PurserError);
	});
});
