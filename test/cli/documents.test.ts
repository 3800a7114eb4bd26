/**
 * What an input document costs at most; the seconds are of the processor. One text of each kind is of the largest size that is read, and took
 * from ten seconds to minutes, or all memory, before there were bounds; where the bound is a count the text is as long as it has to be.
 */
import { describe, expect, test } from "vitest";
import { Decimal } from "../../src/api/json.js";
import { parseInput, readDocument } from "../../src/cli/input/document.js";
import { processorSeconds } from "../support/time.js";

const megabyte = 1024 * 1024;
/** Seconds; fifty times what the slowest takes on a quiet machine would still be far below what it took. */
const longest = 30;

const read = (text: string): unknown => parseInput(new TextEncoder().encode(text), "file.yaml");

async function refused(text: string): Promise<{ code?: string; why?: string; exit?: string }> {
	let found: { code?: string; why?: string } = {};
	const took = await processorSeconds(() => {
		try {
			read(text);
		} catch (error) {
			const { failure, kind } = error as { failure: { code: string; why?: string }; kind: string };
			found = { code: failure.code, why: failure.why, ...(kind === "usage" ? {} : { exit: kind }) };
		}
	});
	expect(took).toBeLessThan(longest);
	return found;
}

const full = (part: string): string => part.repeat(Math.floor(megabyte / part.length));
const nodes = "It has more than 100,000 values and keys, with what anchors repeat";
const levels = "It nests more than 100 levels";

const ten = (part: string): string => Array(10).fill(part).join(",");
const each = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join("\n");

describe("a document is refused before it costs much", () => {
	test.each([
		["items in a row", full("- "), levels],
		["brackets", "[".repeat(10_000), levels],
		["objects inside each other, in JSON", full('{"a":'), levels],
		["lists inside each other, in JSON", `${"[".repeat(101)}${"]".repeat(101)}`, levels],
		["commas", `[${full(",")}]`, nodes],
		["many keys", each(50_000, (at) => `k${at}: 1`), nodes],
		["many keys, in JSON", `{${each(50_000, (at) => `"k${at}":1,`)}"k":1}`, nodes],
		["an object that contains itself", "&a\nb: *a\n", levels],
		["ninety-five aliases of a long list", `a: &a [${"x,".repeat(9_999)}x]\n${each(95, (at) => `b${at}: *a`)}`, nodes],
		["aliases of aliases", `a0: &a0 [${"x,".repeat(9)}x]\n${each(30, (at) => `a${at + 1}: &a${at + 1} [${ten(`*a${at}`)}]`)}`, nodes],
		["a chain of anchors", each(200, (at) => `- &a${at} [${at === 0 ? "x" : `*a${at - 1}`}]`), levels],
	])("%s", async (_, text, why) => {
		expect(await refused(text)).toEqual({ code: "INPUT_TOO_LARGE", why });
	});

	test.each(["&a ", "%A\n", "]", "'", "|\n"])("%j over and over", async (part) => {
		await refused(full(part));
	});

	test.each([
		["many comments", "#\n".repeat(50_000), null],
		["one text of the largest size", full("a\n"), `${"a ".repeat(megabyte / 2 - 1)}a`],
	])("%s is read", async (_, text, value) => {
		expect(await processorSeconds(() => expect(read(text)).toBe(value))).toBeLessThan(longest);
	});
});

describe("a document within the bounds is read", () => {
	test("99,999 items and their list, and not one item more", async () => {
		const items = (count: number): string => `[${"1,".repeat(count - 1)}1]`;
		expect(read(items(99_999))).toHaveLength(99_999);
		expect(await refused(items(100_000))).toEqual({ code: "INPUT_TOO_LARGE", why: nodes });
	});

	test("anchors count for each place where they stand, up to the same bound", async () => {
		const list = (length: number): string => `[${Array(length).fill("x").join(",")}]`;
		/** An object, ninety-nine lists of a thousand, and one more, each with its key. */
		const text = (more: number): string => `a: &a ${list(1_000)}\n${each(98, (at) => `b${at}: *a`)}\nc: ${list(more)}`;
		expect(Object.values(read(text(799)) as Record<string, string[]>).flat()).toHaveLength(99_799);
		expect(await refused(text(800))).toEqual({ code: "INPUT_TOO_LARGE", why: nodes });
	});

	test("a hundred levels", () => {
		expect(JSON.stringify(read(`${"[".repeat(100)}${"]".repeat(100)}`))).toHaveLength(200);
		expect(JSON.stringify(read(`${"- ".repeat(99)}[]`))).toHaveLength(200);
	});

	test.each([
		["a name twice", "a: 1\nb: 2\na: 3\n", 'The key "a" appears twice at line 3, column 1'],
		["an alias without an anchor", "a: *b\n", "The alias *b has no anchor (&b) before it"],
		["an anchor twice", "- &a 1\n- &a 2\n", "The anchor &a appears twice"],
		["a key that is a list", "? [a]\n: 1\n", "A key must be a text at line 1, column 3"],
		["a broken line", "a: 1\nb: [1\n", "A line is not indented as it must be, or a bracket before it is not closed at line 3, column 1"],
	])("%s is told with its line", async (_, text, why) => {
		expect(await refused(text)).toEqual({ code: "INPUT_UNREADABLE", why });
	});
});

describe("an input document", () => {
	const number = (text: string) => new Decimal(text);
	test.each([
		["numbers keep their text", "a: 10.10\nb: 123456789012345678\n", { a: number("10.10"), b: number("123456789012345678") }],
		["in JSON too", '{"amount": 10.10}', { amount: number("10.10") }],
		["what JSON has no number for stays text", "postalCode: 01234\nhex: 0x10\n", { postalCode: "01234", hex: "0x10" }],
		["country codes and dates are text", "country: NO\ndate: 2024-02-29\nyes: true\n", { country: "NO", date: "2024-02-29", yes: true }],
		["a list of records", "- firstName: Ada\n- firstName: Grace\n", [{ firstName: "Ada" }, { firstName: "Grace" }]],
		// One that is left empty is seen to be.
		["an empty value", "{owned: corporate, percentage: }", { owned: "corporate", percentage: null }],
	])("%s", (_, text, value) => {
		expect(read(text)).toEqual(value);
	});

	test("a decimal comma between braces is no name without a value", async () => {
		const why = '"5" has no value at line 2, column 39; write decimals with a point, like 60.5';
		expect(await refused("ownership:\n  - {owned: corporate, percentage: 60,5}\n")).toEqual({ code: "INPUT_UNREADABLE", why });
	});

	test.each([
		["other bytes", [0x61, 0xff, 0xfe]],
		["another encoding", [...Buffer.from("M\xfcller", "latin1")]],
	])("a file of %s is reported", (_, bytes) => {
		const failure = expect.objectContaining({ message: "file.yaml is not UTF-8 text", fix: "Save it as UTF-8 and run this again." });
		expect(() => parseInput(Uint8Array.from(bytes), "file.yaml")).toThrowError(expect.objectContaining({ failure }));
	});

	const readFrom = (bytes: Promise<string>) =>
		readDocument("cases", { files: { read: async () => new TextEncoder().encode(await bytes) } } as never, undefined as never);
	const failing = (code: string) => Promise.reject(Object.assign(new Error(`${code}: x`), { code }));
	test.each([
		["a second document", () => Promise.resolve("a: 1\n---\nb: 2\n"), "It holds more than one document, but only one is read here"],
		["a folder", () => failing("EISDIR"), "It is a folder, not a file"],
		["away", () => failing("EIO"), "The disk did not work"],
	])("%s is reported in words", async (_, bytes, why) => {
		await expect(readFrom(bytes())).rejects.toMatchObject({ failure: { why } });
	});
});
