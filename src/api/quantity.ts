/**
 * A quantity that is not money (rows, days, hours, the number of a look) as a number. Payments may convert text to a number only here.
 * @throws RangeError where the text is no whole number of at most 15 digits, nor one of at most 9 with three decimals
 */
export function quantityOf(text: string): number {
	if (!/^(\d{1,15}|\d{1,9}\.\d{1,3})$/.test(text)) throw new RangeError(`not a quantity: ${JSON.stringify(text)}`);
	return Number(text);
}
