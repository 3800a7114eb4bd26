import { fromMinor, toMinor } from "../../api/amount.js";

const places = (text: string): number => text.split(".")[1]?.length ?? 0;

/**
 * The exact difference of two decimal texts, in the finer one's places: `100.5` less `10.10` is `90.40`.
 * Undefined where one of them is no plain decimal (a service may answer anything).
 */
export function difference(from: string, less: string): string | undefined {
	if (!isDecimal(from) || !isDecimal(less)) return undefined;
	const decimals = Math.max(places(from), places(less));
	return fromMinor(toMinor(from, decimals) - toMinor(less, decimals), decimals);
}

/** Whether two decimal texts are the same amount: `10.1` and `10.10` are. False where one is no plain decimal. */
export function sameAmount(one: string, other: string): boolean {
	const rest = difference(one, other);
	return rest !== undefined && /^-?0(\.0+)?$/.test(rest);
}

/** Whether it is a plain decimal that is calculated with here: a sign, digits, a point and digits, 30 of each at most. */
export function isDecimal(text: string): boolean {
	return /^-?\d{1,30}(\.\d{1,30})?$/.test(text);
}

/**
 * The exact sum of two decimal texts, in the finer one's places.
 * @throws RangeError where one of them is no plain decimal
 */
export function sum(one: string, other: string): string {
	if (!isDecimal(one) || !isDecimal(other)) throw new RangeError(`not decimal amounts: ${one}, ${other}`);
	const decimals = Math.max(places(one), places(other));
	return fromMinor(toMinor(one, decimals) + toMinor(other, decimals), decimals);
}

/** A decimal text without needless zeros: `10.10` and `10.1` become `10.1`, `5.00` becomes `5`. */
export function canonicalAmount(text: string): string {
	if (!isDecimal(text)) return text;
	const [whole = "", fraction = ""] = text.split(".");
	const kept = fraction.replace(/0+$/, "");
	const digits = whole.replace(/^(-?)0+(?=\d)/, "$1");
	return kept === "" ? digits : `${digits}.${kept}`;
}
