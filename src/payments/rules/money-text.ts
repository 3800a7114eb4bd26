import { groupDigits } from "../../api/amount.js";

/**
 * `18230.55`, `EUR` → `18 230.55 EUR`; the digits are grouped so that 1 250 and 11 250 are not confused. Other text is returned unchanged.
 */
export function inCurrency(amount: string, currency: string | undefined): string {
	const shown = amount.replace(/^(-?\d+)/, groupDigits);
	return currency ? `${shown} ${currency}` : shown;
}
