import type { Journal } from "../ports/journal.js";
import { type DriverName, loadDriver } from "../sqlite/drivers.js";
import { retryWhileBusy } from "../sqlite/durable.js";
import type { OpenStorage, Storage } from "../sqlite/storage.js";
import { type Engine, type EngineOptions, engineOf, engineStore } from "./engine.js";
import { connectionTo, statementsOf } from "./sqlite/connection.js";
import { fileChecker, placeOf, prepareFiles } from "./sqlite/place.js";
import { SenderLocks } from "./sqlite/senders.js";
import { openDatabase } from "./sqlite/setup.js";
import { troubleWith } from "./sqlite/trouble.js";
import { journalOver } from "./store.js";

export interface JournalOptions extends EngineOptions {
	/** The state directory; the journal creates its own folder in it. */
	directory: string;
	/** For tests: a particular driver, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/**
 * Opens a profile's journal and creates it if there is none.
 * @throws PurserError usage, if it cannot be opened durably; nothing may be sent then
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
	return journalOver(engineStore(await openFile(options), options.rules), options.rules);
}

/** Opens the file for {@link openJournal} or for batches. @throws PurserError as {@link openJournal} */
export async function openFile(options: JournalOptions): Promise<Engine & { storage: Storage }> {
	const place = placeOf(options.directory, options.profile);
	const { clock } = options;
	const { file } = place;
	const trouble = troubleWith(file);
	return trouble.guarded(async () => {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepareFiles(place);
		const storage = await retryWhileBusy(clock, () => openDatabase(open, { file, ...options }));
		const connection = connectionTo(storage, file, () => clock.now(), fileChecker(file));
		return engineOf(
			{
				storage,
				connection,
				file,
				trouble,
				senders: new SenderLocks(open, place.senders),
				async snapshot(job) {
					// A connection of its own, because its transaction stays open across turns of the event loop.
					const own = await openDatabase(open, { file, ...options });
					try {
						own.exec("BEGIN");
						const { databaseFaults } = await import("./sqlite/setup.js");
						return await job(statementsOf(own), databaseFaults(own));
					} finally {
						own.close();
					}
				},
				backup: async (to) => (await import("./backup.js")).backup({ connection, storage, open, now: () => clock.now() }, to),
			},
			options,
		);
	});
}
