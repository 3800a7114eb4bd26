/**
 * The stored form of a batch's row: only its own cells. What all rows have in common is stored once, with the batch.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { BatchOverrides, BatchShared } from "../../ports/batches.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";

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
export const partyOf = ({ kind, counterpartyId }: Pick<Transfer, "kind" | "counterpartyId">): string =>
	`${kind} ${plainId(counterpartyId)}`;

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

/** Reads once for each connection and key what never changes. */
function readOnce<K extends readonly unknown[], T>(read: (storage: Storage, ...key: K) => T): (storage: Storage, ...key: K) => T {
	const all = new WeakMap<Storage, Map<string, T>>();
	return (storage, ...key) => {
		const known = all.get(storage) ?? new Map<string, T>();
		all.set(storage, known);
		const name = key.join(" ");
		const found = known.get(name) ?? read(storage, ...key);
		known.set(name, found);
		return found;
	};
}

/** Of one run of a batch: who asked for it, and the mapping that it sent with; nothing where the event with which it began does not say. */
const toldOfRun = readOnce((storage, batch: number, sender: string): RunOfRow => {
	const row = statement(
		storage,
		`SELECT content->>'$.allowed.operator' AS operator, content->>'$.allowed.mapping' AS mapping FROM event
		WHERE batch = ? AND kind = 'begun-batch' AND content->>'$.sender' = ? ORDER BY seq DESC LIMIT 1`,
	).get(batch, sender);
	const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
	return { operator: text(row?.operator), mapping: text(row?.mapping) };
});

/** The same of the run that last sent a row; nothing if none did. */
export const runOfRow = (storage: Storage, batch: number, sender: string | undefined): RunOfRow =>
	sender === undefined ? {} : toldOfRun(storage, batch, sender);

/** What all rows of a batch have in common. */
export const sharedOf = readOnce((storage, batch: number): BatchShared => {
	const row = statement(storage, "SELECT shared FROM batch WHERE number = ?").get(batch);
	return JSON.parse(String(row?.shared)) as BatchShared;
});
