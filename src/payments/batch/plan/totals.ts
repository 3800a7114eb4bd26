/**
 * Exact totals of a batch by debited ledger and currency, and digests of its rows, both in constant memory.
 */

import { createHash, hash } from "node:crypto";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchDigest, BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { Style } from "../../../ports/style.js";
import { compareAmounts, difference, sum } from "../../rules/decimal.js";
import { sumsByCurrency } from "./check.js";

export interface Balance {
	available?: string;
	currency?: string;
}

interface Running extends BatchTotal {
	largest: string;
	dryAt?: number;
}

export class Totals {
	readonly #running = new Map<string, Running>();

	/** @param balances known balances by plain ledger id; more may be added while rows are read */
	constructor(private readonly balances: ReadonlyMap<string, Balance>) {}

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

const money: Style["money"] = (amount, currency) => amount && inCurrency(amount, currency);

export const sourceOf = ({ source }: Pick<BatchPlan, "source">): string => (source === "-" ? "standard input" : source);

/** `18 230.55 EUR in 120 rows` */
export const totalInRows = (plan: Pick<BatchPlan, "totals" | "count">): string =>
	`${totalsText(plan)} in ${groupDigits(plan.count)} ${plan.count === 1 ? "row" : "rows"}`;

/** `18 230.55 EUR, 100 USD` */
export function totalsText(
	plan: { totals: readonly Pick<BatchTotal, "currency" | "amount">[] },
	style: Pick<Style, "money"> = { money },
): string {
	return [...sumsByCurrency(plan)]
		.map(([currency, amount]) => style.money(amount, currency === "?" ? undefined : currency) ?? amount)
		.join(", ");
}

const textOf = (value: string | boolean | undefined): string => (value === undefined ? "-" : `${String(value).length}:${value}`);

/** A row in canonical form: each field with its length, or `-` if absent, so that nothing can be shifted between fields. */
export function canonical(transfer: Transfer): string {
	const { kind, ledgerFromId, counterpartyId, amount, currency, reference, allowFastPayment, allowInterLedger } = transfer;
	const parts = [kind, plainId(ledgerFromId), plainId(counterpartyId), amount, currency, reference, allowFastPayment, allowInterLedger];
	return parts.map(textOf).join("|");
}

/** Characters hashed at once, because a call costs more than hashing one row. */
const flushAbove = 16 * 1024;

/**
 * `sequence` is SHA-256 over the rows in order; approval and sending rely on it. `rows` is the sum modulo 2^256 of each row's SHA-256, hashed
 * once more with the count, so it is the same for the same rows in any order. A sum is not collision-resistant, but it only serves to
 * detect a file sent twice by mistake; a deliberate collision would merely get the second file refused.
 */
export class Digest {
	readonly #sequence = createHash("sha256");
	#sum = 0n;
	#waiting = "";
	#count = 0;

	add(transfer: Transfer): void {
		const text = canonical(transfer);
		this.#waiting += `${text.length}:${text}\n`;
		if (this.#waiting.length > flushAbove) this.#flush();
		this.#sum += BigInt(`0x${hash("sha256", text, "buffer").reverse().toString("hex")}`);
		this.#count += 1;
	}

	#flush(): void {
		this.#sequence.update(this.#waiting);
		this.#waiting = "";
	}

	finish(): BatchDigest {
		this.#flush();
		const sum = Buffer.from(BigInt.asUintN(256, this.#sum).toString(16).padStart(64, "0"), "hex").reverse();
		const rows = createHash("sha256").update(`rows ${this.#count}\n`).update(sum).digest("hex");
		return { rows, sequence: this.#sequence.update(`rows ${this.#count}\n`).digest("hex") };
	}
}
