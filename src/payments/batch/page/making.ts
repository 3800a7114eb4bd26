/**
 * Makes the page of a plan that is to be approved: gathers rows while they are checked, in memory that does not grow with the file, asks the
 * journal for the rest, and hands the page to whoever writes it.
 */

import { plainId } from "../../../api/text/ids.js";
import type { BatchTotal, PlannedRow } from "../../../ports/batch-plan.js";
import type { Page } from "../../../ports/page.js";
import { compareAmounts } from "../../rules/decimal.js";
import { groupBy } from "../../rules/group-by.js";
import type { SheetMaker, SheetSubject } from "../plan/planning.js";
import { Totals } from "../plan/totals.js";
import { type Approvable, approvalPage } from "./approval-page.js";

/** Most rows that the page lists from the beginning of the file, most new payees, and most duplicates of each kind. */
const most = { rows: 200, payees: 200, duplicates: 30 } as const;
/** Most of the largest payments of one currency, and most currencies that are looked at so; a file may name thousands. */
const mostLargest = 10;
const mostCurrencies = 5;

export interface SheetOptions extends Pick<Approvable, "unmasked" | "madeBy" | "approve"> {
	/** Reads the names that are no personal data; called once, after the last row. */
	names(): Promise<Approvable["nameOf"]>;
	/** Writes the page. @returns SHA-256 of its bytes, hex */
	write(page: Page): Promise<{ sha256: string }>;
	/** Takes back what was written. */
	remove(): Promise<void>;
}

export function sheetMaker({ names, write, remove, ...options }: SheetOptions): SheetMaker {
	const rows = new RowsOfPage();
	let written = false;
	return {
		add: (row) => rows.add(row),
		write: async (subject) => {
			const duplicates = await duplicatesOf(subject);
			const { beneficiaries, ledgers } = subject.strangers;
			const pages = beneficiaries + ledgers === 0 ? noRows() : subject.batches.firstTimeRows(subject.plan.batch);
			const asked = [...rows.largest.flat(), ...duplicates.inside, ...duplicates.earlier].map(({ row }) => row);
			const newPayees = await gatherNewPayees(pages, new Set(asked));
			const made = await write(approvalPage({ ...subject, ...options, rows, newPayees, duplicates, nameOf: await names() }));
			written = true;
			return made;
		},
		discard: async () => {
			if (written) await remove();
		},
	};
}

async function duplicatesOf({ alike, batches, plan, skew }: SheetSubject) {
	const { inside, earlier, doubts, sending } = alike;
	if (inside + earlier + doubts.rows + (sending?.rows ?? 0) === 0) return { inside: [], earlier: [] };
	return batches.duplicateRows(plan.batch, most.duplicates, skew);
}

async function* noRows(): AsyncGenerator<never> {}

/** The first rows of a file, and the largest of each currency. */
export class RowsOfPage {
	readonly first: PlannedRow[] = [];
	readonly #largest = new Map<string | undefined, PlannedRow[]>();

	add(row: PlannedRow): void {
		if (this.first.length < most.rows) this.first.push(row);
		const { amount, currency } = row.transfer;
		const largest = this.#largest.get(currency) ?? [];
		if (largest.length === 0 && this.#largest.size >= mostCurrencies) return;
		this.#largest.set(currency, largest);
		const least = largest.at(-1);
		if (largest.length === mostLargest && least !== undefined && compareAmounts(amount, least.transfer.amount) <= 0) return;
		const place = largest.findIndex(({ transfer }) => compareAmounts(amount, transfer.amount) > 0);
		largest.splice(place < 0 ? largest.length : place, 0, row);
		if (largest.length > mostLargest) largest.pop();
	}

	/** By currency in the order of the file, each the largest first; of the same amount, the first in the file. */
	get largest(): PlannedRow[][] {
		return [...this.#largest.values()];
	}
}

/** Parties that were never paid from this journal. */
export interface NewPayees {
	/** Exact sums of their rows by currency; `ledgerFromId` is empty. */
	totals: BatchTotal[];
	/** The first of them in the order of the file, each with its first row and its exact sums. */
	payees: { row: PlannedRow; totals: BatchTotal[] }[];
	/** Those of the asked rows that are among theirs. */
	rows: ReadonlySet<number>;
}

/** @param pages the rows to parties that were never paid, from the journal @param asked rows of which the page tells whether they are among these */
export async function gatherNewPayees(pages: AsyncIterable<PlannedRow[]>, asked: ReadonlySet<number>): Promise<NewPayees> {
	const all = new Totals(new Map());
	const each = new Totals(new Map());
	const payees = new Map<string, PlannedRow>();
	const rows = new Set<number>();
	for await (const page of pages)
		for (const planned of page) {
			const { row, transfer } = planned;
			const id = plainId(transfer.counterpartyId);
			if (asked.has(row)) rows.add(row);
			// The class sums by the debited ledger; here one sum is wanted of all of them, and one by who is credited.
			all.add(row, { ...transfer, ledgerFromId: "" });
			if (!payees.has(id) && payees.size < most.payees) payees.set(id, planned);
			if (payees.has(id)) each.add(row, { ...transfer, ledgerFromId: id });
		}
	const totalsOf = groupBy(each.list, ({ ledgerFromId }) => ledgerFromId);
	return { totals: all.list, payees: [...payees].map(([id, row]) => ({ row, totals: totalsOf.get(id) ?? [] })), rows };
}
