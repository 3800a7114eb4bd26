/**
 * Exact totals of a batch by debited ledger and currency.
 */

import { fromMinor, toMinor } from "../../../api/amount.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { Style } from "../../../ports/style.js";
import { difference } from "../../rules/decimal.js";
import { sumsByCurrency } from "./check.js";

/** The balance of a ledger. */
export interface Balance {
	available?: string;
	currency?: string;
}

interface Running {
	ledgerFromId: string;
	currency: string | undefined;
	rows: number;
	/** Decimal places of the finest amount so far, used for display. */
	shown: number;
	/** Decimal places of the three minor-unit values below; the balance may have more than any amount. */
	decimals: number;
	amount: bigint;
	largest: bigint;
	/** Undefined until the balance is known. */
	available: bigint | undefined;
	/** The first row at which the balance is not enough. */
	dryAt?: number;
}

/** Sums the amounts of each ledger and currency while rows are read. */
export class Totals {
	readonly #running = new Map<string, Running>();

	/** @param balances known balances by plain ledger id; more may be added while rows are read */
	constructor(private readonly balances: ReadonlyMap<string, Balance>) {}

	/** @throws RangeError if the amount is no decimal text */
	add(row: number, { ledgerFromId, currency, amount }: Transfer): void {
		const running = this.#of(plainId(ledgerFromId), currency);
		const decimals = placesOf(amount);
		if (decimals > running.shown) running.shown = decimals;
		if (decimals > running.decimals) refine(running, decimals);
		const minor = toMinor(amount, running.decimals);
		running.rows += 1;
		running.amount += minor;
		if (minor > running.largest) running.largest = minor;
		if (running.available === undefined) this.#learn(running);
		if (running.dryAt === undefined && running.available !== undefined && running.amount > running.available) running.dryAt = row;
	}

	#of(ledgerFromId: string, currency: string | undefined): Running {
		const key = `${ledgerFromId} ${currency ?? ""}`;
		const known = this.#running.get(key);
		if (known !== undefined) return known;
		const made: Running = { ledgerFromId, currency, rows: 0, shown: 0, decimals: 0, amount: 0n, largest: 0n, available: undefined };
		this.#running.set(key, made);
		return made;
	}

	/** Takes over the balance once it is known, if it is a decimal and in the currency of the amounts. */
	#learn(running: Running): void {
		const { available, currency } = this.balances.get(running.ledgerFromId) ?? {};
		if (currency !== undefined && currency !== running.currency) return;
		if (available === undefined || !/^-?\d{1,30}(\.\d{1,30})?$/.test(available)) return;
		refine(running, Math.max(running.decimals, placesOf(available)));
		running.available = toMinor(available, running.decimals);
	}

	/** Totals by ledger and currency, in order of first appearance. */
	get list(): BatchTotal[] {
		return [...this.#running.values()].map((running) => ({
			ledgerFromId: running.ledgerFromId,
			...(running.currency === undefined ? {} : { currency: running.currency }),
			rows: running.rows,
			amount: decimalText(running, running.amount),
		}));
	}

	/** The largest single amount of each currency. */
	get largest(): BatchPlan["largest"] {
		const found = new Map<string, string>();
		for (const running of this.#running.values()) {
			const { currency = "" } = running;
			const text = decimalText(running, running.largest);
			if (isMore(text, found.get(currency) ?? "0")) found.set(currency, text);
		}
		return [...found].map(([currency, amount]) => (currency === "" ? { amount } : { currency, amount }));
	}

	/** Ledgers whose balance is not enough, with the first row that exceeds it. */
	get dry(): { ledgerFromId: string; row: number }[] {
		return [...this.#running.values()].flatMap(({ ledgerFromId, dryAt }) => (dryAt === undefined ? [] : [{ ledgerFromId, row: dryAt }]));
	}
}

const placesOf = (amount: string): number => {
	const point = amount.indexOf(".");
	return point < 0 ? 0 : amount.length - point - 1;
};

/** As text, without decimal places that only the balance has. */
const decimalText = ({ shown, decimals }: Running, minor: bigint): string => fromMinor(minor / 10n ** BigInt(decimals - shown), shown);

function refine(running: Running, decimals: number): void {
	const times = 10n ** BigInt(decimals - running.decimals);
	running.decimals = decimals;
	running.amount *= times;
	running.largest *= times;
	if (running.available !== undefined) running.available *= times;
}

/** Whether one decimal text is more than another. */
function isMore(one: string, other: string): boolean {
	const rest = difference(one, other);
	return rest !== undefined && !/^(-|0(\.0+)?$)/.test(rest);
}

/** `18 230.55 EUR, 100 USD` */
export function totalsText(plan: BatchPlan, style: Pick<Style, "money">): string {
	return [...sumsByCurrency(plan)]
		.map(([currency, amount]) => style.money(amount, currency === "?" ? undefined : currency) ?? amount)
		.join(", ");
}
