/** What is read as JSON, against the engine's own parser and against the texts of RFC 8259. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decimal, formatJson, parseJson } from "../../src/api/json.js";
import { seedOfRun } from "../support/seed.js";

/** The same value with plain numbers, as `JSON.parse` gives it. */
function plain(value: unknown): unknown {
	if (value instanceof Decimal) return Number(value.text);
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== "object" || value === null) return value;
	// Not Object.fromEntries: a member named __proto__ has to stay one.
	const copy = {};
	for (const [key, part] of Object.entries(value)) Object.defineProperty(copy, key, { value: plain(part), enumerable: true });
	return copy;
}

const outcome = (read: () => unknown): string => {
	try {
		return JSON.stringify(read());
	} catch (error) {
		return (error as Error).name;
	}
};

describe("what is JSON", () => {
	test.each<[string, unknown]>([
		[" \t\n\r{ } ", {}],
		["[]", []],
		['{"a":[1,{"b":null}],"c":true,"d":false}', { a: [new Decimal("1"), { b: null }], c: true, d: false }],
		['"\\u00e9\\ud83d\\ude00\\"\\\\\\/\\b\\f\\n\\r\\t"', 'é😀"\\/\b\f\n\r\t'],
		['"a text of more than a dozen characters, as it stands"', "a text of more than a dozen characters, as it stands"],
		["10.10", new Decimal("10.10")],
		["123456789012345678901234567890.10", new Decimal("123456789012345678901234567890.10")],
		['{"a":1,"a":1}', { a: new Decimal("1") }],
		['{"a":{"x":1,"y":[2]},"a":{"y":[2],"x":1}}', { a: { x: new Decimal("1"), y: [new Decimal("2")] } }],
	])("%s", (text, expected) => {
		expect(parseJson(text)).toEqual(expected);
	});

	test("a member named __proto__ is a member", () => {
		const read = parseJson('{"__proto__":{"a":"b"}}') as object;
		expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
		expect(Object.entries(read)).toEqual([["__proto__", { a: "b" }]]);
	});

	test("a number keeps its literal there and back", () => {
		const text = '{"a":10.10,"b":[1e2,-0.0,123456789012345678901234567890]}';
		expect(formatJson(parseJson(text))).toBe(text);
	});
});

describe("what is none", () => {
	test.each([
		..."[ ] { } , : \" tru nul - + . 01 1. .5 1e 1e+ -.5 --1 +1 1-2 NaN Infinity -Infinity 0x10 '' \u00a0".split(" "),
		"",
		" ",
		"[1,]",
		"[,1]",
		'{,"a":1}',
		'{"a"}',
		"{1:1}",
		"[1]]",
		"truefalse",
		'"\\',
		'"\u0000"',
		"// a\n1",
		"\ufeff1",
	])("%j", (text) => {
		expect(() => parseJson(text)).toThrow(SyntaxError);
		expect(() => JSON.parse(text)).toThrow(SyntaxError);
	});

	test.each(['{"a":1,"a":2}', '{"a":1,"a":1.0}', '{"a":"1","a":1}', '{"__proto__":1,"__proto__":2}'])(
		"%s: a key appears twice with different values",
		(text) => {
			expect(() => parseJson(text)).toThrow(/^a key appears twice/);
		},
	);
});

test("reads what JSON.parse reads, and refuses what it refuses", () => {
	const seed = seedOfRun("what is JSON");
	// Pieces of JSON, put together by chance: most are none, many almost.
	const piece = fc.constantFrom(
		...'{ } [ ] , : true false null 0 -1 10.10 1e5 1. - "a" "b" "\\u0041" "\\q" " " .5 01 "a longer text, \\n and more"'.split(" "),
		" ",
		"\n",
	);
	const pieces = fc.array(piece, { maxLength: 12 }).map((all) => all.join(""));
	const whole = fc.json().chain((text) => fc.constantFrom(text, ` ${text}\n`, text.slice(0, -1), text.slice(1)));
	fc.assert(
		fc.property(fc.oneof(pieces, whole), (text) => {
			// That a key appears twice is nothing to JSON.parse.
			fc.pre(!hasTwice(text));
			expect(outcome(() => plain(parseJson(text)))).toBe(outcome(() => JSON.parse(text)));
		}),
		{ numRuns: 5_000, seed },
	);
});

/** Whether it is refused for a key that appears twice. */
function hasTwice(text: string): boolean {
	try {
		parseJson(text);
		return false;
	} catch (error) {
		return (error as Error).message.startsWith("a key appears twice");
	}
}

describe("bounds", () => {
	test.each<[string, string, string, object]>([
		["levels", "[[1]]", "[[[1]]]", { levels: 2 }],
		["values", "[1,[2]]", "[1,[2,3]]", { values: 4 }],
		["members", '{"a":1,"b":{"c":1,"d":2}}', '{"a":1,"b":{"c":1,"d":2,"e":3}}', { members: 2 }],
		["characters of a number", "[123.5]", "[123.45]", { digits: 5 }],
	])("%s", (_, within, beyond, bounds) => {
		expect(() => parseJson(within, bounds)).not.toThrow();
		expect(() => parseJson(beyond, bounds)).toThrow(SyntaxError);
		expect(() => parseJson(beyond)).not.toThrow();
	});
});
