/** `U+0410` */
export function codePoint(character: string): string {
	return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A character with its code point, and the code point alone where nobody would see it. */
export function shownCharacter(character: string): string {
	return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${codePoint(character)})` : codePoint(character);
}
