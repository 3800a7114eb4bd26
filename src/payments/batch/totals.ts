/**
 * What a batch adds up to, exactly, by debited ledger and currency.
 */
import type { BatchPlan, BatchTotal, BatchTransfer } from "../../batches.js";
import { difference, sum } from "../decimal.js";

/** What may leave a ledger. */
export interface Balance {
	available?: string;
	currency?: string;
}

interface Running extends BatchTotal {
	largest: string;
	/** The first row with which more leaves than is available. */
	dryAt?: number;
}

export class Totals {
	readonly #running = new Map<string, Running>();

	/** @param balances by ledger id in lower case, as far as they are known; they may become known while rows are added */
	constructor(private readonly balances: ReadonlyMap<string, Balance>) {}

	add(row: number, { ledgerFromId, currency, amount }: BatchTransfer): void {
		const ledger = ledgerFromId.toLowerCase();
		const key = `${ledger} ${currency ?? ""}`;
		const running = this.#running.get(key) ?? { ledgerFromId: ledger, currency, rows: 0, amount: "0", largest: "0" };
		this.#running.set(key, running);
		running.rows += 1;
		running.amount = sum(running.amount, amount);
		if (isMore(amount, running.largest)) running.largest = amount;
		const available = this.balances.get(ledger)?.available;
		if (running.dryAt === undefined && available !== undefined && isMore(running.amount, available)) running.dryAt = row;
	}

	/** By ledger and currency, in the order in which they first came. */
	get list(): BatchTotal[] {
		return [...this.#running.values()].map(({ ledgerFromId, currency, rows, amount }) =>
			currency === undefined ? { ledgerFromId, rows, amount } : { ledgerFromId, currency, rows, amount },
		);
	}

	/** The largest single amount of each currency. */
	get largest(): BatchPlan["largest"] {
		const found = new Map<string, string>();
		for (const { currency = "", largest } of this.#running.values())
			if (isMore(largest, found.get(currency) ?? "0")) found.set(currency, largest);
		return [...found].map(([currency, amount]) => (currency === "" ? { amount } : { currency, amount }));
	}

	/** Ledgers that run dry, with the row at which they do. */
	get dry(): { ledgerFromId: string; row: number }[] {
		return [...this.#running.values()].flatMap(({ ledgerFromId, dryAt }) => (dryAt === undefined ? [] : [{ ledgerFromId, row: dryAt }]));
	}
}

/** Whether one decimal text is more than another. */
function isMore(one: string, other: string): boolean {
	const rest = difference(one, other);
	return rest !== undefined && !/^(-|0(\.0+)?$)/.test(rest);
}
