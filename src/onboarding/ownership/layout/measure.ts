/**
 * Room that a text takes in a picture. Nobody knows the font that will show it, so widths are those of a wide one: a text may leave room,
 * and does not leave its box.
 */

/** Widths of characters in a font of size 1; the first that fits counts. */
const widths: readonly (readonly [characters: RegExp, width: number])[] = [
	[/\p{M}|\u200c|\u200d/u, 0],
	[/[ijl]/, 0.29],
	[/[ .,'|I]/, 0.33],
	[/[ftr:;!()[\]{}-]/, 0.42],
	[/["/\\`]/, 0.47],
	[/[cksvxyzJ]/, 0.6],
	[/[a-ln-vx-z0-9]/, 0.65],
	[/[EFLPSTYZ]/, 0.66],
	[/[ABCKRVX]/, 0.71],
	[/[A-LN-VX-Z]/, 0.8],
	[/[mwMW%@\u2026\u2014]/, 1],
	[/[!-~]/, 0.84],
	[/[\u00c0-\u024f\u0370-\u03ff]/, 0.8],
	[/\p{Emoji_Presentation}/u, 1.4],
	[/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u, 1.3],
];

/** Pixels that a text takes at most, in a font of this size. */
export function widthOf(text: string, size: number, bold = false): number {
	let width = 0;
	for (const character of text) width += widths.find(([characters]) => characters.test(character))?.[1] ?? 1;
	return width * size * (bold ? 1.13 : 1);
}

/** What a person perceives as one character is not cut apart: a letter with its marks, an emoji of several. */
const segments = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Longest text that is looked at; more never fits. */
const mostCharacters = 400;

// What nobody sees, or what turns the text around it. What joins letters and emoji, or chooses between their drawings, stays.
const unseen =
	/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\ufff9-\ufffb\ufffe\uffff]|(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** One line: blanks and line ends are one blank, and what nobody sees is seen. Longer texts are cut in the middle. */
export function oneLine(text: string, most = mostCharacters): string {
	const half = most >> 1;
	const seen = text.length > most + 1 ? `${text.slice(0, half)}\u2026${text.slice(text.length - half)}` : text;
	return seen.replace(/\s+/g, " ").trim().replace(unseen, "\ufffd");
}

/** The parts of a line that are not cut. */
const partsOf = (text: string): string[] => Array.from(segments.segment(oneLine(text)), ({ segment }) => segment);

/** The text where it fits in, else its start and its end with "…" between them. */
export function shortened(text: string, room: number, size: number, bold = false): string {
	const parts = partsOf(text);
	const fits = (line: string): boolean => widthOf(line, size, bold) <= room;
	if (fits(parts.join(""))) return parts.join("");
	const cut = (kept: number): string => {
		const end = Math.floor(kept * 0.4);
		return `${parts
			.slice(0, kept - end)
			.join("")
			.trimEnd()}\u2026${parts
			.slice(parts.length - end)
			.join("")
			.trimStart()}`;
	};
	let [few, many] = [0, parts.length];
	while (few + 1 < many) {
		const middle = (few + many) >> 1;
		if (fits(cut(middle))) few = middle;
		else many = middle;
	}
	return few === 0 ? "\u2026" : cut(few);
}

/** A text in one line or in two, broken between words where that is possible; the second is shortened where it is too long. */
export function inTwoLines(text: string, room: number, size: number, bold = false): string[] {
	const parts = partsOf(text);
	const fits = (end: number): boolean => widthOf(parts.slice(0, end).join(""), size, bold) <= room;
	if (fits(parts.length)) return [parts.join("")];
	let end = 0;
	while (end < parts.length && fits(end + 1)) end++;
	// After a hyphen, before a blank.
	const breaks = [...Array(end + 1).keys()].filter((at) => parts[at] === " " || parts[at - 1] === "-");
	const last = breaks.at(-1) ?? 0;
	const split = last > end / 3 ? last : Math.max(1, end);
	const rest = parts.slice(split).join("");
	return [shortened(parts.slice(0, split).join(""), room, size, bold), shortened(rest, room, size, bold)];
}

/** Short words joined by commas, in as many lines as they need. */
export function inLines(words: readonly string[], room: number, size: number): string[] {
	const lines: string[] = [];
	for (const word of words) {
		const joined = `${lines.at(-1)}, ${word}`;
		if (lines.length > 0 && widthOf(joined, size) <= room) lines[lines.length - 1] = joined;
		else lines.push(shortened(word, room, size));
	}
	return lines;
}
