/**
 * Cancelling the rest of a batch: one transaction in which every row that was never marked as being sent leaves the reach of all
 * senders, and the batch sends nothing more. What was begun, whatever became of it, stays as it is.
 */

import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { AbandonedRest, BatchRest, BatchState } from "../../ports/batches.js";
import type { Rules } from "../../ports/journal.js";
import { type Abandonment, type Range, rangesOf } from "../intents/batch-events.js";
import { RefusedJob } from "../intents/queue.js";
import { addSpent } from "../intents/write.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import type { Storage } from "../sqlite/storage.js";
import { tablesIn } from "../sqlite/tables.js";
import { statement, type WriteTransaction } from "../sqlite/transaction.js";
import type { BatchDependencies } from "./begin.js";
import { type StoredBatch, storedBatchNamed, wrongState } from "./table.js";

/** Rows of one page. */
const page = 2_000;

/** With what a batch is cancelled. */
interface Asked {
	reason: string;
	rows?: number;
	found: Rest;
}

/** Words of SQL: a row that nobody ever marked as being sent. No step leads back to it. */
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

/** What {@link restOf} found, before the transaction: a million rows are read and added up for seconds, and every payment would wait. */
export type Rest = ReturnType<typeof restOf>;

/**
 * Gives up what was never marked as being sent; of a batch that was cancelled before nothing is changed.
 * @param asked why; `rows`: how many were shown as about to be cancelled; `found`: what was found just before
 * @throws Refusal, where another process sends it, nothing is left of it, or other rows are left than were shown
 */
export function abandon(transaction: WriteTransaction, dependencies: BatchDependencies, name: string, asked: Asked): void {
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state === "loading") throw new RefusedJob(wrongState(batch, "was never planned to the end"));
	if (batch.state === "abandoned") return;
	if (batch.sender !== undefined && dependencies.lives(batch.sender)) throw new RefusedJob(busy(batch));
	const { rows, totals, ranges } = stillSo(transaction, batch, asked.found)
		? asked.found
		: restOf(transaction.storage, dependencies.rules, batch);
	if (asked.rows !== undefined && asked.rows !== rows) throw new RefusedJob(moved(batch));
	if (rows === 0 && allAccepted(transaction, batch)) throw new RefusedJob(over(batch));
	// Nothing is written before this: what is refused after a write would be kept by half.
	const sums = Object.fromEntries(totals.map(({ currency = "", amount }) => [currency, amount]));
	// Rows of a begun batch were counted as going out on its day.
	if (batch.state === "begun" && batch.day !== undefined) addSpent(tablesIn(transaction), dependencies.rules, batch.day, sums, -1);
	transaction
		.sql(`UPDATE intent SET state = 'abandoned', changed = ? WHERE number BETWEEN ? AND ? AND batch = ? AND ${neverMarked}`)
		.run(transaction.now.toISOString(), batch.first, batch.last, batch.number);
	const state: BatchState = "abandoned";
	transaction.sql("UPDATE batch SET state = ?, sender = NULL WHERE number = ?").run(state, batch.number);
	const said: Abandonment = { batch: batch.number, reason: asked.reason, rows, totals, ranges };
	transaction.append("abandoned", undefined, said, batch.number);
}

/** Rows only leave this state, and none is added to a planned batch: where there are as many as before, they are the same. */
function stillSo(transaction: WriteTransaction, { first, last, number }: StoredBatch, { rows }: Rest): boolean {
	const sql = `SELECT count(*) AS rows FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND ${neverMarked}`;
	return transaction.sql(sql).get(first, last, number)?.rows === rows;
}

/** When and why a batch was cancelled, as it stands in its event. */
export function abandonedOf(storage: Storage, batch: StoredBatch): AbandonedRest | undefined {
	if (batch.state !== "abandoned") return undefined;
	// The newest first: after it come but settlements and looks.
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

function moved({ number }: StoredBatch): PurserError {
	return new PurserError("guard", {
		code: "BATCH_MOVED",
		message: `Batch ${number} is not where it was when it was looked at: another purser has sent rows of it since; nothing was cancelled`,
		fix: advice`See where it stands: ${purser`pay batch status ${number}`}\nGive up what is left now: ${purser`pay batch abandon ${number} --reason TEXT`}`,
	});
}

function over({ number }: StoredBatch): PurserError {
	return new PurserError("guard", {
		code: "BATCH_OVER",
		message: `Every row of batch ${number} was accepted; there is nothing to cancel`,
		fix: advice`See where it stands: ${purser`pay batch status ${number}`}`,
	});
}
