/**
 * Removes batches that never began: discarded ones, and those whose planner died while loading. Such a batch is `loading` without a sender,
 * and is
 * removed in steps, because deleting a million rows at once would block every other payment of the profile.
 */

import { RefusedJob } from "../../sqlite/group-commit.js";
import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import { storedBatchNamed, wrongState } from "./table.js";

/** Rows of one step, which takes some tenths of a second. */
const step = 20_000;

/** Marks a batch for removal by {@link clearSome}. @returns its number @throws RefusedJob, if it was begun */
export function discardBatch(transaction: WriteTransaction, name: string): number {
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state === "begun" || batch.state === "abandoned")
		throw new RefusedJob(wrongState(batch, `was ${batch.state === "begun" ? "begun" : "cancelled"}, and stays on record`));
	transaction.sql("UPDATE batch SET state = 'loading', sender = NULL WHERE number = ?").run(batch.number);
	if (batch.state === "planned") transaction.append("discarded", undefined, { batch: batch.number }, batch.number);
	return batch.number;
}

/** Batches that are `loading` although no living process loads them. */
export function abandonedLoads(storage: Storage, lives: (sender: string) => boolean): number[] {
	return statement(storage, "SELECT number, sender FROM batch WHERE state = 'loading'")
		.all()
		.filter(({ sender }) => typeof sender !== "string" || !lives(sender))
		.map(({ number }) => Number(number));
}

/** Removes the next rows of a batch, and with the last ones the batch. @returns whether it is gone; another process may do steps too */
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
