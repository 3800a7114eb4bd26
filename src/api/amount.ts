/**
 * Amounts as text: the digits typed are the digits on the wire, and no double is involved anywhere.
 */
import { shownCharacter } from "./text/sanitize.js";

const twoDecimals =
	"AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK " +
	"DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK " +
	"LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON " +
	"RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST " +
	"XCD YER ZAR ZMW ZWG";

/** Decimal places by ISO 4217. Vendored: the built-in `Intl` is wrong for HUF, COP, IDR and IQD. */
const minorUnits: ReadonlyMap<string, number> = new Map([
	...listed("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0),
	...listed(twoDecimals, 2),
	...listed("BHD IQD JOD KWD LYD OMR TND", 3),
	...listed("CLF UYW", 4),
]);

function listed(codes: string, decimals: number): [string, number][] {
	return codes.split(" ").map((code) => [code, decimals]);
}

/** A server that uses doubles keeps 15 significant digits exactly; more could be altered on arrival. */
const mostDigits = 15;
/** Most characters of an amount, zeros included. */
const mostCharacters = 30;

/** Decimal places of a currency by ISO 4217, or undefined for a currency outside the table. */
export function decimalsOf(currency: string | undefined): number | undefined {
	return currency === undefined ? undefined : minorUnits.get(currency);
}

/**
 * What is wrong with an amount as typed, or undefined when nothing is.
 * Accepted: `digits[.digits]`, greater than 0, no leading zeros, at most 15 significant digits and 30 characters.
 */
export function amountFault(text: string): string | undefined {
	if (text === "") return "is empty; type an amount like 10.10";
	const odd = [...text].find((character) => !/[0-9.]/.test(character));
	if (odd === ",") return 'has a comma; the decimal separator is "." and there are no thousands separators';
	if (odd !== undefined)
		return `has the character ${odd === " " ? "U+0020 (a space)" : shownCharacter(odd)}; only the digits 0-9 and one "." are allowed`;
	if (!/^\d+(\.\d+)?$/.test(text)) return 'must be digits, or digits "." digits, like 10 or 10.10';
	if (/^0\d/.test(text)) return "has a leading zero";
	const digits = text.replace(".", "").replace(/^0+/, "");
	if (digits === "") return "must be greater than 0";
	if (digits.length > mostDigits) return `has ${digits.length} significant digits; at most ${mostDigits} arrive unaltered everywhere`;
	if (text.length > mostCharacters) return `has ${text.length} characters; at most ${mostCharacters} are allowed`;
	return undefined;
}

/** What is wrong with an amount's decimals in a currency, or undefined. An unknown currency cannot be checked: undefined too. */
export function decimalsFault(text: string, currency: string | undefined): string | undefined {
	const allowed = decimalsOf(currency);
	const given = text.split(".")[1]?.length ?? 0;
	if (allowed === undefined || given <= allowed) return undefined;
	return allowed === 0 ? `has decimals; ${currency} has none` : `has ${given} decimals; ${currency} has ${allowed}`;
}

/** A currency in capitals; undefined where the text is no code of ISO 4217: a service may answer anything. */
export function codeOf(text: string | undefined): string | undefined {
	return text !== undefined && /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : undefined;
}

/**
 * What is wrong with a stated currency, or undefined. Between ledgers it must be the debited one's, to a beneficiary that of the beneficiary's
 * account (specification 2.8); where that is not known, any is taken.
 */
export function currencyFault(kind: "ledger" | "beneficiary", given: string | undefined, known: string | undefined): string | undefined {
	if (given === undefined || known === undefined || given === known) return undefined;
	return `is ${given}, but the ${kind === "beneficiary" ? "beneficiary's account" : "debited ledger"} is in ${known}`;
}

/** Digits without the zeros at their end. `/0+$/` would take quadratic time where another digit follows many zeros. */
export function withoutEndZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === "0") end -= 1;
	return digits.slice(0, end);
}

/**
 * An amount in integer minor units, for sums and comparisons.
 * @param decimals how many decimal places one unit has
 * @throws RangeError when the text is not a decimal number or has more decimals than that
 */
export function toMinor(text: string, decimals: number): bigint {
	const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
	if (!match) throw new RangeError(`not a decimal amount: ${text}`);
	const [, sign, whole, fraction = ""] = match as unknown as [string, string, string, string?];
	const decimalDigits = withoutEndZeros(fraction);
	if (decimalDigits.length > decimals) throw new RangeError(`${text} has more than ${decimals} decimals`);
	const value = BigInt(whole + decimalDigits.padEnd(decimals, "0"));
	return sign ? -value : value;
}

/** Most characters of a number that is shown in groups; a longer one stays as it is. */
const mostGrouped = 30;

/** Digits, with a sign or without, in groups of three for reading: `18230` is `18 230`. */
export function groupDigits(count: number | string): string {
	const digits = String(count);
	return digits.length > mostGrouped ? digits : digits.replace(/\B(?=(\d{3})+$)/g, " ");
}

/** Minor units back to text with exactly `decimals` places: `fromMinor(1010n, 2)` is `10.10`. */
export function fromMinor(value: bigint, decimals: number): string {
	const sign = value < 0n ? "-" : "";
	const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
	return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * An amount for reading, with the decimals of its currency: `1010.5` is `1010.50`. Zeros are added at the end; no digit is rounded or left out.
 * @param currency where it is not known, two decimals
 * @returns text that is no decimal, unchanged
 */
export function withDecimals(amount: string, currency: string | undefined): string {
	const [, whole, fraction = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
	if (whole === undefined || amount.length > mostGrouped) return amount;
	const shown = fraction.padEnd(decimalsOf(codeOf(currency)) ?? 2, "0");
	return shown === "" ? whole : `${whole}.${shown}`;
}

/**
 * An amount as a person sees it: `18230.5`, `EUR` is `18 230.50 EUR`; the digits are grouped so that 1 250 and 11 250 are not confused. Where
 * the currency is not known, the amount alone.
 */
export function inCurrency(amount: string, currency: string | undefined): string {
	const shown = withDecimals(amount, currency).replace(/^-?\d+(?=\.|$)/, groupDigits);
	return currency ? `${shown} ${currency}` : shown;
}
