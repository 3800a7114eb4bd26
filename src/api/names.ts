/**
 * The only comparison of names, so that every check finds the same duplicates and every look-up the same records.
 */

/**
 * The form of a name or an email that is compared: two are the same where these texts are equal. A missing one is the empty text.
 * - Composition does not count (NFC): `é` may be one character or two.
 * - Case does not count, with full folding: `STRASSE` is `straße`. The four letters i of Turkish are one, because `I` is the capital of `i` or of
 *   `ı` by language, and no record tells its language.
 * - Spaces at the ends do not count; several in a row, tabs and no-break spaces among them, count as one.
 * - All else is significant: accents, hyphens, apostrophes, the order of the names.
 */
export function nameKey(text: string | undefined): string {
	const folded = (text ?? "").normalize("NFC").toLowerCase().toUpperCase().toLowerCase();
	return folded.normalize("NFC").replaceAll("i\u0307", "i").trim().replace(/\s+/g, " ");
}

/** Whether two names or emails are the same, see {@link nameKey}; two missing ones are. */
export function sameName(one: string | undefined, other: string | undefined): boolean {
	return nameKey(one) === nameKey(other);
}

/** Whether two codes of a company register are the same: spaces in them only make them readable. */
export function sameCode(one: string | undefined, other: string | undefined): boolean {
	return sameName(one?.replace(/\s/g, ""), other?.replace(/\s/g, ""));
}

/** Small letters and digits of a name, joined by hyphens, at most 40: the base of a key or of a file's name. Empty where it has none. */
export function slugOf(text: string): string {
	return text
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 40);
}

/**
 * The one form in which names and ids are compared and sent: composed (NFC). A Mac writes `é` of a file's name as two characters, a keyboard
 * as one; nobody sees the difference, and a service that compares bytes would see two companies.
 */
export const composed = (text: string): string => text.normalize("NFC");

/** Whether two texts differ at most in their form; two missing ones do not. */
export function sameText(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return one === other || composed(one) === composed(other);
}
