/**
 * What libraries say of a schema, of YAML and of JSON does not reach a person: a code that has no words of ours has a sentence for all.
 */
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { check } from "../../src/api/check/check.js";
import { parseJson } from "../../src/api/json.js";
import { troubleWords } from "../../src/api/text/trouble.js";
import { parseYaml } from "../../src/cli/input/yaml.js";
import { PurserError } from "../../src/errors.js";

const some = (length: number) => Array.from({ length }, () => "x");
const b = z.string().check(z.regex(/^b$/));
test.each<[string, z.ZodMiniType, unknown, string]>([
	["too_big of a list", z.array(z.string()).check(z.maxLength(500)), some(501), "must have at most 500 entries"],
	["too_small of a list", z.array(z.string()).check(z.minLength(2)), some(1), "must have at least 2 entries"],
	["too_big of a text", z.string().check(z.maxLength(2)), "abc", "must have at most 2 characters"],
	["too_big of a number", z.number().check(z.lte(2)), 3, "must be at most 2"],
	["invalid_type", z.array(z.string()), "x", "must be a list, not text"],
	["invalid_format", b, "x", "is not written in the form that it must have"],
	["invalid_union", z.union([z.boolean(), z.array(z.string())]), "x", "has none of the forms that it may have"],
	["invalid_value", z.enum(["b", "c"]), "x", "must be one of b, c"],
	["custom", z.string().check(z.refine(() => false)), "x", "is not valid"],
	["invalid_key", z.record(b, z.string()), { c: "d" }, "has a name that is not allowed"],
])("a schema's code: %s", (_, schema, a, message) => {
	expect(check(z.strictObject({ a: schema }), { a }).faults).toEqual([expect.objectContaining({ message })]);
});

test.each([
	["%BOGUS\n---\n*x\n", "the alias *x has no anchor"],
	["a: @b\n", "something stands here that does not fit at line 1, column 4"],
	["a:\n  b: 1\n c: 2\n", "a line is not indented as it must be, or a bracket before it is not closed at line 3, column 1"],
	["a: b: c\n", "two keys stand on one line, or a text with a colon needs quotes"],
	["a: 'b\n", "a character is missing"],
	["a:\n\tb: 1\n", "a line is indented by a tab; use spaces"],
])("YAML's code at %j", (text, message) => {
	expect(() => parseYaml(text)).toThrow(message);
	expect(() => parseYaml("a: !!int b\n")).not.toThrow();
});

test.each([
	['{"a":1 "b":2}', "something does not fit at line 1, column 8"],
	['["a', "something does not fit at its end"],
	['{"a":1,"a":2}', "a key appears twice with different values at line 1, column 9"],
])("JSON's fault in %j", (text, message) => {
	expect(() => parseJson(text)).toThrow(expect.objectContaining({ message }));
});

test.each([
	["ENOENT", "There is no such file or folder"],
	["EACCES", "You have no permission to use it"],
	["ENOSPC", "The disk is full"],
	["EISDIR", "It is a folder, not a file"],
	["ERR_ENCODING_INVALID_ENCODED_DATA", "It is not text in UTF-8"],
	["EWEIRD", "The system said EWEIRD"],
])("the system's code %s", (code, words) => {
	expect(troubleWords(Object.assign(new Error("ELIB: library words, open '/x'"), { code }))).toBe(words);
});

test.each([
	[new TypeError("Cannot read properties of undefined"), undefined],
	[new RangeError("Invalid string length"), undefined],
	[new RangeError("It has 9 bytes, and at most 5 are read"), "It has 9 bytes, and at most 5 are read"],
	[new PurserError("usage", { code: "X", message: "ours", fix: "" }), "ours"],
])("another error: %s", (error, words) => {
	expect(troubleWords(error)).toBe(words);
});
