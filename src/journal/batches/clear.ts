/**
 * Taking batches away of which nothing was sent: one that is cancelled, and those whose planner died while it read. A batch that is to
 * go is `loading` and nobody's, and goes in steps: a million rows in one would keep every other payment of the profile waiting.
 */

import { RefusedJob } from "../intents/queue.js";
import type { Storage } from "../sqlite/storage.js";
import { statement, type WriteTransaction } from "../sqlite/transaction.js";
import { storedBatchNamed, wrongState } from "./table.js";

/** Numbers of one step: some tenths of a second. */
const step = 20_000;

/** Nobody sends it from now on, and {@link clearSome} may take it away. @returns its number @throws Refusal, where it was begun */
export function discardBatch(transaction: WriteTransaction, name: string): number {
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state === "begun" || batch.state === "abandoned")
		throw new RefusedJob(wrongState(batch, `was ${batch.state === "begun" ? "begun" : "cancelled"}, and stays on record`));
	transaction.sql("UPDATE batch SET state = 'loading', sender = NULL WHERE number = ?").run(batch.number);
	if (batch.state === "planned") transaction.append("discarded", undefined, { batch: batch.number }, batch.number);
	return batch.number;
}

/** Batches that are loading and that no living process loads. */
export function abandonedLoads(storage: Storage, lives: (sender: string) => boolean): number[] {
	return statement(storage, "SELECT number, sender FROM batch WHERE state = 'loading'")
		.all()
		.filter(({ sender }) => typeof sender !== "string" || !lives(sender))
		.map(({ number }) => Number(number));
}

/** Takes away the next rows of a batch that is to go, and with the last ones the batch. @returns whether it is gone; another process may help */
export function clearSome(transaction: WriteTransaction, number: number): boolean {
	const found = transaction.sql("SELECT first, last FROM batch WHERE number = ? AND state = 'loading'").get(number);
	if (found === undefined) return true;
	const [first, last] = [Number(found.first ?? 1), Number(found.last ?? 0)];
	const next = first + step;
	transaction.sql("DELETE FROM intent WHERE number >= ? AND number < ? AND number <= ? AND batch = ?").run(first, next, last, number);
	if (next <= last) transaction.sql("UPDATE batch SET first = ? WHERE number = ?").run(next, number);
	else transaction.sql("DELETE FROM batch WHERE number = ?").run(number);
	return next > last;
}
