/**
 * The step that a batch is sent by: in one durable commit, what became of rows, and which ones leave next.
 * No row leaves that was not marked here, none is marked twice without an end that proves it was not created.
 */
import type { BegunRow, RowEnd } from "../batches.js";
import type { IntentState, JournalOutcome } from "../context.js";
import { listed } from "./batch-alike.js";
import { count } from "./batch-begin.js";
import { type Moved, rangesOf } from "./batch-events.js";
import { type Cells, transferOf } from "./batch-row.js";
import type { KeptBatch } from "./batch-table.js";
import { resultOf } from "./record.js";
import type { Row } from "./storage.js";
import { createdKey, type Tables, tablesIn } from "./tables.js";
import type { Transaction } from "./transaction.js";
import type { Hands } from "./write.js";

/** @param after the number up to which this run has taken rows */
export function advance(
	transaction: Transaction,
	hands: Hands,
	batch: KeptBatch,
	{ ended, want, after }: { ended: readonly RowEnd[]; want: number; after: number },
): BegunRow[] {
	const sender = hands.own();
	const tables = tablesIn(transaction);
	const told = ended.flatMap((end) => {
		const outcome = endRow(transaction, hands, tables, batch, sender, end);
		return outcome ? [[end.number, outcome] as const] : [];
	});
	const begun = want === 0 ? [] : take(transaction, hands, tables, batch, { sender, want, after });
	if (told.length + begun.length === 0) return [];
	const moved: Moved = { batch: batch.number, sender, begun: rangesOf(begun.map(({ number }) => number)), ended: told, died: [] };
	transaction.append("moved", undefined, moved, batch.number);
	return begun;
}

/** @returns the outcome as it is recorded: an id that another transfer holds makes a doubt of it; undefined where it is on record already */
function endRow(
	transaction: Transaction,
	{ rules }: Hands,
	tables: Tables,
	batch: KeptBatch,
	sender: string,
	{ number, outcome: given }: RowEnd,
): JournalOutcome | undefined {
	const holder = given.state === "accepted" && given.id !== undefined ? tables.holder(given.id, number) : undefined;
	const outcome: JournalOutcome =
		holder !== undefined && given.state === "accepted"
			? { state: "in-doubt", status: given.status, reason: `the service gave the id ${given.id}, which transfer ${holder} holds` }
			: given;
	const state = rules.next("sending", { kind: "ended", outcome });
	const id = outcome.state === "accepted" ? outcome.id?.toLowerCase() : undefined;
	const row = transaction
		.sql(
			`UPDATE intent SET state = ?, changed = ?, created_id = coalesce(?, created_id), created = coalesce(?, created), result = ?
			WHERE number = ? AND batch = ? AND state = 'sending' AND sender = ? RETURNING begun, content`,
		)
		.get(
			state,
			transaction.now.toISOString(),
			id ?? null,
			id === undefined ? null : createdKey(id),
			JSON.stringify(resultOf(outcome)),
			number,
			batch.number,
			sender,
		);
	if (row === undefined) {
		// A commit that succeeded although it was reported as failed is tried again with the same words.
		if (tables.find(number)?.state === state) return undefined;
		throw new Error(`intent ${number} of batch ${batch.number} ended, but this process was not sending it`);
	}
	if (!rules.counts(state)) count(tables, rules, String(row.begun).slice(0, 10), sumOf([row], rules.add), -1);
	return outcome;
}

function take(
	transaction: Transaction,
	{ rules }: Hands,
	tables: Tables,
	batch: KeptBatch,
	{ sender, want, after }: { sender: string; want: number; after: number },
): BegunRow[] {
	const takes = listed(batch.takes);
	const rows = transaction
		.sql(
			`SELECT number, row, attempt, state, content FROM intent WHERE number > ? AND number <= ? AND batch = ? AND state IN (${takes}) ORDER BY number LIMIT ?`,
		)
		.all(after, batch.last, batch.number, want);
	for (const row of rows) rules.next(row.state as IntentState, { kind: "begun" });
	const at = transaction.now.toISOString();
	const mark = transaction.sql(
		`UPDATE intent SET state = 'sending', attempt = attempt + 1, begun = ?, changed = ?, sender = ?, result = '{}'
		WHERE number BETWEEN ? AND ? AND batch = ? AND state IN (${takes})`,
	);
	for (const [from, to] of rangesOf(rows.map((row) => Number(row.number)))) mark.run(at, at, sender, from, to, batch.number);
	recount(tables, rules.add, batch, at.slice(0, 10), rows);
	return rows.map((row) => ({
		number: Number(row.number),
		row: Number(row.row),
		attempt: Number(row.attempt) + 1,
		transfer: transferOf(JSON.parse(String(row.content)) as Cells),
	}));
}

type Add = Hands["rules"]["add"];

/** A row counts on the day on which it is sent; planned ones were counted on the batch's day. */
function recount(tables: Tables, add: Add, batch: KeptBatch, today: string, rows: readonly Row[]): void {
	const planned = rows.filter(({ state }) => state === "planned");
	const again = rows.filter(({ state }) => state !== "planned");
	const rules = { add };
	if (again.length > 0) count(tables, rules, today, sumOf(again, add), 1);
	if (planned.length === 0 || batch.day === undefined || batch.day === today) return;
	count(tables, rules, batch.day, sumOf(planned, add), -1);
	count(tables, rules, today, sumOf(planned, add), 1);
}

/** Sums by currency. */
function sumOf(rows: readonly Row[], add: Add): Record<string, string> {
	const sums: Record<string, string> = {};
	for (const row of rows) {
		const { amount, currency = "" } = transferOf(JSON.parse(String(row.content)) as Cells);
		sums[currency] = add(sums[currency] ?? "0", amount, 1);
	}
	return sums;
}
