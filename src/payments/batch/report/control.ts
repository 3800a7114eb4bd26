/**
 * Checks that a report's rows and sums are exactly those of the plan. Pure.
 */

import { inCurrency } from "../../../api/amount.js";
import { paidStates } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { sameAmount, sum } from "../../rules/decimal.js";

/** Number of rows and their exact sum. */
interface Sum {
	rows: number;
	amount: string;
}

/** What leaves one ledger in one currency: as planned, as the journal has it, and what of it was accepted. */
export interface LedgerControl {
	ledgerFromId: string;
	/** Absent where it is not known. */
	currency?: string;
	planned: Sum;
	recorded: Sum;
	accepted: Sum;
}

/** Rows and exact sums by state and currency, and by debited ledger and currency. */
export class Control {
	rows = 0;
	readonly #states = new Map<IntentState, Map<string, Sum>>();
	readonly #ledgers = new Map<string, Sum>();
	readonly #accepted = new Map<string, Sum>();

	add({ state, transfer: { ledgerFromId, currency = "", amount } }: BatchRow): void {
		this.rows += 1;
		const currencies = this.#states.get(state) ?? new Map<string, Sum>();
		this.#states.set(state, currencies);
		put(currencies, currency, amount);
		const ledger = `${plainId(ledgerFromId)} ${currency}`;
		put(this.#ledgers, ledger, amount);
		if ((paidStates as readonly IntentState[]).includes(state)) put(this.#accepted, ledger, amount);
	}

	/** By state and currency; without `currency` if it is not known. */
	get totals(): ({ state: IntentState; currency?: string } & Sum)[] {
		return [...this.#states].flatMap(([state, currencies]) =>
			[...currencies].map(([currency, total]) => ({ state, ...(currency === "" ? {} : { currency }), ...total })),
		);
	}

	/** The plan beside what is on record, in the order of the plan. */
	ledgers({ totals }: Pick<BatchPlan, "totals">): LedgerControl[] {
		const planned = new Map<string, Sum>();
		for (const { ledgerFromId, currency = "", rows, amount } of totals) put(planned, `${plainId(ledgerFromId)} ${currency}`, amount, rows);
		return [...new Set([...planned.keys(), ...this.#ledgers.keys()])].map((key) => {
			const [ledgerFromId = "", currency = ""] = key.split(" ");
			return {
				ledgerFromId,
				...(currency === "" ? {} : { currency }),
				planned: planned.get(key) ?? noRows,
				recorded: this.#ledgers.get(key) ?? noRows,
				accepted: this.#accepted.get(key) ?? noRows,
			};
		});
	}

	/** Differences from the plan; empty if there are none. */
	faults(plan: BatchPlan): string[] {
		const faults = this.rows === plan.count ? [] : [`${this.rows} rows are on record, ${plan.count} were planned`];
		for (const ledger of this.ledgers(plan)) {
			const { ledgerFromId, currency, planned, recorded } = ledger;
			if (agrees(ledger)) continue;
			faults.push(
				`ledger ${ledgerFromId}: ${inCurrency(recorded.amount, currency)} in ${recorded.rows} rows are on record, ${inCurrency(planned.amount, currency)} in ${planned.rows} were planned`,
			);
		}
		return faults;
	}
}

/** Whether rows and sum of a ledger are those of the plan. */
export const agrees = ({ planned, recorded }: Pick<LedgerControl, "planned" | "recorded">): boolean =>
	planned.rows === recorded.rows && sameAmount(planned.amount, recorded.amount);

const noRows: Sum = { rows: 0, amount: "0" };

function put(sums: Map<string, Sum>, key: string, amount: string, rows = 1): void {
	const before = sums.get(key);
	if (before === undefined) sums.set(key, { rows, amount });
	else {
		before.rows += rows;
		before.amount = sum(before.amount, amount);
	}
}
