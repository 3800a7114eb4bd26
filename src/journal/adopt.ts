/**
 * Adopts a journal: a person says that it is the one to pay by. Of a restored backup, what was sent after it becomes in doubt in the same
 * step.
 */
import type { Adoption, SentSince } from "../ports/journal.js";
import type { Storage } from "../sqlite/storage.js";
import { type Anchoring, headOf } from "./anchor/anchoring.js";
import { notGuarded, restoredBackup } from "./anchor/refusals.js";
import { adoptedKind, restoredMark } from "./anchor/restored.js";
import { recordSentSince } from "./batches/sent-since.js";
import type { Dependencies } from "./intents/write.js";
import type { CommitQueue } from "./sqlite/transaction.js";
import { metaOf, type WriteTransaction } from "./sqlite/transaction.js";

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
