/**
 * The mark of a backup: an event that is appended to the copy alone, so that the chain of hashes covers it. A journal with this event and
 * without an adoption after it is a restored backup.
 */
import type { Restored } from "../../ports/anchor.js";
import type { Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import { newestOwnEvents } from "../sqlite/tables.js";
import { WriteTransaction } from "../sqlite/transaction.js";
import { restoredBackup } from "./refusals.js";

const copiedKind = "copied";
/** The kind of the event that ends it. */
export const adoptedKind = "adopted";

/** Marks a copy. @param copy opened and not in a transaction; never the journal itself */
export function markCopy(copy: Storage, now: Date): void {
	copy.exec("BEGIN IMMEDIATE");
	const transaction = new WriteTransaction(copy, now);
	transaction.append(copiedKind, undefined, {});
	transaction.finish();
	copy.exec("COMMIT");
}

/** The oldest mark that no adoption has followed; undefined if the journal is no restored backup. */
export function restoredMark(storage: Storage): Omit<Restored, "anchor"> | undefined {
	const adopted = Number(statement(storage, newestOwnEvents).get(adoptedKind, 1)?.seq ?? 0);
	const mark = statement(
		storage,
		"SELECT seq, at FROM event WHERE kind = ? AND seq > ? AND intent IS NULL AND batch IS NULL ORDER BY seq LIMIT 1",
	).get(copiedKind, adopted);
	return mark && { kind: "restored", copied: String(mark.at), last: Number(mark.seq) - 1 };
}

/** @throws PurserError guard, if it is a restored backup that nobody has adopted */
export function refuseRestored(storage: Storage): void {
	const mark = restoredMark(storage);
	if (mark !== undefined) throw restoredBackup(mark);
}
