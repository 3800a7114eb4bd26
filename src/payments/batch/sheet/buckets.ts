/**
 * Counts amounts by size, in steps of 1, 2 and 5: 1 to under 2, 2 to under 5, 5 to under 10, 10 to under 20 and so on. Exact, because only
 * digits are looked at.
 */

import { groupDigits } from "../../../api/amount.js";
import { canonicalAmount } from "../../rules/decimal.js";

/** Most empty steps in a row that have a bar each; more are one line. */
const mostEmpty = 1;

export class Buckets {
	/** By step; step 0 begins at 1, step 3 at 10, step -1 at 0.5. */
	readonly #counts = new Map<number, number>();

	/** @param amount decimal text above 0 */
	add(amount: string): void {
		const step = stepOf(amount);
		this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1);
	}

	/** From the smallest amounts to the largest. */
	get bars(): { label: string; count: number }[] {
		const held = [...this.#counts.keys()].sort((one, other) => one - other);
		return held.flatMap((step, at) => [
			...gap((held[at - 1] ?? step - 1) + 1, step),
			{ label: `${lowest(step)} to under ${lowest(step + 1)}`, count: this.#counts.get(step) ?? 0 },
		]);
	}
}

/** The empty steps from one up to, not including, another. */
function gap(from: number, to: number): { label: string; count: number }[] {
	if (to - from > mostEmpty) return [{ label: `nothing from ${lowest(from)} to under ${lowest(to)}`, count: 0 }];
	return from < to ? [{ label: `${lowest(from)} to under ${lowest(to)}`, count: 0 }] : [];
}

function stepOf(amount: string): number {
	const [whole = "", fraction = ""] = canonicalAmount(amount).split(".");
	const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
	const power = whole === "0" ? -1 - zeros : whole.length - 1;
	const digit = whole === "0" ? (fraction[zeros] ?? "1") : (whole[0] ?? "1");
	return 3 * power + (digit >= "5" ? 2 : digit >= "2" ? 1 : 0);
}

/** The least amount of a step, as text. */
function lowest(step: number): string {
	const power = Math.floor(step / 3);
	const digit = ["1", "2", "5"][step - 3 * power];
	return power >= 0 ? groupDigits(`${digit}${"0".repeat(power)}`) : `0.${"0".repeat(-1 - power)}${digit}`;
}
