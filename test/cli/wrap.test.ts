import { describe, expect, it } from "vitest";
import { wrapLines, wrapSentence } from "../../src/cli/output/wrap.js";

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
			"in colour too",
			"Do it: \u001b[36mpurser onboard apply a.yaml\u001b[39m",
			12,
			2,
			"Do it:\n  \u001b[36mpurser onboard apply a.yaml\u001b[39m",
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
		expect(wrapSentence(text, columns, indent)).toBe(expected);
	});

	it("lines hang below their own beginning, and what stands in line stays so", () => {
		expect(wrapLines("a  b\n  Name    Example Trading SAS of Paris\n", 26)).toBe(
			"a  b\n  Name    Example Trading\n          SAS of Paris\n",
		);
	});

	it("items of a list stay apart, and a paragraph further in stays in line", () => {
		expect(wrapLines("  created corporate Example Trading SAS  1\n  created another", 30)).toBe(
			"  created corporate Example\n    Trading SAS  1\n  created another",
		);
		expect(wrapLines("  - KYC of Ada Example is missing\n- that of Grace is", 20)).toBe(
			"  - KYC of Ada\n    Example is\n    missing\n- that of Grace is",
		);
		expect(wrapLines("      one two three four", 16)).toBe("      one two\n      three four");
	});

	it("below its value too where a label is coloured with the blanks behind it", () => {
		expect(wrapLines("  \u001b[2mTo      \u001b[22m  Example Trading SAS of Paris", 30)).toBe(
			"  \u001b[2mTo      \u001b[22m  Example Trading\n            SAS of Paris",
		);
	});

	it("and where the blanks before the label are coloured with it", () => {
		expect(wrapLines("\u001b[2m  To be\u001b[22m  not created from tomorrow on", 26)).toBe(
			"\u001b[2m  To be\u001b[22m  not created from\n         tomorrow on",
		);
	});

	it("where there is no terminal nothing is broken", () => {
		expect(wrapSentence("one two three four", undefined, 7)).toBe("one two three four");
	});
});

it("a line that a shell was told stays whole, with what shows where it begins", () => {
	const line = "$ printf %s secret | purser auth login --base-url http://127.0.0.1:4010 --password-stdin";
	expect(wrapLines(`# Log in\n${line}`, 40)).toBe(`# Log in\n${line}`);
});
