import type { Journal, Rules } from "../ports/journal.js";
import type { Chance, Clock } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type DriverName, loadDriver } from "./drivers.js";
import { type Place, placeOf, prepare } from "./place.js";
import { CommitQueue } from "./queue.js";
import { events, held, holders, list, looks, ownEvents, show } from "./read.js";
import { sameFile } from "./same-file.js";
import { schemaVersion } from "./schema.js";
import { newName, Senders } from "./senders.js";
import { openDatabase, pragma } from "./setup.js";
import { type OpenStorage, type Storage, troubleOf, unusable } from "./storage.js";
import { journalOver, type Store } from "./store.js";
import { tablesIn } from "./tables.js";

export interface JournalOptions {
	/** The state directory; the journal makes a folder of its own in it. */
	directory: string;
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	chance: Chance;
	rules: Rules;
	/** Tells a person of an upgrade of the journal: that it begins, and where the copy of before lies. */
	tell?(message: string): void;
	/** For tests: this driver and no other, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/**
 * Opens a profile's journal, and makes it where there is none.
 * @throws PurserError usage, where it cannot be opened so that what is written lasts: then nothing may be sent
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
	const { storage, place, senders } = await opened(options);
	return journalOver(sqlStore(storage, place, senders, options), options.rules);
}

/** The file and who sends, for the journal and for its batches. @throws PurserError as {@link openJournal} */
export async function opened(options: JournalOptions): Promise<{ storage: Storage; place: Place; senders: Senders }> {
	const place = placeOf(options.directory, options.profile);
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepare(place);
		const storage = await patiently(options.clock, () => openDatabase(open, { file: place.file, ...options }));
		const senders = new Senders(open, place.senders);
		if (pragma(storage, "user_version") !== schemaVersion) await upgraded(open, storage, senders, place, options);
		return { storage, place, senders };
	} catch (error) {
		throw unusable(error, place.file);
	}
}

/** Late: most runs find the journal as it is to be. */
async function upgraded(open: OpenStorage, storage: Storage, senders: Senders, { file }: Place, options: JournalOptions): Promise<void> {
	const { clock, rules, tell } = options;
	try {
		const { migrate } = await import("./migrate.js");
		migrate({ open, storage, file, rules, now: () => clock.now(), lives: (sender) => senders.lives(sender), tell });
	} catch (error) {
		storage.close();
		throw error;
	}
}

/** Most tries, and milliseconds between them. */
const [mostTries, pause] = [40, 25];

/**
 * Two that make the journal at the same time can meet where SQLite does not wait by itself, at the change to WAL.
 * A lock that SQLite has waited for is not waited for again.
 */
async function patiently<T>(clock: Clock, open: () => T): Promise<T> {
	const started = clock.monotonic();
	for (let tried = 1; ; tried++) {
		try {
			return open();
		} catch (error) {
			if (troubleOf(error) !== "busy" || tried === mostTries || clock.monotonic() - started > mostTries * pause) throw error;
			await clock.sleep(pause);
		}
	}
}

function sqlStore(storage: Storage, { file }: Place, senders: Senders, { clock, rules }: JournalOptions): Store {
	const queue = new CommitQueue(storage, () => clock.now(), sameFile(file));
	const lives = (sender: string): boolean => senders.lives(sender);
	return {
		file,
		run: (job) => queue.run((transaction) => job(tablesIn(transaction))),
		own: () => senders.own(() => newName(storage)),
		lives,
		list: (filter) => list(storage, filter, lives),
		show: (intent) => show(storage, intent, lives),
		holders: (ids) => holders(storage, ids),
		held: (ids) => held(storage, ids, lives),
		looks: (intent) => looks(storage, intent),
		events: (after) => events(storage, after),
		ownEvents: (kind, limit) => ownEvents(storage, kind, limit),
		verify: async () => (await import("./verify.js")).verify(storage, rules),
		purge: async (before) => (await import("./purge.js")).purge(storage, queue, before, lives),
		close: () => {
			queue.close();
			senders.end();
			storage.close();
		},
	};
}
