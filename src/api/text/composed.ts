/**
 * The one form in which names and ids are compared and sent: composed (NFC). A Mac writes `é` of a file's name as two characters, a keyboard
 * as one; nobody sees the difference, and a service that compares bytes would see two companies.
 */

/** The text in its composed form. */
export const composed = (text: string): string => text.normalize("NFC");

/** Whether two texts differ at most in their form; two missing ones do not. */
export function sameText(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return one === other || composed(one) === composed(other);
}
