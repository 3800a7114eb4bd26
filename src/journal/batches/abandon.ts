/**
 * Cancels the rest of a batch: one transaction after which no sender can send a row that was never marked as being sent. Rows that were
 * begun stay as they are.
 */

import { advice, purser } from "../../api/advice.js";
import type { AbandonedRest, BatchRest } from "../../ports/batches.js";
import type { Rules } from "../../ports/journal.js";
import { type Abandonment, type Range, rangesOf } from "../intents/batch-events.js";
import { addSpent, type Dependencies } from "../intents/write.js";
import { rowOf, rowPages, transferIn } from "../tables/batch-row.js";
import { type Read, type Reading, raw, sql, within } from "../tables/sql.js";
import { tablesIn } from "../tables/tables.js";
import type { WriteTransaction } from "../tables/transaction.js";
import { busyBatch, plannedBatch, recordBatch, refusedBatch, rowsWhere, type StoredBatch, sendersAtWork } from "./table.js";

/** Rows of one page. */
const page = 2_000;

/** SQL: a row that was never marked as being sent. No step leads back to this state. */
const neverMarked = raw("state = 'planned' AND attempt = 0");

/** What would be cancelled: the rows that were never marked as being sent, with their sums. */
export async function restOf(read: Read, rules: Pick<Rules, "add">, batch: StoredBatch): Promise<BatchRest & { ranges: Range[] }> {
	const sums = new Map<string, { rows: number; amount: string }>();
	const ranges: [number, number][] = [];
	let rows = 0;
	for await (const found of rowPages(read, batch, { where: neverMarked, page })) {
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
export type Rest = Awaited<ReturnType<typeof restOf>>;

/**
 * Cancels the rows that were never marked as being sent. Changes nothing if the batch was cancelled before.
 * @param asked why; `rows`: how many a person was shown as about to be cancelled; `found`: the rest as read just before
 * @throws RefusedJob, if another process is sending it, every row was accepted, or the number of remaining rows has changed
 */
export async function abandon(
	transaction: WriteTransaction,
	{ rules, senders }: Dependencies,
	name: string,
	asked: { reason: string; rows?: number; found: Rest },
): Promise<void> {
	const batch = await plannedBatch(transaction, name);
	if ((await sendersAtWork(batch, senders)).length > 0) throw busyBatch(batch, "nothing was cancelled");
	if (batch.state === "abandoned") return;
	// Rows only leave this state and none are added, so comparing the number is enough.
	const isUnchanged = (await rowsWhere(transaction, batch, neverMarked)) === asked.found.rows;
	const { rows, totals, ranges } = isUnchanged ? asked.found : await restOf(within(transaction), rules, batch);
	const again = advice`\nCancel the rest now: ${purser`pay batch abandon ${batch.number} --reason TEXT`}`;
	if (asked.rows !== undefined && asked.rows !== rows)
		throw refusedBatch(
			batch,
			"BATCH_MOVED",
			"has changed since it was checked: another purser sent rows of it; nothing was cancelled",
			again,
		);
	// One that was not begun has such rows where a machine's log had them.
	if (batch.state === "begun" && rows === 0 && (await rowsWhere(transaction, batch, sql`state NOT IN ('accepted', 'waiting')`)) === 0)
		throw refusedBatch(batch, "BATCH_OVER", "has nothing left to cancel: every row was accepted");
	// All refusals come before the first write; a refusal after it would leave a partial change.
	const sums = Object.fromEntries(totals.map(({ currency = "", amount }) => [currency, amount]));
	// Rows of a begun batch were counted on its day.
	if (batch.state === "begun" && batch.day !== undefined) await addSpent(tablesIn(transaction), rules, batch.day, sums, -1);
	const at = transaction.now.toISOString();
	await transaction.run(sql`UPDATE intent SET state = 'abandoned', changed = ${at} WHERE ${rowOf(batch)} AND ${neverMarked}`);
	await recordBatch(transaction, batch, "abandoned", { reason: asked.reason, rows, totals, ranges });
}

/** When and why a batch was cancelled, from its event. */
export async function abandonedOf(reading: Reading, { number, state }: StoredBatch): Promise<AbandonedRest | undefined> {
	if (state !== "abandoned") return undefined;
	const row = await reading.get(sql`SELECT at, content FROM event WHERE batch = ${number} AND kind = 'abandoned' AND kind <> 'moved'`);
	if (row === undefined) return undefined;
	const { reason, rows, totals } = JSON.parse(String(row.content)) as Abandonment;
	return { at: String(row.at), reason, rows, totals };
}
