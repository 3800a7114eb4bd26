/**
 * Gathers what a sheet shows of a batch's rows while they are read, in memory that does not grow with the file.
 */

import type { PlannedRow } from "../../../ports/batch-plan.js";
import { compareAmounts } from "../../rules/decimal.js";
import { Buckets } from "./buckets.js";

/** Most rows that a sheet lists from the beginning of the file. */
export const mostRows = 200;
/** Most of the largest payments of one currency. */
const mostLargest = 20;
/** Most currencies whose payments are looked at by size, in the order of the file; a file may name thousands. */
const mostCurrencies = 5;

/** The amounts of one currency. */
export interface CurrencyRows {
	/** Undefined for rows of unknown currency. */
	currency: string | undefined;
	rows: number;
	buckets: Buckets;
	/** The largest first; of the same amount, the first in the file. */
	largest: PlannedRow[];
}

export class SheetRows {
	/** The first rows of the file. */
	readonly first: PlannedRow[] = [];
	readonly #byCurrency = new Map<string | undefined, CurrencyRows>();

	add(row: PlannedRow): void {
		if (this.first.length < mostRows) this.first.push(row);
		const { amount, currency } = row.transfer;
		const found = this.#of(currency);
		if (found === undefined) return;
		found.rows += 1;
		found.buckets.add(amount);
		insert(found.largest, row);
	}

	/** By currency, in the order of the file. */
	get currencies(): CurrencyRows[] {
		return [...this.#byCurrency.values()];
	}

	#of(currency: string | undefined): CurrencyRows | undefined {
		const known = this.#byCurrency.get(currency);
		if (known !== undefined || this.#byCurrency.size >= mostCurrencies) return known;
		const made: CurrencyRows = { currency, rows: 0, buckets: new Buckets(), largest: [] };
		this.#byCurrency.set(currency, made);
		return made;
	}
}

function insert(largest: PlannedRow[], row: PlannedRow): void {
	const { amount } = row.transfer;
	const least = largest.at(-1);
	if (largest.length === mostLargest && least !== undefined && compareAmounts(amount, least.transfer.amount) <= 0) return;
	const place = largest.findIndex(({ transfer }) => compareAmounts(amount, transfer.amount) > 0);
	largest.splice(place < 0 ? largest.length : place, 0, row);
	if (largest.length > mostLargest) largest.pop();
}
