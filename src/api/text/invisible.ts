/**
 * Characters that nobody sees. They make a name look like another one, or turn what stands around it.
 */
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
