/**
 * The mark of a backup: an event that is appended to the copy alone, so that the chain of hashes covers it. A journal with this event and
 * without an adoption after it is a restored backup.
 */
import type { Restored } from "../../ports/anchor.js";
import { type Reading, type Statements, sql } from "../tables/sql.js";
import { newestOwnEvents } from "../tables/tables.js";
import { WriteTransaction } from "../tables/transaction.js";
import { restoredBackup } from "./refusals.js";

const copiedKind = "copied";
/** The kind of the event that ends it. */
export const adoptedKind = "adopted";

/** Marks a copy. @param copy in a transaction; never the journal itself */
export async function markCopy(copy: Statements, now: Date): Promise<void> {
	const transaction = await WriteTransaction.begin(copy, now);
	await transaction.append(copiedKind, undefined, {});
	await transaction.finish();
}

/** The oldest mark that no adoption has followed; undefined if the journal is no restored backup. */
export async function restoredMark(reading: Reading): Promise<Omit<Restored, "anchor"> | undefined> {
	const adopted = Number((await reading.get(newestOwnEvents(adoptedKind, 1)))?.seq ?? 0);
	const mark = await reading.get(
		sql`SELECT seq, at FROM event WHERE kind = ${copiedKind} AND seq > ${adopted} AND intent IS NULL AND batch IS NULL ORDER BY seq LIMIT 1`,
	);
	return mark && { kind: "restored", copied: String(mark.at), last: Number(mark.seq) - 1 };
}

/** @throws PurserError guard, if it is a restored backup that nobody has adopted */
export async function refuseRestored(reading: Reading): Promise<void> {
	const mark = await restoredMark(reading);
	if (mark !== undefined) throw restoredBackup(mark);
}
