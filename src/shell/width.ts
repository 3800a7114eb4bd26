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
	if (/\p{M}/u.test(character)) return 0;
	return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
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
	return [...lines, line].join("\n");
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
