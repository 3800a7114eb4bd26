/**
 * Cancels the rest of a batch: one transaction after which no sender can send a row that was never marked as being sent. Rows that were
 * begun stay as they are.
 */

import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { AbandonedRest, BatchRest, BatchState } from "../../ports/batches.js";
import type { Rules } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import { type Abandonment, type Range, rangesOf } from "../intents/batch-events.js";
import { addSpent, type Dependencies } from "../intents/write.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import { tablesIn } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import { type StoredBatch, storedBatchNamed, wrongState } from "./table.js";

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
		for (const [from, to] of rangesOf(found.map(({ number }) => Number(number)))) {
			const last = ranges.at(-1);
			if (last?.[1] === from - 1) last[1] = to;
			else ranges.push([from, to]);
		}
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
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state === "loading") throw new RefusedJob(wrongState(batch, "was never planned to the end"));
	if (batch.state === "abandoned") return;
	if (batch.sender !== undefined && dependencies.lives(batch.sender)) throw new RefusedJob(busy(batch));
	const { rows, totals, ranges } = isUnchanged(transaction, batch, asked.found)
		? asked.found
		: restOf(transaction.storage, dependencies.rules, batch);
	if (asked.rows !== undefined && asked.rows !== rows) throw new RefusedJob(batchMoved(batch));
	if (rows === 0 && allAccepted(transaction, batch)) throw new RefusedJob(nothingLeft(batch));
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

/** Whether the rest is unchanged. Rows only leave this state and none are added, so comparing the number is enough. */
function isUnchanged(transaction: WriteTransaction, { first, last, number }: StoredBatch, { rows }: Rest): boolean {
	const sql = `SELECT count(*) AS rows FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND ${neverMarked}`;
	return transaction.sql(sql).get(first, last, number)?.rows === rows;
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

function allAccepted(transaction: WriteTransaction, { first, last, number }: StoredBatch): boolean {
	const sql =
		"SELECT EXISTS (SELECT 1 FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND state NOT IN ('accepted', 'waiting')) AS other";
	return transaction.sql(sql).get(first, last, number)?.other === 0;
}

function busy({ number }: StoredBatch): PurserError {
	return new PurserError("guard", {
		code: "BATCH_BUSY",
		message: `Batch ${number} is being sent right now by another purser; nothing was cancelled`,
		why: "What it has marked may be on its way already",
		fix: advice`Stop it with Ctrl-C where it runs, or wait until it has ended; follow it: ${purser`pay batch status ${number}`}\nThen cancel what is left: ${purser`pay batch abandon ${number} --reason TEXT`}`,
	});
}

function batchMoved({ number }: StoredBatch): PurserError {
	return new PurserError("guard", {
		code: "BATCH_MOVED",
		message: `Batch ${number} has changed since it was checked: another purser sent rows of it; nothing was cancelled`,
		fix: advice`Check its status: ${purser`pay batch status ${number}`}\nCancel the rest now: ${purser`pay batch abandon ${number} --reason TEXT`}`,
	});
}

function nothingLeft({ number }: StoredBatch): PurserError {
	return new PurserError("guard", {
		code: "BATCH_OVER",
		message: `Every row of batch ${number} was accepted; there is nothing to cancel`,
		fix: advice`Check its status: ${purser`pay batch status ${number}`}`,
	});
}
