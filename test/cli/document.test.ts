import { describe, expect, test } from "vitest";
import { Decimal } from "../../src/api/json.js";
import { parseInput, readDocument } from "../../src/cli/input/document.js";
import { PurserError } from "../../src/errors.js";
import type { Files } from "../../src/ports/machine.js";
import { processorSeconds } from "../support/time.js";

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

	test("a file of brackets is refused at once", async () => {
		const took = await processorSeconds(() =>
			expect(() => read("[ {".repeat(500_000))).toThrowError(
				expect.objectContaining({ failure: expect.objectContaining({ why: "It nests more than 100 levels" }) }),
			),
		);
		expect(took).toBeLessThan(3);
		expect(read("[".repeat(50) + "]".repeat(50))).toHaveLength(1);
	});

	test("a decimal comma between braces is no name without a value", () => {
		expect(() => read("ownership:\n  - {owned: corporate, percentage: 60,5}\n")).toThrowError(
			expect.objectContaining({
				failure: expect.objectContaining({
					message: "file.yaml is neither JSON nor YAML",
					why: '"5" has no value at line 2; write decimals with a point, like 60.5',
				}),
			}),
		);
		// One that is left empty is seen to be.
		expect(read("{owned: corporate, percentage: }")).toEqual({ owned: "corporate", percentage: null });
	});

	test.each([["of another encoding", "M\xfcller", "file.yaml is not UTF-8 text", "Save it as UTF-8 and run this again."]])(
		"a file %s is reported",
		(_, text, message, fix) => {
			const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
			expect(() => parseInput(bytes, "file.yaml")).toThrowError(
				expect.objectContaining({ failure: expect.objectContaining({ message, fix }) }),
			);
		},
	);

	test.each([
		["a folder", Object.assign(new Error("EISDIR: x"), { code: "EISDIR" }), "It is a folder, not a file"],
		["away", Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }), "The disk did not work"],
	])("%s is reported in words", async (_, cause, why) => {
		const files = { read: () => Promise.reject(cause) } as unknown as Files;
		await expect(readDocument("cases", files, undefined as never)).rejects.toMatchObject({
			failure: { message: "Cannot read cases", why, fix: "Check the path; - stands for standard input." },
		});
	});
});
