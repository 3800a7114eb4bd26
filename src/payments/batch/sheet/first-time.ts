/**
 * Gathers what a sheet shows of parties that are paid for the first time.
 */

import { plainId } from "../../../api/text/ids.js";
import type { BatchTotal, PlannedRow } from "../../../ports/batch-plan.js";
import { groupBy } from "../../rules/group-by.js";
import { Totals } from "../plan/totals.js";

/** Most parties that a sheet lists. */
export const mostPayees = 200;

/** Rows to parties that were never paid from this journal. */
export interface FirstTime {
	/** Exact sums by currency; `ledgerFromId` is empty. */
	totals: BatchTotal[];
	/** The first parties in the order of the file. */
	payees: { kind: PlannedRow["transfer"]["kind"]; id: string; firstRow: number; totals: BatchTotal[] }[];
	/** Those of the asked rows that are among them. */
	rows: ReadonlySet<number>;
}

/** @param pages the rows, from the journal @param asked rows of which the sheet tells whether they pay a new party */
export async function gatherFirstTime(pages: AsyncIterable<PlannedRow[]>, asked: ReadonlySet<number>): Promise<FirstTime> {
	const all = new Totals(new Map());
	const each = new Totals(new Map());
	const payees = new Map<string, Omit<FirstTime["payees"][number], "totals">>();
	const rows = new Set<number>();
	for await (const page of pages)
		for (const { row, transfer } of page) {
			const { kind, counterpartyId } = transfer;
			const id = plainId(counterpartyId);
			if (asked.has(row)) rows.add(row);
			// The class sums by the debited ledger; here one sum is wanted of all of them, and one by who is credited.
			all.add(row, { ...transfer, ledgerFromId: "" });
			if (!payees.has(id) && payees.size < mostPayees) payees.set(id, { kind, id, firstRow: row });
			if (payees.has(id)) each.add(row, { ...transfer, ledgerFromId: id });
		}
	const totalsOf = groupBy(each.list, ({ ledgerFromId }) => ledgerFromId);
	return { totals: all.list, payees: [...payees.values()].map((payee) => ({ ...payee, totals: totalsOf.get(payee.id) ?? [] })), rows };
}
