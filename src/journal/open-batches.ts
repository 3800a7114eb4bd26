import type { Batches, BatchRules } from "../ports/batches.js";
import { closeStorage } from "../sqlite/durable.js";
import { batchesOver } from "./batches/batches.js";
import { anchoringOf, type JournalOptions, openFile } from "./open.js";
import { fileChecker } from "./sqlite/place.js";
import { randomName } from "./sqlite/senders.js";
import { CommitQueue } from "./sqlite/transaction.js";
import { guardedFor } from "./sqlite/trouble.js";

/**
 * Opens the batches of a profile's journal, with a connection of their own.
 * @throws PurserError usage, if the journal cannot be opened durably; nothing may be sent then
 */
export async function openBatches(options: JournalOptions & { rules: BatchRules }): Promise<Batches> {
	const { storage, place, senders } = await openFile(options);
	const { rules, clock } = options;
	// Batches rewrite the same index pages many times; a rare checkpoint copies each of them into the file only once.
	storage.prepare("PRAGMA wal_autocheckpoint = 8000").all();
	const queue = new CommitQueue(storage, () => clock.now(), fileChecker(place.file));
	const dependencies = { rules, own: () => senders.own(() => randomName(storage)), lives: (sender: string) => senders.lives(sender) };
	return {
		...batchesOver(storage, queue, dependencies, guardedFor(place.file), anchoringOf(storage, queue, place, options)),
		async close() {
			queue.close();
			senders.end();
			closeStorage(storage, place.file);
		},
	};
}
