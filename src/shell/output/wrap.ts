/**
 * Sentences for a terminal: broken between words, while a command to type and an address stay whole, so that they can be copied.
 */
import { widthOf } from "./width.js";

/** What stays together: a command in backquotes, one that stands free up to the end of its clause, any other word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const parts = /(?:\u001b\[[0-9;]*m)*(?:`[^`]*`\S*|\(?purser (?:(?![.,;?](?: |$)| \(| and | or ).)+\S?|\S+)/g;

/**
 * Breaks a sentence where it is wider than the terminal. A part that is wider still is left to the terminal, which copies it as one.
 * @param columns of the terminal; undefined where it is none, and nothing is broken
 * @param indent columns that stand before the first line, and blanks before the others
 */
export function wrapSentence(text: string, columns: number | undefined, indent: number): string {
	if (columns === undefined || indent + widthOf(text) <= columns) return text;
	const lines: string[] = [];
	let line = "";
	let end = 0;
	for (const { 0: part, index } of text.matchAll(parts)) {
		const joined = `${line}${text.slice(end, index)}${part}`;
		end = index + part.length;
		if (line.trim() !== "" && indent + widthOf(joined) > columns) {
			lines.push(line);
			line = part;
		} else line = joined;
	}
	return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

/** Most columns of a label before a value. */
const widestLabel = 30;

/** A label, coloured or not, with the blanks up to its value; it ends before a colour of the value's own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const labelled = /^ *\S+(?: \S+)*(?: +\u001b\[(?:0|22|39)m)? {2,}/;

/** What a list's item begins with: its lines are told from the next item by standing further in. */
const item = /^(?: {0,2}- | {2}(?! ))/;

/**
 * Lines of text, each broken as {@link wrapSentence} does: below its value where a label stands before it, further in than its beginning
 * where it is the item of a list, else below its own beginning.
 */
export function wrapLines(text: string, columns: number | undefined): string {
	if (columns === undefined) return text;
	const hanging = (line: string): string => {
		// What a shell was told is copied as it stands.
		if (widthOf(line) <= columns || line.startsWith("$ ")) return line;
		const label = labelled.exec(line)?.[0];
		if (label !== undefined && widthOf(label) <= widestLabel)
			return label + wrapSentence(line.slice(label.length), columns, widthOf(label));
		const blank = /^ */.exec(line)?.[0] ?? "";
		const [first = "", ...more] = wrapSentence(line.slice(blank.length), columns, blank.length + (item.test(line) ? 2 : 0)).split("\n");
		return [blank + first, ...more].join("\n");
	};
	return text.split("\n").map(hanging).join("\n");
}
