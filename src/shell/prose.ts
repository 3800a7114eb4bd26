/**
 * Sentences for a terminal: broken between words, while a command to type and an address stay whole, so that they can be copied.
 */
import { widthOf } from "./width.js";

/** What stays together: a command in backquotes, one that stands free up to the end of its clause, any other word. */
const parts = /`[^`]*`\S*|\(?\bpurser (?:(?![.,;?](?: |$)| \(| and | or ).)+\S?|\S+/g;

/**
 * Breaks a sentence where it is wider than the terminal. A part that is wider still is left to the terminal, which copies it as one.
 * @param columns of the terminal; undefined where it is none, and nothing is broken
 * @param indent columns that stand before the first line, and blanks before the others
 */
export function prose(text: string, columns: number | undefined, indent: number): string {
	if (columns === undefined || indent + widthOf(text) <= columns) return text;
	const lines: string[] = [];
	let line = "";
	for (const part of text.match(parts) ?? []) {
		const joined = line === "" ? part : `${line} ${part}`;
		if (line !== "" && indent + widthOf(joined) > columns) {
			lines.push(line);
			line = part;
		} else line = joined;
	}
	return [...lines, line].join(`\n${" ".repeat(indent)}`);
}
