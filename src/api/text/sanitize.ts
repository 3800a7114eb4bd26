/**
 * The one gate for text from outside: nothing that reaches a terminal, now or from a document that purser wrote, may move its cursor, set
 * its colours or turn its reading direction. Control characters become visible instead of being dropped, so that nobody is deceived by their absence.
 */

// C0, DEL, C1; the bidirectional controls and isolates; line and paragraph separators; invisible characters: soft hyphen, fillers,
// invisible joiners, deprecated format characters; the tag block.
const harmful =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function visible(character: string): string {
	const code = character.codePointAt(0) as number;
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	if (code === 0x7f) return "\u2421";
	return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** One line of text, safe to show. */
export function sanitizeLine(text: string): string {
	return text.replace(harmful, visible);
}

/** Text whose line breaks and tabs are meant, everything else made safe. */
export function sanitizeText(text: string): string {
	return text.replace(harmful, (character) => (character === "\n" || character === "\t" ? character : visible(character)));
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** JSON text in which every character that a terminal could act on is escaped; the document's meaning is unchanged. */
export function sanitizeJson(text: string): string {
	return text.replace(harmful, (character) =>
		character === "\n" ? character : Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(""),
	);
}

/** A text as a double-quoted scalar of YAML, escaped likewise. */
export function yamlQuoted(text: string): string {
	return JSON.stringify(text).replace(harmful, (character) => {
		const code = character.codePointAt(0) as number;
		return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
	});
}

/** `U+0410` */
export function codePoint(character: string): string {
	return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A character with its code point, and the code point alone where nobody would see it. */
export function shownCharacter(character: string): string {
	return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${codePoint(character)})` : codePoint(character);
}

/** Between letters, these two decide how Persian and Indian scripts join them. */
const joiners = new Set(["\u200c", "\u200d"]);

/**
 * What is wrong with the invisible characters of a name, or undefined. Those that only choose between drawings of one letter (variation
 * selectors) belong to Chinese, Japanese and Mongolian names.
 */
export function invisibleFault(text: string): string | undefined {
	const characters = [...text];
	for (const [at, character] of characters.entries()) {
		if (/\p{Bidi_Control}/u.test(character))
			return `has ${codePoint(character)}, which changes the direction of the text around it; type the name again without it`;
		if (!/\p{Default_Ignorable_Code_Point}/u.test(character) || /\p{Variation_Selector}/u.test(character)) continue;
		const isBetweenLetters = /[\p{L}\p{M}]/u.test(characters[at - 1] ?? "") && /\p{L}/u.test(characters[at + 1] ?? "");
		if (joiners.has(character) && isBetweenLetters) continue;
		return `has ${codePoint(character)}, which nobody can see; type it again without it`;
	}
	return undefined;
}
