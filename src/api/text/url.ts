/**
 * Whether a text is an address, as `new URL` reads it. `URL.canParse` is not asked: in Node 20, once it has been called some thousand times, it
 * says no of every address with a letter such as ü.
 * @param base what a relative address is relative to
 */
export function isUrl(text: string, base?: string): boolean {
	try {
		new URL(text, base);
		return true;
	} catch {
		return false;
	}
}
