/**
 * What a source showed of one ledger, once for all doubts of that ledger: found by amount, so that many doubts do not each go through
 * the whole list.
 */
import type { TransactionView } from "../api/transaction.js";
import type { Look, Transfer } from "../ports/journal.js";
import { canonicalAmount, isDecimal } from "./decimal.js";

export class Listing {
	readonly #byAmount = new Map<string, number[]>();
	readonly #byCurrency = new Map<string, number[]>();
	readonly #byId = new Map<string, number[]>();
	/** Of these the amount cannot be read. */
	readonly #unread: number[] = [];
	/** Why what it does not show may have been made all the same, in words; of a complete list undefined where nothing speaks for that. */
	lacks?: string;

	constructor(
		readonly source: Look["source"],
		readonly at: Date,
		/** Whether it is everything there was in the time concerned. */
		readonly complete: boolean,
		readonly listed: readonly TransactionView[],
	) {
		for (const [place, { id, amount, currency = "" }] of listed.entries()) {
			if (amount === undefined || !isDecimal(amount)) this.#unread.push(place);
			else put(this.#byAmount, canonicalAmount(amount.replace(/^-/, "")), place);
			put(this.#byCurrency, currency, place);
			if (id !== undefined) put(this.#byId, id.toLowerCase(), place);
		}
	}

	/**
	 * All that may be this transfer as far as amount and currency tell, in the order of the list: a payment into another currency, as
	 * every one to a beneficiary may be, may be listed with what left the ledger.
	 * @param ids of transactions that are wanted beside them, if they are listed
	 */
	candidates(transfer: Transfer, ids: readonly string[]): TransactionView[] {
		if (transfer.kind === "beneficiary") return [...this.listed];
		const places = new Set([...this.#unread, ...(this.#byAmount.get(canonicalAmount(transfer.amount)) ?? [])]);
		for (const [currency, those] of transfer.currency === undefined ? [] : this.#byCurrency)
			if (currency !== "" && currency !== transfer.currency) for (const place of those) places.add(place);
		for (const id of ids) for (const place of this.#byId.get(id.toLowerCase()) ?? []) places.add(place);
		return [...places].sort((one, other) => one - other).map((place) => this.listed[place] as TransactionView);
	}
}

function put(index: Map<string, number[]>, key: string, place: number): void {
	const places = index.get(key);
	if (places) places.push(place);
	else index.set(key, [place]);
}
