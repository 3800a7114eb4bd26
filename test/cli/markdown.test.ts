/** Pages as plain text: the Markdown and what a terminal shows of it. */
import { expect, test } from "vitest";
import { plainText } from "../../src/cli/help/builtins.js";
import { makeStyle, noPaint as uncoloured } from "../../src/cli/output/style.js";

const noPaint = (columns: number, ...lines: string[]): string[] =>
	plainText(lines, makeStyle({ paint: uncoloured, columns, now: new Date(0) })).split("\n");

test.each<[string, string[], string[]]>([
	["a heading loses its mark", ["## Pay `now`", "Text."], ["Pay now", "", "Text."]],
	["lines of a paragraph are joined and folded", ["One two three", "four five six seven."], ["One two three four five six", "seven."]],
	["marks are lost, and code keeps its asterisks", ["**At *most* once**: `cases/*.yaml`."], ["At most once: cases/*.yaml."]],
	["a link says where it leads, one within the page does not", ["[this](#x), [that](../api/README.md)"], ["this, that (api/README.md)"]],
	["a quotation is a paragraph", ["> One", "> two."], ["One two."]],
	[
		"items are folded below their own beginning",
		["- one two three four five six", "  seven", "- eight"],
		["- one two three four five", "  six seven", "- eight"],
	],
	["numbered items keep their numbers", ["1. one", "2. two"], ["1. one", "2. two"]],
	["code stands as it is, blank lines and marks too", ["```sh", "# a  b", "", "| x | **y** |", "```"], ["  # a  b", "", "  | x | **y** |"]],
	["a table becomes columns", ["| Name | Value |", "|---|---|", "| `a` | one \\| two |"], ["Name  Value", "a     one | two"]],
	["comments are left out", ["<!-- reference: generated -->", "Text."], ["Text."]],
])("%s", (_, lines, shown) => {
	expect(noPaint(28, ...lines)).toEqual(shown);
});

test("prose is at most 80 columns wide, however wide the terminal is", () => {
	const [first = "", second] = noPaint(200, "word ".repeat(30).trim());
	expect([first.length, second]).toEqual([79, "word ".repeat(14).trim()]);
});
