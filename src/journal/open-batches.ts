import type { Batches, BatchRules } from "../ports/batches.js";
import { batchesOver } from "./batches/batches.js";
import { type JournalOptions, openFile } from "./open.js";

/**
 * Opens the batches of a profile's journal, with a connection of their own.
 * @throws PurserError usage, if the journal cannot be opened durably; nothing may be sent then
 */
export async function openBatches(options: JournalOptions & { rules: BatchRules }): Promise<Batches> {
	const opened = await openFile(options);
	// Batches rewrite the same index pages many times; a rare checkpoint copies each of them into the file only once.
	opened.storage.prepare("PRAGMA wal_autocheckpoint = 8000").all();
	// Adding or sending a million rows touches index pages at random; with a smaller cache every step would write to the file.
	opened.storage.exec("PRAGMA cache_size = -6144");
	return batchesOver(opened, options.rules);
}
