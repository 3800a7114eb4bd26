import { fromMinor, toMinor } from "../../api/amount.js";

const places = (text: string): number => text.split(".")[1]?.length ?? 0;

/**
 * The exact difference of two decimal texts, with the decimal places of the finer one: `100.5` less `10.10` is `90.40`.
 * Undefined if either is no plain decimal, since amounts from the service are not validated.
 */
export function difference(from: string, less: string): string | undefined {
	if (!isDecimal(from) || !isDecimal(less)) return undefined;
	const decimals = Math.max(places(from), places(less));
	return fromMinor(toMinor(from, decimals) - toMinor(less, decimals), decimals);
}

/** Whether two decimal texts are the same amount, such as `10.1` and `10.10`. False if either is no plain decimal. */
export function sameAmount(one: string, other: string): boolean {
	const remainder = difference(one, other);
	return remainder !== undefined && /^-?0(\.0+)?$/.test(remainder);
}

/**
 * Whether a text is a decimal that these functions calculate with: optional minus, at most 30 digits, optionally a point and at most 30
 * more.
 */
export function isDecimal(text: string): boolean {
	return /^-?\d{1,30}(\.\d{1,30})?$/.test(text);
}

/** The exact sum of two decimal texts, with the decimal places of the finer one. */
export function sum(one: string, other: string): string {
	if (!isDecimal(one) || !isDecimal(other)) throw new RangeError(`not decimal amounts: ${one}, ${other}`);
	const decimals = Math.max(places(one), places(other));
	return fromMinor(toMinor(one, decimals) + toMinor(other, decimals), decimals);
}

/** Removes insignificant zeros: `10.10` and `10.1` become `10.1`, `5.00` becomes `5`. */
export function canonicalAmount(text: string): string {
	if (!isDecimal(text)) return text;
	const [whole = "", fraction = ""] = text.split(".");
	const significant = fraction.replace(/0+$/, "");
	const digits = whole.replace(/^(-?)0+(?=\d)/, "$1");
	return significant === "" ? digits : `${digits}.${significant}`;
}

/** Compares two decimal texts without a sign exactly: negative if `one` is less, 0 if they are the same amount, positive if it is more. */
export function compareAmounts(one: string, other: string): number {
	const [whole = "", fraction = ""] = canonicalAmount(one).split(".");
	const [otherWhole = "", otherFraction = ""] = canonicalAmount(other).split(".");
	const isLess = whole === otherWhole ? fraction < otherFraction : whole < otherWhole;
	if (whole === otherWhole && fraction === otherFraction) return 0;
	return whole.length - otherWhole.length || (isLess ? -1 : 1);
}
