import { fromMinor, toMinor } from "../api/amount.js";

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

function isDecimal(text: string): boolean {
	return /^-?\d{1,30}(\.\d{1,30})?$/.test(text);
}
