/**
 * Exact totals of a batch by debited ledger and currency, in constant memory.
 */

import { inCurrency } from "../../../api/amount.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { Style } from "../../../ports/style.js";
import { compareAmounts, difference, sum } from "../../rules/decimal.js";
import { counted } from "../../rules/refusal-text.js";
import { sumsByCurrency } from "./check.js";

interface Running extends BatchTotal {
	largest: string;
	dryAt?: number;
}

export class Totals {
	readonly #running = new Map<string, Running>();

	/** @param balances known balances by plain ledger id; more may be added while rows are read */
	constructor(private readonly balances: ReadonlyMap<string, { available?: string; currency?: string }>) {}

	add(row: number, { ledgerFromId: id, currency, amount }: Transfer): void {
		const ledgerFromId = plainId(id);
		const key = `${ledgerFromId} ${currency ?? ""}`;
		const known = this.#running.get(key);
		const running = known ?? { ledgerFromId, currency, rows: 0, amount: "0", largest: "0" };
		if (known === undefined) this.#running.set(key, running);
		running.rows += 1;
		running.amount = sum(running.amount, amount);
		if (compareAmounts(amount, running.largest) > 0) running.largest = amount;
		if (running.dryAt === undefined && this.#isShort(running)) running.dryAt = row;
	}

	/** Whether the balance is known, in the currency of the amounts, and less than their sum. */
	#isShort({ ledgerFromId, currency, amount }: Running): boolean {
		const { available, currency: other } = this.balances.get(ledgerFromId) ?? {};
		if (available === undefined || (other !== undefined && other !== currency)) return false;
		return difference(available, amount)?.startsWith("-") ?? false;
	}

	get list(): BatchTotal[] {
		return [...this.#running.values()].map(({ ledgerFromId, currency, rows, amount }) => ({
			ledgerFromId,
			...(currency === undefined ? {} : { currency }),
			rows,
			amount,
		}));
	}

	get largest(): BatchPlan["largest"] {
		const found = new Map<string, string>();
		for (const { currency = "", largest } of this.#running.values())
			if (compareAmounts(largest, found.get(currency) ?? "0") > 0) found.set(currency, largest);
		return [...found].map(([currency, amount]) => (currency === "" ? { amount } : { currency, amount }));
	}

	get dry(): { ledgerFromId: string; row: number }[] {
		return [...this.#running.values()].flatMap(({ ledgerFromId, dryAt }) => (dryAt === undefined ? [] : [{ ledgerFromId, row: dryAt }]));
	}
}

export const sourceOf = ({ source }: Pick<BatchPlan, "source">): string => (source === "-" ? "standard input" : source);

/** `18 230.55 EUR in 120 rows` */
export const totalInRows = (plan: Pick<BatchPlan, "totals" | "count">): string => `${totalsText(plan)} in ${counted(plan.count, "row")}`;

/** `18 230.55 EUR, 100 USD` */
export function totalsText(
	plan: { totals: readonly Pick<BatchTotal, "currency" | "amount">[] },
	style: Pick<Style, "money"> = { money: (amount, currency) => amount && inCurrency(amount, currency) },
): string {
	return [...sumsByCurrency(plan)]
		.map(([currency, amount]) => style.money(amount, currency === "?" ? undefined : currency) ?? amount)
		.join(", ");
}
