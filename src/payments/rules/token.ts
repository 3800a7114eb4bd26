/**
 * The optional token in a reference: ten characters that make one transfer recognisable at the service beyond doubt.
 * Upper case, no vowels (so no words), no 1 (so no confusion with L); 29 characters, a prime, so that the check character
 * shows every single wrong character and every two swapped ones.
 */
const alphabet = "023456789BCDFGHJKLMNPQRSTVWXZ";
const length = 10;

/** Most characters of a reference (specification 2.7, 2.8), and what is left of them beside a token. */
const longestReference = 18;
export const roomBesideToken = longestReference - length - 1;

/** @param fraction gives numbers from 0 up to, not including, 1 */
export function makeToken(fraction: () => number): string {
	let token = "";
	while (token.length < length - 1) token += alphabet[Math.floor(fraction() * alphabet.length)];
	return token + checkOf(token);
}

/** Whether a text is a token: ten characters of the alphabet, the last of which fits the others. */
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
 * A reference with a token at its end: `Inv 204 7K3M9TQX2C`.
 * @returns undefined where the reference leaves no room for it
 */
export function withToken(reference: string | undefined, token: string): string | undefined {
	const before = (reference ?? "").trim();
	if ([...before].length > roomBesideToken) return undefined;
	return before === "" ? token : `${before} ${token}`;
}

/**
 * The token at the end of a reference: folded in here, or typed as an earlier payment showed it, which is that payment once more. What only
 * looks like one (one in 29 of its form) hides nothing: it makes the guard against repetitions stricter. Digits alone are an invoice's
 * number, and no token in 120 000 is made of them.
 */
export function tokenIn(reference: string | undefined): string | undefined {
	const last = reference?.slice(-length);
	const before = reference?.at(-length - 1) ?? " ";
	return last !== undefined && before === " " && isToken(last) && /[A-Z]/.test(last) ? last : undefined;
}

/** The reference before its token was folded in. */
export function withoutToken(reference: string): string {
	return tokenIn(reference) === undefined ? reference : reference.slice(0, -length).trimEnd();
}
