/**
 * A row of a batch as it is kept: the cells alone. What all rows have in common stands once, in the batch.
 */
import type { BatchShared, BatchTransfer } from "../ports/batches.js";
import type { JournalIntent } from "../ports/journal.js";
import type { Storage } from "./storage.js";
import { statement } from "./transaction.js";

/** Kind (`l` or `b`), debited, credited, amount, currency, reference, the two switches. */
export type Cells = readonly [
	kind: "l" | "b",
	from: string,
	to: string,
	amount: string,
	currency: string | null,
	reference: string | null,
	fast: boolean | null,
	interLedger: boolean | null,
];

/** A transfer as its row keeps it: what all rows of a batch have in common stands with the batch. */
export function cellsOf(transfer: BatchTransfer): Cells {
	const { kind, ledgerFromId, counterpartyId, amount, currency, reference, allowFastPayment, allowInterLedger } = transfer;
	return [
		kind === "ledger" ? "l" : "b",
		ledgerFromId,
		counterpartyId,
		amount,
		currency ?? null,
		reference ?? null,
		allowFastPayment ?? null,
		allowInterLedger ?? null,
	];
}

/** The transfer that a row keeps. */
export function transferOf([kind, ledgerFromId, counterpartyId, amount, currency, reference, fast, interLedger]: Cells): BatchTransfer {
	const transfer: BatchTransfer = { kind: kind === "l" ? "ledger" : "beneficiary", ledgerFromId, counterpartyId, amount };
	if (currency !== null) transfer.currency = currency;
	if (reference !== null) transfer.reference = reference;
	if (fast !== null) transfer.allowFastPayment = fast;
	if (interLedger !== null) transfer.allowInterLedger = interLedger;
	return transfer;
}

/** The whole intent of a row. */
export function rowIntent({ profile, origin, service, operations }: BatchShared, cells: Cells): JournalIntent {
	const transfer = transferOf(cells);
	return { ...operations[transfer.kind], effect: "money", profile, origin, service, transfer };
}

/** What the rows of a batch have in common, read once for a connection: it never changes. */
const known = new WeakMap<Storage, Map<number, BatchShared>>();

/** What all rows of a batch have in common; read once for each opened journal. */
export function sharedOf(storage: Storage, batch: number): BatchShared {
	const all = known.get(storage) ?? new Map<number, BatchShared>();
	known.set(storage, all);
	const found = all.get(batch);
	if (found) return found;
	const row = statement(storage, "SELECT shared FROM batch WHERE number = ?").get(batch);
	const shared = JSON.parse(String(row?.shared)) as BatchShared;
	all.set(batch, shared);
	return shared;
}
