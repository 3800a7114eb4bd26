/** `18230.55`, `EUR` → `18 230.55 EUR`, in groups, so that 1 250 and 11 250 are not mistaken for each other; text that is no decimal is left alone. */
export function inCurrency(amount: string, currency: string | undefined): string {
	const shown = amount.replace(/^(-?\d+)/, groupDigits);
	return currency ? `${shown} ${currency}` : shown;
}

/** Digits in groups of three, for reading. */
export function groupDigits(count: number | string): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}
