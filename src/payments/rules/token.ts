/**
 * The optional token in a reference: ten characters that identify one transfer at the service.
 * The alphabet is upper case without vowels (no words) and without 1 (which looks like L). It has 29 characters, a prime number, so that
 * the check character detects every single wrong character and every swap of two.
 */
const alphabet = "023456789BCDFGHJKLMNPQRSTVWXZ";
const length = 10;

/** Most characters of a reference (specification 2.7, 2.8), and how many remain when a token is added. */
const longestReference = 18;
export const longestReferenceWithToken = longestReference - length - 1;

/** @param fraction gives numbers from 0 up to, not including, 1 */
export function makeToken(fraction: () => number): string {
	let token = "";
	while (token.length < length - 1) token += alphabet[Math.floor(fraction() * alphabet.length)];
	return token + checkOf(token);
}

/** Whether a text is a token: ten characters of the alphabet with a correct check character. */
export function isToken(text: string): boolean {
	return (
		text.length === length && [...text].every((character) => alphabet.includes(character)) && checkOf(text.slice(0, -1)) === text.at(-1)
	);
}

function checkOf(token: string): string {
	const sum = [...token].reduce((total, character, index) => total + (index + 1) * alphabet.indexOf(character), 0);
	return alphabet[sum % alphabet.length] as string;
}

/**
 * Appends a token to a reference: `Inv 204 7K3M9TQX2C`.
 * @returns undefined if the reference leaves no room for it
 */
export function withToken(reference: string | undefined, token: string): string | undefined {
	const before = (reference ?? "").trim();
	if ([...before].length > longestReferenceWithToken) return undefined;
	return before === "" ? token : `${before} ${token}`;
}

/**
 * The token at the end of a reference, whether it was added here or typed in again to repeat an earlier payment. One in 29 texts of this
 * form is a token by accident; that does no harm, since it only makes the duplicate guard stricter. Ten digits are taken for an invoice
 * number; only one token in 120 000 consists of digits alone.
 */
export function tokenIn(reference: string | undefined): string | undefined {
	const last = reference?.slice(-length);
	const before = reference?.at(-length - 1) ?? " ";
	return last !== undefined && before === " " && isToken(last) && /[A-Z]/.test(last) ? last : undefined;
}

/** The reference without its token. */
export function withoutToken(reference: string): string {
	return tokenIn(reference) === undefined ? reference : reference.slice(0, -length).trimEnd();
}
