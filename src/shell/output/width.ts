/**
 * Text measured and wrapped in columns of a terminal. Colour codes take no room and survive a wrap.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const colour = /(\u001b\[[0-9;]*m)/;

/** Terminal columns of a text: colours take none, wide East Asian characters two, combining marks none. */
export function widthOf(text: string): number {
	let width = 0;
	for (const part of text.split(colour)) if (!colour.test(part)) for (const character of part) width += columnsOf(character);
	return width;
}

function columnsOf(character: string): number {
	// Marks, and what joins two signs or keeps them apart.
	if (/[\p{M}\u200c\u200d]/u.test(character)) return 0;
	// Of pictures those that are drawn in colour by themselves: "®" and "™" take one column.
	return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u.test(
		character,
	)
		? 2
		: 1;
}

/** Breaks a line between words where it is wider than `width`, and inside a word only where the word alone is wider. */
export function fold(text: string, width: number): string {
	if (widthOf(text) <= width) return text;
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(/ +/)) {
		const joined = line === "" ? word : `${line} ${word}`;
		if (widthOf(joined) <= width) {
			line = joined;
			continue;
		}
		if (widthOf(line) > 0) lines.push(line);
		const pieces = widthOf(word) <= width ? [word] : cut(word, width);
		lines.push(...pieces.slice(0, -1));
		line = pieces.at(-1) ?? "";
	}
	return eachColoured([...lines, line]).join("\n");
}

/** A colour that goes on over a line's end is ended there and begun anew on the next, or it would run into the column beside it. */
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

function cut(word: string, width: number): string[] {
	const pieces: string[] = [];
	let piece = "";
	let used = 0;
	for (const part of word.split(colour))
		for (const unit of colour.test(part) ? [part] : [...part]) {
			const columns = unit === part && colour.test(part) ? 0 : columnsOf(unit);
			if (used + columns > width && used > 0) {
				pieces.push(piece);
				piece = "";
				used = 0;
			}
			piece += unit;
			used += columns;
		}
	return [...pieces, piece];
}
