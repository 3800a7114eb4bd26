/**
 * Text measured and wrapped in columns of a terminal. Colour codes take no room and survive a wrap. This is our own because libraries are
 * loaded at every start, on Node 20: `string-width` takes 9 ms, and 38 more at the first character beyond ASCII; `fast-string-width` 3 ms.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const colour = /(\u001b\[[0-9;]*m)/;

/** Terminal columns of a text: wide East Asian characters take two, combining marks none. */
export function widthOf(text: string): number {
	if (/^[ -~]*$/.test(text)) return text.length;
	let width = 0;
	for (const part of text.split(colour)) if (!colour.test(part)) for (const character of part) width += columnsOf(character);
	return width;
}

function columnsOf(character: string): number {
	// Marks, and what joins two characters or keeps them apart.
	if (/[\p{M}\u200c\u200d]/u.test(character)) return 0;
	// Only emoji that are shown in colour by default are wide: "®" and "™" take one column.
	return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u.test(
		character,
	)
		? 2
		: 1;
}

/** Breaks a line that is wider than `width` between words, and within a word that is wider alone. */
export function wrapText(text: string, width: number): string {
	return widthOf(text) <= width ? text : eachColoured(brokenLines(text, width, true)).join("\n");
}

/** @param cuts whether a word that is wider alone is cut; else it stays whole */
function brokenLines(text: string, width: number, cuts: boolean): string[] {
	const lines: string[] = [];
	for (const word of text.split(" ")) {
		const joined = `${lines.at(-1)} ${word}`;
		if (lines.length > 0 && widthOf(joined) <= width) lines[lines.length - 1] = joined;
		else if (cuts && widthOf(word) > width) for (const piece of cut(word, width)) lines.push(piece);
		else lines.push(word);
	}
	return lines.map((line) => line.trimEnd());
}

function cut(word: string, width: number): string[] {
	const pieces = [""];
	let used = 0;
	for (const part of word.split(colour))
		for (const unit of colour.test(part) ? [part] : part) {
			const columns = widthOf(unit);
			if (used + columns > width && used > 0) {
				pieces.push("");
				used = 0;
			}
			pieces[pieces.length - 1] += unit;
			used += columns;
		}
	return pieces;
}

/** A colour that spans a line break ends before it and begins again after it, or it would colour the column beside it. */
function eachColoured(lines: readonly string[]): string[] {
	let open: string[] = [];
	return lines.map((line) => {
		const before = open.join("");
		for (const code of line.split(colour).filter((part) => colour.test(part)))
			open = endOf(code) === undefined ? open.slice(0, -1) : [...open, code];
		return `${before}${line}${open.map(endOf).reverse().join("")}`;
	});
}

/** What ends a colour or a weight; undefined for a code that is itself an end. */
function endOf(code: string): string | undefined {
	const kind = Number.parseInt(code.slice(2), 10);
	if (kind === 1 || kind === 2) return "\u001b[22m";
	return (kind >= 30 && kind <= 38) || (kind >= 90 && kind <= 97) ? "\u001b[39m" : undefined;
}

/** Commands stay whole, so that they can be copied: in backquotes, or without them up to the end of the clause. */
const commands = /`[^`]*`|purser (?:(?![.,;?](?: |$)| \(| and | or ).)+/g;

/** Replaces the blanks in a command while a sentence is wrapped. It is from the private area, so no text of the program contains it. */
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
	return brokenLines(glued, columns - indent, false)
		.join(`\n${" ".repeat(indent)}`)
		.replaceAll(glue, " ");
}

const maxLabelWidth = 30;

/** A label, coloured or not, with the blanks up to its value; it ends before a colour of the value's own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const labelled = /^ *(?:\u001b\[\d+m *)?\S+(?: \S+)*(?: +\u001b\[(?:0|22|39)m)? {2,}/;

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
	// A line of a shell is shown as it was typed.
	if (widthOf(line) <= columns || line.startsWith("$ ")) return line;
	const label = labelled.exec(line)?.[0];
	if (label !== undefined && widthOf(label) <= maxLabelWidth)
		return label + wrapSentence(line.slice(label.length), columns, widthOf(label));
	const blank = /^ */.exec(line)?.[0] ?? "";
	return blank + wrapSentence(line.slice(blank.length), columns, blank.length + (item.test(line) ? 2 : 0));
}
