/**
 * Adopts a journal: a person says that it is the one to pay by. Of a restored backup, what may have been sent after it becomes in doubt in the
 * same step, so that nothing sends it again before a person has settled it.
 */
import type { IntentState } from "../ports/intent.js";
import type { Adoption, SentSince } from "../ports/journal.js";
import type { SqlRow, Storage } from "../sqlite/storage.js";
import { type Anchoring, headOf } from "./anchor/anchoring.js";
import { notGuarded, restoredBackup } from "./anchor/refusals.js";
import { adoptedKind, restoredMark } from "./anchor/restored.js";
import { abandon, restOf } from "./batches/abandon.js";
import { type StoredBatch, storedBatchNamed } from "./batches/table.js";
import { type Range, type RowsMoved, rangesOf } from "./intents/batch-events.js";
import { addSpent, type Dependencies } from "./intents/write.js";
import { transferIn } from "./sqlite/batch-row.js";
import { dayOf } from "./sqlite/service-time.js";
import { tablesIn } from "./sqlite/tables.js";
import { type CommitQueue, metaOf, type WriteTransaction } from "./sqlite/transaction.js";

/** An open journal. */
interface OpenJournal extends Pick<Dependencies, "rules" | "lives"> {
	storage: Storage;
	queue: CommitQueue;
}

/** See `Journal.adopt`. @throws PurserError guard, if there is nothing to adopt, or a restored backup was not compared */
export async function adopt(
	{ storage, queue, ...dependencies }: OpenJournal,
	anchoring: Anchoring | undefined,
	reason: string,
	since: readonly SentSince[] | undefined,
): Promise<Adoption> {
	const mark = restoredMark(storage);
	if (mark === undefined && anchoring === undefined) throw notGuarded();
	if (mark !== undefined && since === undefined) throw restoredBackup(mark);
	const record = (transaction: WriteTransaction): { inDoubt?: number } =>
		mark === undefined ? {} : { inDoubt: recordSentSince(transaction, dependencies, since ?? []) };
	if (anchoring !== undefined) return anchoring.adopt(reason, record);
	const adoption = await queue.run((transaction) => {
		const own = { reason, found: "restored" as const, ...record(transaction) };
		transaction.append(adoptedKind, undefined, own);
		return own;
	});
	return { ...adoption, installation: metaOf(storage, "installation"), head: headOf(storage) };
}

/** The states from which a batch sends a row. */
const sendable: readonly IntentState[] = ["planned", "refused", "not-sent", "not-created"];

const why =
	"the journal was restored from a backup, and the service lists a payment that may be this row: it may have been sent after the backup";

/**
 * Records an attempt that nobody knows the outcome of for each row that a batch could still send. A batch that was not begun is cancelled:
 * its plan was made before, and what else of it was sent is for a person to compare.
 * @returns how many rows became in doubt
 */
function recordSentSince(
	transaction: WriteTransaction,
	dependencies: Pick<Dependencies, "rules" | "lives">,
	rows: readonly SentSince[],
): number {
	const byBatch = new Map<number, (SqlRow & { at: string })[]>();
	for (const { intent, at } of rows) {
		const row = transaction.sql("SELECT number, batch, state, content FROM intent WHERE number = ?").get(Number(intent));
		if (row === undefined || row.batch === null || !sendable.includes(row.state as IntentState)) continue;
		const own = byBatch.get(Number(row.batch)) ?? [];
		byBatch.set(Number(row.batch), own);
		own.push({ ...row, at });
	}
	let count = 0;
	for (const [number, own] of byBatch) {
		const batch = storedBatchNamed(transaction.storage, String(number));
		own.sort((one, other) => Number(one.number) - Number(other.number));
		doubt(transaction, dependencies, batch, own);
		count += own.length;
		if (batch.state !== "planned") continue;
		const reason = `restored from a backup: the service lists payments that may be ${own.length} of its rows`;
		abandon(transaction, dependencies, String(number), { reason, found: restOf(transaction.storage, dependencies.rules, batch) });
	}
	return count;
}

function doubt(
	transaction: WriteTransaction,
	{ rules }: Pick<Dependencies, "rules">,
	batch: StoredBatch,
	rows: readonly (SqlRow & { at: string })[],
): void {
	const tables = tablesIn(transaction);
	// The run that sent them is not in this journal; the last one that is tells how the service was described.
	const run = transaction
		.sql("SELECT content->>'$.sender' AS sender FROM event WHERE batch = ? AND kind = 'begun-batch' ORDER BY seq DESC LIMIT 1")
		.get(batch.number)?.sender;
	const sender = typeof run === "string" ? run : undefined;
	for (const row of rows) {
		const { amount, currency = "" } = transferIn(row);
		// A planned row of a begun batch was counted on the batch's day.
		if (row.state === "planned" && batch.day !== undefined) addSpent(tables, rules, batch.day, { [currency]: amount }, -1);
		addSpent(tables, rules, dayOf(row.at, undefined), { [currency]: amount }, 1);
		transaction
			.sql(
				"UPDATE intent SET state = 'in-doubt', attempt = attempt + 1, begun = ?, skew = NULL, begun_service = ?, changed = ?, sender = ?, result = ? WHERE number = ?",
			)
			.run(row.at, row.at, transaction.now.toISOString(), sender ?? null, JSON.stringify({ why }), Number(row.number));
	}
	const ranges: Range[] = rangesOf(rows.map(({ number }) => Number(number)));
	const step: RowsMoved = { batch: batch.number, sender: sender ?? "", begun: [], ended: [], died: [] };
	transaction.append("moved", undefined, { ...step, begun: ranges }, batch.number);
	transaction.append("moved", undefined, { ...step, died: ranges }, batch.number);
}
