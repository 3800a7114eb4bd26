import type { Batches, BatchRules } from "../ports/batches.js";
import { batchesOver } from "./batches/batches.js";
import { CommitQueue } from "./intents/queue.js";
import { anchoringOf, closeStorage, type JournalOptions, opened } from "./open.js";
import { sameFile } from "./sqlite/same-file.js";
import { newName } from "./sqlite/senders.js";
import { guardedFor } from "./sqlite/storage.js";

/**
 * Opens the batches of a profile's journal, over a connection of their own.
 * @throws PurserError usage, where it cannot be opened so that what is written lasts: then nothing may be sent
 */
export async function openBatches(options: JournalOptions & { rules: BatchRules }): Promise<Batches> {
	const { storage, place, senders } = await opened(options);
	const { rules, clock } = options;
	// The same pages of the indexes are written again and again: they are copied into the file once for many of those times.
	storage.prepare("PRAGMA wal_autocheckpoint = 8000").all();
	const queue = new CommitQueue(storage, () => clock.now(), sameFile(place.file));
	const dependencies = { rules, own: () => senders.own(() => newName(storage)), lives: (sender: string) => senders.lives(sender) };
	return {
		...batchesOver(storage, queue, dependencies, guardedFor(place.file), anchoringOf(storage, queue, place, options)),
		async close() {
			queue.close();
			senders.end();
			closeStorage(storage, place);
		},
	};
}
