/**
 * A row of a batch as it is kept: the cells alone. What all rows have in common stands once, in the batch.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import type { BatchShared } from "../../ports/batches.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { SqlRow, Storage } from "./storage.js";
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
export function cellsOf(transfer: Transfer): Cells {
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
export function transferOf([kind, ledgerFromId, counterpartyId, amount, currency, reference, fast, interLedger]: Cells): Transfer {
	const transfer: Transfer = { kind: kind === "l" ? "ledger" : "beneficiary", ledgerFromId, counterpartyId, amount };
	if (currency !== null) transfer.currency = currency;
	if (reference !== null) transfer.reference = reference;
	if (fast !== null) transfer.allowFastPayment = fast;
	if (interLedger !== null) transfer.allowInterLedger = interLedger;
	return transfer;
}

/** The transfer of a row of the table. */
export const transferIn = ({ content }: SqlRow): Transfer => transferOf(JSON.parse(String(content)) as Cells);

/**
 * The rows of a batch by pages, in their order, so that memory holds one page of them.
 * @param columns SQL, with `number`; `where`: a condition in SQL, where not all are meant; `page`: most rows of one
 */
export function* rowPages(
	storage: Storage,
	{ number, first, last }: { number: number; first: number; last: number },
	{ columns = "number, content", where, page }: { columns?: string; where?: string; page: number },
): Generator<SqlRow[]> {
	const condition = where === undefined ? "" : ` AND ${where}`;
	const sql = `SELECT ${columns} FROM intent WHERE number > ? AND number <= ? AND batch = ?${condition} ORDER BY number LIMIT ${page}`;
	for (let after = first - 1; ; ) {
		const found = statement(storage, sql).all(after, last, number);
		if (found.length > 0) yield found;
		if (found.length < page) return;
		after = Number(found.at(-1)?.number);
	}
}

/** The whole intent of a row. */
export function rowIntent({ profile, origin, service, operations }: BatchShared, cells: Cells): JournalIntent {
	const transfer = transferOf(cells);
	return { ...operations[transfer.kind], effect: "money", profile, origin, service, transfer };
}

/** Who asked for the runs of batches, by batch and sender; a run is asked for once. */
const askedBy = new WeakMap<Storage, Map<string, string | undefined>>();

/**
 * Who asked for the run in which a row was last sent: it stands once, in the event with which that run began. Undefined where no run
 * took the row, or the record does not say.
 */
export function operatorOfRow(storage: Storage, batch: number, sender: string | undefined): string | undefined {
	if (sender === undefined) return undefined;
	const all = askedBy.get(storage) ?? new Map<string, string | undefined>();
	askedBy.set(storage, all);
	const run = `${batch} ${sender}`;
	if (all.has(run)) return all.get(run);
	const row = statement(
		storage,
		`SELECT content->>'$.allowed.operator' AS operator FROM event WHERE batch = ? AND kind = 'begun-batch' AND content->>'$.sender' = ?
		ORDER BY seq DESC LIMIT 1`,
	).get(batch, sender);
	const operator = typeof row?.operator === "string" ? row.operator : undefined;
	all.set(run, operator);
	return operator;
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
