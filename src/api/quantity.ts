/**
 * A quantity that is not money (rows, days, hours, the number of a check) as a number. Payments may convert text to a number only here.
 * @throws RangeError where the text is no whole number of at most 15 digits, nor one of at most 9 with three decimals
 */
export function quantityOf(text: string): number {
	if (!/^(\d{1,15}|\d{1,9}\.\d{1,3})$/.test(text)) throw new RangeError(`not a quantity: ${JSON.stringify(text)}`);
	return Number(text);
}

/** Lengths of time as people type them: a number in the unit that the field names, or with a unit of its own: `30s`, `5m`, `2h`, `1d`. */
const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
type Unit = keyof typeof units;

/**
 * Seconds of a length of time; undefined where the text is none.
 * @param unit of a number that has none
 */
export function secondsOf(text: string, unit: Unit = "s"): number | undefined {
	const [, count, own = unit] = /^(\d{1,6}(?:\.\d{1,3})?)([smhd])?$/.exec(text) ?? [];
	return count === undefined ? undefined : Number(count) * units[own as Unit];
}
