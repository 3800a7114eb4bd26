/**
 * The stored form of a batch's row: only its own cells. What all rows have in common is stored once, with the batch.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { BatchOverrides, BatchShared } from "../../ports/batches.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { SqlRow } from "../../sqlite/storage.js";
import { type Read, type Reading, raw, type Sql, sql } from "./sql.js";

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

/** A batch's number, and the first and last numbers of its rows. */
export interface RowSpan {
	number: number;
	first: number;
	last: number;
}

/** SQL: a row of a batch. Other intents may lie between its numbers. @param row the name of `intent` in the statement */
export const rowOf = ({ number, first, last }: RowSpan, row = "intent"): Sql =>
	sql`${raw(row)}.number BETWEEN ${first} AND ${last} AND ${raw(row)}.batch = ${number}`;

/**
 * The rows of a batch in order, page by page to bound memory.
 * @param columns must include `number`; `where`: a condition; `page`: most rows per page
 */
export async function* rowPages(
	read: Read,
	{ number, first, last }: RowSpan,
	{ columns = sql`number, content`, where = sql`1 = 1`, page }: { columns?: Sql; where?: Sql; page: number },
): AsyncGenerator<SqlRow[]> {
	for (let after = first - 1; ; ) {
		const rows = sql`SELECT ${columns} FROM intent WHERE number > ${after} AND number <= ${last} AND batch = ${number} AND ${where}`;
		const found = await read((reading) => reading.all(sql`${rows} ORDER BY number LIMIT ${page}`));
		if (found.length > 0) yield found;
		if (found.length < page) return;
		after = Number(found.at(-1)?.number);
	}
}

/**
 * SQL: whether a row of `intent` may have been sent to this sandbox; it was not if it is known to have been sent to another one. Where the
 * sandbox is not known, everything may.
 * @param row its name in the statement
 */
export const mayBeOfSandbox = (row: string, sandbox: string | undefined): Sql =>
	sandbox === undefined ? sql`1 = 1` : sql`(${raw(row)}.sandbox IS NULL OR ${raw(row)}.sandbox = ${sandbox})`;

/** Who a transfer credits, as parties are compared. */
export const partyOf = ({ kind, counterpartyId }: Pick<Transfer, "kind" | "counterpartyId">): string =>
	`${kind} ${plainId(counterpartyId)}`;

/** The whole intent of a row. */
export function rowIntent({ profile, origin, service, sandbox, operations }: BatchShared, cells: Cells): JournalIntent {
	const transfer = transferOf(cells);
	const { operation, method, path } = operations[transfer.kind];
	return { operation, effect: "money", profile, origin, service, sandbox, method, path, transfer };
}

/** Of the runs of a batch, newest first: the sender, and what it was begun with, such as who asked for it and the mapping that it sent with. */
export async function runsOf(reading: Reading, batch: number): Promise<{ sender: string; allowed: BatchOverrides }[]> {
	const begun = sql`SELECT content FROM event WHERE batch = ${batch} AND kind = 'begun-batch' AND kind <> 'moved' ORDER BY seq DESC`;
	return (await reading.all(begun)).map(({ content }) => JSON.parse(String(content)) as { sender: string; allowed: BatchOverrides });
}

/** What all rows of a batch have in common, and its runs. */
export async function sharedOf(reading: Reading, batch: number) {
	const row = await reading.get(sql`SELECT shared FROM batch WHERE number = ${batch}`);
	return { shared: JSON.parse(String(row?.shared)) as BatchShared, runs: await runsOf(reading, batch) };
}
