/**
 * A link as a QR code of text. The only place that knows the library.
 */
import { encode, renderUnicodeCompact } from "uqr";

/** Light modules around the code that readers need. */
const border = 2;
/** Maximum length of an address whose code still fits a screen. */
const maxCharacters = 1000;

/**
 * Light modules as full blocks, so that it is read from a dark terminal; half as many lines as modules.
 * @returns undefined where it would not fit into `columns`
 */
export function qrCode(address: string, columns: number): string | undefined {
	if (address.length > maxCharacters) return undefined;
	const { size } = encode(address, { border, ecc: "L" });
	return size > columns ? undefined : renderUnicodeCompact(address, { border, ecc: "L" });
}
