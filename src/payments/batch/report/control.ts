/**
 * Checks that a report's rows and sums are exactly those of the plan. Pure.
 */

import { inCurrency } from "../../../api/amount.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { sameAmount, sum } from "../../rules/decimal.js";

/** Rows and exact sums by state and currency, and by debited ledger and currency. */
export class Control {
	rows = 0;
	readonly #states = new Map<IntentState, Map<string, { rows: number; amount: string }>>();
	readonly #ledgers = new Map<string, { rows: number; amount: string }>();

	add({ state, transfer: { ledgerFromId, currency = "", amount } }: BatchRow): void {
		this.rows += 1;
		const currencies = this.#states.get(state) ?? new Map<string, { rows: number; amount: string }>();
		this.#states.set(state, currencies);
		put(currencies, currency, amount);
		put(this.#ledgers, `${plainId(ledgerFromId)} ${currency}`, amount);
	}

	/** By state and currency; without `currency` if it is not known. */
	get totals(): { state: IntentState; currency?: string; rows: number; amount: string }[] {
		return [...this.#states].flatMap(([state, currencies]) =>
			[...currencies].map(([currency, total]) => ({ state, ...(currency === "" ? {} : { currency }), ...total })),
		);
	}

	/** Differences from the plan; empty if there are none. */
	faults({ count, totals }: BatchPlan): string[] {
		const faults = this.rows === count ? [] : [`${this.rows} rows are on record, ${count} were planned`];
		const planned = new Map<string, { rows: number; amount: string }>();
		for (const { ledgerFromId, currency = "", rows, amount } of totals) put(planned, `${plainId(ledgerFromId)} ${currency}`, amount, rows);
		for (const key of new Set([...planned.keys(), ...this.#ledgers.keys()])) {
			const [plannedTotal, actualTotal] = [planned.get(key) ?? noRows, this.#ledgers.get(key) ?? noRows];
			if (plannedTotal.rows === actualTotal.rows && sameAmount(plannedTotal.amount, actualTotal.amount)) continue;
			const [ledgerFromId, currency] = key.split(" ");
			faults.push(
				`ledger ${ledgerFromId}: ${inCurrency(actualTotal.amount, currency)} in ${actualTotal.rows} rows are on record, ${inCurrency(plannedTotal.amount, currency)} in ${plannedTotal.rows} were planned`,
			);
		}
		return faults;
	}
}

const noRows = { rows: 0, amount: "0" };

function put(sums: Map<string, { rows: number; amount: string }>, key: string, amount: string, rows = 1): void {
	const before = sums.get(key);
	if (before === undefined) sums.set(key, { rows, amount });
	else {
		before.rows += rows;
		before.amount = sum(before.amount, amount);
	}
}
