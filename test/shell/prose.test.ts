import { describe, expect, it } from "vitest";
import { prose } from "../../src/shell/prose.js";

describe("a sentence on a terminal", () => {
	it.each([
		["what fits stays", "two words", 20, 7, "two words"],
		["between words, indented", "one two three four", 16, 7, "one two\n       three\n       four"],
		[
			"a command in backquotes stays whole",
			"Go on with `purser onboard resume`, or stop",
			32,
			8,
			"Go on with\n        `purser onboard resume`,\n        or stop",
		],
		[
			"a command that stands free stays whole to the end of its clause",
			"Throw it away: purser onboard start --discard. Or leave it",
			34,
			2,
			"Throw it away:\n  purser onboard start --discard.\n  Or leave it",
		],
		[
			"in brackets too",
			"Write a case (purser onboard plan --print-template)",
			40,
			2,
			"Write a case\n  (purser onboard plan --print-template)",
		],
		[
			"and before what stands in brackets",
			"have it elsewhere: purser api list (all of them)",
			30,
			2,
			"have it elsewhere:\n  purser api list (all of\n  them)",
		],
		[
			"what is wider than the terminal is left to it",
			"in /a/very/long/path/to/a/file now",
			12,
			2,
			"in\n  /a/very/long/path/to/a/file\n  now",
		],
	])("%s", (_, text, columns, indent, expected) => {
		expect(prose(text, columns, indent)).toBe(expected);
	});

	it("where there is no terminal nothing is broken", () => {
		expect(prose("one two three four", undefined, 7)).toBe("one two three four");
	});
});
