/**
 * Cancels the rest of a batch: one transaction after which no sender can send a row that was never marked as being sent. Rows that were
 * begun stay as they are.
 */

import { advice, purser } from "../../api/advice.js";
import type { AbandonedRest, BatchRest, BatchState } from "../../ports/batches.js";
import type { Rules } from "../../ports/journal.js";
import type { Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import { type Abandonment, type Range, rangesOf } from "../intents/batch-events.js";
import { addSpent, type Dependencies } from "../intents/write.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import { tablesIn } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import { idleBatch, refusedBatch, rowsWhere, type StoredBatch } from "./table.js";

/** Rows of one page. */
const page = 2_000;

/** The input of a cancellation. */
interface Asked {
	reason: string;
	rows?: number;
	found: Rest;
}

/** SQL: a row that was never marked as being sent. No step leads back to this state. */
const neverMarked = "state = 'planned' AND attempt = 0";

/** What would be cancelled: the rows that were never marked as being sent, with their sums. */
export function restOf(storage: Storage, rules: Pick<Rules, "add">, batch: StoredBatch): BatchRest & { ranges: Range[] } {
	const sums = new Map<string, { rows: number; amount: string }>();
	const ranges: [number, number][] = [];
	let rows = 0;
	for (const found of rowPages(storage, batch, { where: neverMarked, page })) {
		for (const row of found) {
			const { amount, currency = "" } = transferIn(row);
			const before = sums.get(currency) ?? { rows: 0, amount: "0" };
			sums.set(currency, { rows: before.rows + 1, amount: rules.add(before.amount, amount, 1) });
		}
		rows += found.length;
		rangesOf(
			found.map(({ number }) => Number(number)),
			ranges,
		);
	}
	const totals = [...sums].map(([currency, sum]) => (currency === "" ? sum : { currency, ...sum }));
	return { rows, totals, ranges };
}

/** The result of {@link restOf}, read before the transaction: adding up a million rows takes seconds and would block every payment. */
export type Rest = ReturnType<typeof restOf>;

/**
 * Cancels the rows that were never marked as being sent. Changes nothing if the batch was cancelled before.
 * @param asked why; `rows`: how many a person was shown as about to be cancelled; `found`: the rest as read just before
 * @throws RefusedJob, if another process is sending it, every row was accepted, or the number of remaining rows has changed
 */
export function abandon(
	transaction: WriteTransaction,
	dependencies: Pick<Dependencies, "rules" | "lives">,
	name: string,
	asked: Asked,
): void {
	const { storage } = transaction;
	const batch = idleBatch(storage, dependencies.lives, name, "nothing was cancelled");
	if (batch.state === "abandoned") return;
	// Rows only leave this state and none are added, so comparing the number is enough.
	const isUnchanged = rowsWhere(storage, batch, neverMarked) === asked.found.rows;
	const { rows, totals, ranges } = isUnchanged ? asked.found : restOf(storage, dependencies.rules, batch);
	const again = advice`\nCancel the rest now: ${purser`pay batch abandon ${batch.number} --reason TEXT`}`;
	if (asked.rows !== undefined && asked.rows !== rows)
		throw refusedBatch(
			batch,
			"BATCH_MOVED",
			"has changed since it was checked: another purser sent rows of it; nothing was cancelled",
			again,
		);
	if (rows === 0 && rowsWhere(storage, batch, "state NOT IN ('accepted', 'waiting')") === 0)
		throw refusedBatch(batch, "BATCH_OVER", "has nothing left to cancel: every row was accepted");
	// All refusals come before the first write; a refusal after it would leave a partial change.
	const sums = Object.fromEntries(totals.map(({ currency = "", amount }) => [currency, amount]));
	// Rows of a begun batch were counted on its day.
	if (batch.state === "begun" && batch.day !== undefined) addSpent(tablesIn(transaction), dependencies.rules, batch.day, sums, -1);
	transaction
		.sql(`UPDATE intent SET state = 'abandoned', changed = ? WHERE number BETWEEN ? AND ? AND batch = ? AND ${neverMarked}`)
		.run(transaction.now.toISOString(), batch.first, batch.last, batch.number);
	const state: BatchState = "abandoned";
	transaction.sql("UPDATE batch SET state = ?, sender = NULL WHERE number = ?").run(state, batch.number);
	const event: Abandonment = { batch: batch.number, reason: asked.reason, rows, totals, ranges };
	transaction.append("abandoned", undefined, event, batch.number);
}

/** When and why a batch was cancelled, from its event. */
export function abandonedOf(storage: Storage, batch: StoredBatch): AbandonedRest | undefined {
	if (batch.state !== "abandoned") return undefined;
	// Search from the newest event: only settlements and looks can follow it.
	const row = statement(storage, "SELECT at, content FROM event WHERE batch = ? AND kind = 'abandoned' ORDER BY seq DESC LIMIT 1").get(
		batch.number,
	);
	if (row === undefined) return undefined;
	const { reason, rows, totals } = JSON.parse(String(row.content)) as Abandonment;
	return { at: String(row.at), reason, rows, totals };
}
