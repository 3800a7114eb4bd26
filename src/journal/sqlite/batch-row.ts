/**
 * The stored form of a batch's row: only its own cells. What all rows have in common is stored once, with the batch.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { BatchOverrides, BatchShared } from "../../ports/batches.js";
import type { JournalIntent } from "../../ports/intent.js";
import { statement } from "../../sqlite/statement.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";

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

/** The cells that store a transfer. */
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

/** The transfer stored in these cells. */
export function transferOf([kind, ledgerFromId, counterpartyId, amount, currency, reference, fast, interLedger]: Cells): Transfer {
	const transfer: Transfer = { kind: kind === "l" ? "ledger" : "beneficiary", ledgerFromId, counterpartyId, amount };
	if (currency !== null) transfer.currency = currency;
	if (reference !== null) transfer.reference = reference;
	if (fast !== null) transfer.allowFastPayment = fast;
	if (interLedger !== null) transfer.allowInterLedger = interLedger;
	return transfer;
}

/** The transfer of a row of table `intent`. */
export const transferIn = ({ content }: SqlRow): Transfer => transferOf(JSON.parse(String(content)) as Cells);

/**
 * The rows of a batch in order, page by page to bound memory.
 * @param columns SQL, must include `number`; `where`: an optional SQL condition; `page`: most rows per page
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

/**
 * SQL: whether a row of `intent` may have been sent to this sandbox; it was not if it is known to have been sent to another one.
 * @param sandbox SQL for the identity, never null
 */
export const mayBeOfSandbox = (row: string, sandbox: string): string => `(${row}.sandbox IS NULL OR ${row}.sandbox = ${sandbox})`;

/** Who a transfer credits, as parties are compared. */
export const partyOf = ({ kind, counterpartyId }: Transfer): string => `${kind} ${plainId(counterpartyId)}`;

/** The whole intent of a row. */
export function rowIntent({ profile, origin, service, sandbox, operations }: BatchShared, cells: Cells): JournalIntent {
	const transfer = transferOf(cells);
	return {
		...operations[transfer.kind],
		effect: "money",
		profile,
		origin,
		service,
		...(sandbox === undefined ? {} : { sandbox }),
		transfer,
	};
}

/** What is told of one run of a batch. */
type RunOfRow = Pick<BatchOverrides, "operator" | "mapping">;

/** Caches what is told of each run of a batch, by batch and sender. */
const sharedByRun = new WeakMap<Storage, Map<string, RunOfRow>>();

/**
 * Who asked for the run that last sent a row, and the mapping that it sent with, from the event with which that run began. Nothing if no run
 * sent the row, or where the event does not say.
 */
export function runOfRow(storage: Storage, batch: number, sender: string | undefined): RunOfRow {
	if (sender === undefined) return {};
	const all = sharedByRun.get(storage) ?? new Map<string, RunOfRow>();
	sharedByRun.set(storage, all);
	const run = `${batch} ${sender}`;
	const known = all.get(run);
	if (known !== undefined) return known;
	const row = statement(
		storage,
		`SELECT content->>'$.allowed.operator' AS operator, content->>'$.allowed.mapping' AS mapping FROM event
		WHERE batch = ? AND kind = 'begun-batch' AND content->>'$.sender' = ? ORDER BY seq DESC LIMIT 1`,
	).get(batch, sender);
	const shared: RunOfRow = {
		operator: typeof row?.operator === "string" ? row.operator : undefined,
		mapping: typeof row?.mapping === "string" ? row.mapping : undefined,
	};
	all.set(run, shared);
	return shared;
}

/** Caches, per connection, what the rows of a batch have in common; it never changes. */
const sharedByBatch = new WeakMap<Storage, Map<number, BatchShared>>();

/** What all rows of a batch have in common. */
export function sharedOf(storage: Storage, batch: number): BatchShared {
	const all = sharedByBatch.get(storage) ?? new Map<number, BatchShared>();
	sharedByBatch.set(storage, all);
	const found = all.get(batch);
	if (found) return found;
	const row = statement(storage, "SELECT shared FROM batch WHERE number = ?").get(batch);
	const shared = JSON.parse(String(row?.shared)) as BatchShared;
	all.set(batch, shared);
	return shared;
}
