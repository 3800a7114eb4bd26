import type { AnchorPlace } from "../ports/anchor.js";
import type { Journal, Rules } from "../ports/journal.js";
import type { Clock, Random } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type DriverName, loadDriver } from "../sqlite/drivers.js";
import { retryWhileBusy } from "../sqlite/durable.js";
import type { OpenStorage, Storage } from "../sqlite/storage.js";
import { Anchoring } from "./anchor/anchoring.js";
import { refuseRestored, restoredMark } from "./anchor/restored.js";
import { checksOf, events, holders, listIntents, ownEvents, showIntent } from "./intents/read.js";
import { connectionTo, statementsOf } from "./sqlite/connection.js";
import { fileChecker, type Place, placeOf, prepareFiles } from "./sqlite/place.js";
import { SenderLocks } from "./sqlite/senders.js";
import { openDatabase } from "./sqlite/setup.js";
import { unusable } from "./sqlite/trouble.js";
import { journalOver, type Store } from "./store.js";
import type { Connection } from "./tables/connection.js";
import { highestTime } from "./tables/service-time.js";
import { tablesIn } from "./tables/tables.js";
import { installationOf } from "./tables/transaction.js";

export interface JournalOptions {
	/** The state directory; the journal creates its own folder in it. */
	directory: string;
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	random: Random;
	rules: Rules;
	/** Opens the store of the journal's anchor, when money is about to move; absent for a sandbox, which needs none. */
	anchor?(): Promise<AnchorPlace>;
	/** For tests: a particular driver, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/**
 * Opens a profile's journal and creates it if there is none.
 * @throws PurserError usage, if it cannot be opened durably; nothing may be sent then
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
	const found = await openFile(options);
	return journalOver(sqlStore(found, options), options.rules);
}

/** An open journal file with what belongs to it. */
export interface OpenFile {
	storage: Storage;
	connection: Connection;
	place: Place;
	senders: SenderLocks;
	/** Opens the same file once more, or another one. */
	open: OpenStorage;
}

/** Opens the file for {@link openJournal} or for batches. @throws PurserError as {@link openJournal} */
export async function openFile(options: JournalOptions): Promise<OpenFile> {
	const place = placeOf(options.directory, options.profile);
	const { clock } = options;
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepareFiles(place);
		const storage = await retryWhileBusy(clock, () => openDatabase(open, { file: place.file, ...options }));
		const connection = connectionTo(storage, place.file, () => clock.now(), fileChecker(place.file));
		return { storage, connection, place, senders: new SenderLocks(open, place.senders), open };
	} catch (error) {
		throw unusable(error, place.file);
	}
}

/** Returns a function that creates the anchoring on first use; it resolves to undefined if the journal has no anchor. */
export function anchoringOf({ connection, place: { file } }: OpenFile, { profile, clock, anchor }: JournalOptions) {
	let anchoring: Promise<Anchoring> | undefined;
	return async (): Promise<Anchoring | undefined> => {
		if (anchor === undefined) return undefined;
		anchoring ??= anchor().then((place) => new Anchoring({ connection, place, profile, file, clock }));
		return anchoring;
	};
}

function sqlStore(opened: OpenFile, options: JournalOptions): Store {
	const { storage, connection, place, senders, open } = opened;
	const { clock, rules } = options;
	const { file } = place;
	const anchoring = anchoringOf(opened, options);
	return {
		file,
		senders,
		write: (job) => connection.write((transaction) => job(tablesIn(transaction))),
		anchoring,
		list: (filter) => listIntents(connection, filter, senders),
		show: (intent) => connection.read((reading) => showIntent(reading, intent, senders)),
		holders: (ids) => connection.read((reading) => holders(reading, ids, senders)),
		checks: (intent) => connection.read((reading) => checksOf(reading, intent)),
		events: (after) => events(connection, after),
		ownEvents: (kind, limit) => connection.read((reading) => ownEvents(reading, kind, limit)),
		async verify(head) {
			const standing = await (await anchoring())?.compared();
			// A connection of its own, because its transaction stays open across turns of the event loop.
			const own = await openDatabase(open, { file, ...options });
			try {
				own.exec("BEGIN");
				const { verifyJournal } = await import("./verify/verify.js");
				const { databaseFaults } = await import("./sqlite/check.js");
				return await verifyJournal(statementsOf(own), rules, { standing, head, database: databaseFaults(own) });
			} finally {
				own.close();
			}
		},
		serviceTime: () => connection.read(highestTime),
		installation: () => connection.read(installationOf),
		guard: async (fresh) => {
			await connection.read(refuseRestored);
			return (await (await anchoring())?.allow(fresh)) ?? "unguarded";
		},
		standing: async () => (await anchoring())?.standing() ?? connection.read(restoredMark),
		adopt: async (reason, since) => (await import("./adopt.js")).adopt(connection, { rules, senders }, await anchoring(), reason, since),
		backup: async (to) =>
			(await import("./backup.js")).backup({ connection, storage, open, now: () => clock.now() }, to, await anchoring()),
		close: async () => {
			await connection.close();
			await senders.end();
		},
	};
}
