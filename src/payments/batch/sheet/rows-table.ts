/**
 * A table of payments on a sheet.
 */

import { plainId } from "../../../api/text/ids.js";
import type { PlannedRow } from "../../../ports/batch-plan.js";
import type { Block, Cell } from "../../../ports/page.js";
import { short } from "./cells.js";

/** What a table of payments says beside the rows. */
export interface RowWords {
	plan: { totals: readonly { ledgerFromId: string }[] };
	nameOf(id: string): string | undefined;
	payees: ReadonlyMap<string, string>;
	unmasked: boolean;
	/** Rows that pay somebody for the first time. */
	firstTimeRows: ReadonlySet<number>;
}

/** @param remarks a column in front of the reference: its name, and a cell for each row */
export function rowsTable<T extends PlannedRow>(
	rows: readonly T[],
	words: RowWords,
	{ caption, more, remarks }: { caption: string; more?: string; remarks?: { name: string; of(row: T): Cell } },
): Block {
	const many = new Set(words.plan.totals.map(({ ledgerFromId }) => ledgerFromId)).size > 1;
	const named = rows.some(({ transfer }) => payeeName(transfer.counterpartyId, words) !== undefined);
	const isNew = rows.some(({ row }) => words.firstTimeRows.has(row));
	const references = rows.some(({ transfer }) => transfer.reference !== undefined);
	const columns: [boolean, { name: string; right?: boolean }, (row: T) => Cell][] = [
		[true, { name: "Row", right: true }, ({ row }) => String(row)],
		[true, { name: "Amount", right: true }, ({ transfer }) => ({ amount: transfer.amount, currency: transfer.currency })],
		[named, { name: "To" }, ({ transfer }) => payeeName(transfer.counterpartyId, words)],
		[true, { name: named ? "Kind" : "To" }, ({ transfer }) => transfer.kind],
		[true, { name: "Id" }, ({ transfer }) => ({ code: short(plainId(transfer.counterpartyId)) })],
		[isNew, { name: "Paid before" }, ({ row }) => (words.firstTimeRows.has(row) ? { text: "first time", tone: "warn" } : "yes")],
		[remarks !== undefined, { name: remarks?.name ?? "" }, (row) => remarks?.of(row)],
		[many, { name: "From" }, ({ transfer }) => fromOf(transfer.ledgerFromId, words)],
		[references, { name: "Reference" }, ({ transfer }) => referenceOf(transfer.reference, words)],
	];
	const shown = columns.filter(([isShown]) => isShown);
	return {
		kind: "table",
		caption,
		columns: shown.map(([, column]) => column),
		rows: rows.map((row) => shown.map(([, , cell]) => cell(row))),
		empty: "None.",
		more,
	};
}

/** A payee's name; `***` for one that may be a person's, unless personal data is shown. */
export function payeeName(id: string, { nameOf, payees, unmasked }: Pick<RowWords, "nameOf" | "payees" | "unmasked">): string | undefined {
	const open = nameOf(id);
	if (open !== undefined) return short(open, 40);
	const name = payees.get(plainId(id));
	if (name === undefined) return undefined;
	return unmasked ? short(name, 40) : "***";
}

function fromOf(id: string, { nameOf }: RowWords): Cell {
	const name = nameOf(id);
	return name === undefined ? { code: short(id) } : short(name, 40);
}

/** A reference may name a person or what is paid for. */
const referenceOf = (reference: string | undefined, { unmasked }: RowWords): Cell =>
	reference === undefined ? undefined : unmasked ? short(reference) : "***";
