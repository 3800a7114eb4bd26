/**
 * Text measured and wrapped in columns of a terminal. Colour codes take no room and survive a wrap.
 * The libraries are the small ones that the prompts bring along: loading `string-width` takes a third of the time of an empty program.
 */
import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

/** Terminal columns of a text. */
export function widthOf(text: string): number {
	// Persian and Indic scripts have non-joiners, which the library takes for letters.
	return stringWidth(text.replaceAll("\u200c", ""));
}

/** Breaks a line that is wider than `width` between words, and within a word that is wider alone. */
export function wrapText(text: string, width: number): string {
	return widthOf(text) <= width ? text : wrapAnsi(text, width, { hard: true });
}

/** A command stays whole, so that it can be copied: one in backquotes, and one that stands free up to the end of its clause. */
const commands = /`[^`]*`|purser (?:(?![.,;?](?: |$)| \(| and | or ).)+/g;

/** Holds the words of a command together while a sentence is wrapped; of the private area, and in no text of ours. */
const glue = "\ue000";

/**
 * Breaks a sentence that is wider than the terminal between words. A word or a command that is wider alone stays whole: the terminal
 * wraps it, and copies it as one.
 * @param columns of the terminal; undefined where it is none, and nothing is broken
 * @param indent columns that stand before the first line, and blanks before the others
 */
export function wrapSentence(text: string, columns: number | undefined, indent: number): string {
	if (columns === undefined || indent + widthOf(text) <= columns) return text;
	const glued = text.replace(commands, (command) => command.replaceAll(" ", glue));
	return wrapAnsi(glued, columns - indent)
		.replaceAll(glue, " ")
		.replaceAll("\n", `\n${" ".repeat(indent)}`);
}

/** Most columns of a label before a value. */
const widestLabel = 30;

/** A label, coloured or not, with the blanks up to its value; it ends before a colour of the value's own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const labelled = /^ *\S+(?: \S+)*(?: +\u001b\[(?:0|22|39)m)? {2,}/;

/** How an item of a list begins: its further lines are indented, to tell them from the next item. */
const item = /^(?: {0,2}- | {2}(?! ))/;

/**
 * Wraps each line as {@link wrapSentence} does. Further lines are aligned with the value where the line has a label, indented where it is
 * the item of a list, and else aligned with its beginning.
 */
export function wrapLines(text: string, columns: number | undefined): string {
	if (columns === undefined) return text;
	return text
		.split("\n")
		.map((line) => wrapLine(line, columns))
		.join("\n");
}

function wrapLine(line: string, columns: number): string {
	// What was typed in a shell is shown as it was typed.
	if (widthOf(line) <= columns || line.startsWith("$ ")) return line;
	const label = labelled.exec(line)?.[0];
	if (label !== undefined && widthOf(label) <= widestLabel) return label + wrapSentence(line.slice(label.length), columns, widthOf(label));
	const blank = /^ */.exec(line)?.[0] ?? "";
	return blank + wrapSentence(line.slice(blank.length), columns, blank.length + (item.test(line) ? 2 : 0));
}
