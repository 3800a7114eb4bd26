/**
 * What libraries say of a schema, of YAML and of JSON does not reach a person: a code that has no words of ours has a sentence for all.
 */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { check } from "../../src/api/check/check.js";
import { parseJson } from "../../src/api/json.js";
import { troubleWords } from "../../src/api/text/trouble.js";
import { parseYaml } from "../../src/cli/input/yaml.js";
import { PurserError } from "../../src/errors.js";

const messageOf = (act: () => unknown): string => {
	try {
		act();
	} catch (error) {
		return (error as Error).message;
	}
	return "nothing was thrown";
};

describe("a schema's codes", () => {
	const entries = (count: number) => Array.from({ length: count }, () => "x");
	test.each([
		[
			"too_big of a list",
			z.strictObject({ a: z.array(z.string()).check(z.maxLength(500)) }),
			{ a: entries(501) },
			"has 501 entries; at most 500 are allowed",
		],
		[
			"too_small of a list",
			z.strictObject({ a: z.array(z.string()).check(z.minLength(2)) }),
			{ a: entries(1) },
			"has 1 entry; at least 2 are needed",
		],
		["too_big of a text", z.strictObject({ a: z.string().check(z.maxLength(2)) }), { a: "abc" }, "has 3 characters; at most 2 are allowed"],
		["too_big of a number", z.strictObject({ a: z.number().check(z.lte(2)) }), { a: 3 }, "must be at most 2"],
		["invalid_type", z.strictObject({ a: z.array(z.string()) }), { a: "x" }, "must be a list, not text"],
		["invalid_format", z.strictObject({ a: z.string().check(z.regex(/^b$/)) }), { a: "x" }, "is not written in the form that it must have"],
		[
			"invalid_union",
			z.strictObject({ a: z.union([z.boolean(), z.array(z.string())]) }),
			{ a: "x" },
			"has none of the forms that it may have",
		],
		["invalid_value", z.strictObject({ a: z.enum(["b", "c"]) }), { a: "x" }, "must be one of b, c"],
		["custom", z.strictObject({ a: z.string().check(z.refine(() => false)) }), { a: "x" }, "is not valid"],
		[
			"invalid_key",
			z.strictObject({ a: z.record(z.string().check(z.regex(/^b$/)), z.string()) }),
			{ a: { c: "d" } },
			"has a name that is not allowed",
		],
	])("%s", (_, schema, input, message) => {
		expect(check(schema, input).faults).toEqual([expect.objectContaining({ message })]);
	});
});

describe("YAML's codes", () => {
	test.each([
		["a: *\n", "an alias (*name) or an anchor"],
		["%BOGUS\n---\n*x\n", "the alias *x has no anchor"],
		['a: "\\q"\n', "a text in double quotes has a backslash before a character that it cannot stand before at line 1, column 5"],
		["a:\n  b: 1\n c: 2\n", "a line is not indented as it must be, or a bracket before it is not closed at line 3, column 1"],
		["a: @b\n", "a text begins with a character that needs quotes around it at line 1, column 4"],
		["a: b: c\n", "two keys stand on one line, or a text with a colon needs quotes"],
		["a: 'b\n", "a character is missing"],
		["a\nb: 1\n", "a key goes over several lines, or a colon is missing"],
		["a:\n\tb: 1\n", "a line is indented by a tab; use spaces"],
		["a: !!int b\n", "nothing was thrown"],
	])("%j", (text, message) => {
		expect(messageOf(() => parseYaml(text))).toContain(message);
	});
});

describe("JSON's faults", () => {
	test.each([
		['{"a":1 "b":2}', "a comma is missing at line 1, column 8"],
		['{"a" 1}', "a colon is missing after a key at line 1, column 6"],
		["", "a value is missing at its end"],
		['{"a":}', "a value is missing at line 1, column 6"],
		["[1] 2", "something stands after the end at line 1, column 5"],
		["[1.]", "a number is not complete at line 1, column 4"],
		['["a', "a text has no closing quote at its end"],
		["{a:1}", "a key in double quotes is missing at line 1, column 2"],
		['{"a":1,"a":2}', "a key appears twice with different values at line 1, column 9"],
		['["a\nb"]', "a text has a control character, which must be written as an escape at line 1, column 4"],
		['["\\q"]', "a text has a backslash before a character that it cannot stand before at line 1, column 3"],
		['["\\u12"]', "a text has \\u without four hexadecimal digits after it at line 1, column 3"],
	])("%j", (text, message) => {
		expect(messageOf(() => parseJson(text))).toBe(message);
	});
});

test("the system's codes and other errors", () => {
	const failed = (code: string) => troubleWords(Object.assign(new Error("ELIB: library words, open '/x'"), { code }));
	expect(failed("ENOENT")).toBe("There is no such file or folder");
	expect(failed("EACCES")).toBe("You have no permission to use it");
	expect(failed("ENOSPC")).toBe("The disk is full");
	expect(failed("EISDIR")).toBe("It is a folder, not a file");
	expect(failed("ERR_ENCODING_INVALID_ENCODED_DATA")).toBe("It is not text in UTF-8");
	expect(failed("EWEIRD")).toBe("The system said EWEIRD");
	expect(troubleWords(new TypeError("Cannot read properties of undefined"))).toBeUndefined();
	expect(troubleWords(new RangeError("Invalid string length"))).toBeUndefined();
	expect(troubleWords(new RangeError("It has 9 bytes, and at most 5 are read"))).toBe("It has 9 bytes, and at most 5 are read");
	expect(troubleWords(new PurserError("usage", { code: "X", message: "ours", fix: "" }))).toBe("ours");
});
