import { statSync } from "node:fs";
import type { AnchorPlace } from "../ports/anchor.js";
import type { Journal, Rules } from "../ports/journal.js";
import type { Clock, Random } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { Anchoring } from "./anchor/anchoring.js";
import { CommitQueue } from "./intents/queue.js";
import { events, holderRecords, holders, listIntents, looksAt, ownEvents, showIntent } from "./intents/read.js";
import { type DriverName, loadDriver } from "./sqlite/drivers.js";
import { type Place, placeOf, prepare } from "./sqlite/place.js";
import { sameFile } from "./sqlite/same-file.js";
import { schemaVersion } from "./sqlite/schema.js";
import { newName, Senders } from "./sqlite/senders.js";
import { openDatabase, pragma } from "./sqlite/setup.js";
import { type OpenStorage, type Storage, storageTrouble, unusable } from "./sqlite/storage.js";
import { tablesIn } from "./sqlite/tables.js";
import { journalOver, type Store } from "./store.js";

export interface JournalOptions {
	/** The state directory; the journal makes a folder of its own in it. */
	directory: string;
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	random: Random;
	rules: Rules;
	/** Tells a person of an upgrade of the journal: that it begins, and where the copy of before lies. */
	tell?(message: string): void;
	/** Where the journal's anchor is kept; absent for a sandbox, which needs none. Asked for when money is about to move. */
	anchor?(): Promise<AnchorPlace>;
	/** For tests: this driver and no other, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/**
 * Opens a profile's journal, and makes it where there is none.
 * @throws PurserError usage, where it cannot be opened so that what is written lasts: then nothing may be sent
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
	const found = await opened(options);
	return journalOver(sqlStore(found, options), options.rules);
}

/** An open file with what belongs to it. */
export interface Opened {
	storage: Storage;
	place: Place;
	senders: Senders;
	/** Opens the same file once more, or another one. */
	open: OpenStorage;
}

/** The file and who sends, for the journal and for its batches. @throws PurserError as {@link openJournal} */
export async function opened(options: JournalOptions): Promise<Opened> {
	const place = placeOf(options.directory, options.profile);
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepare(place);
		const storage = await patiently(options.clock, () => openDatabase(open, { file: place.file, ...options }));
		const senders = new Senders(open, place.senders);
		if (pragma(storage, "user_version") !== schemaVersion) await upgraded(open, storage, senders, place, options);
		return { storage, place, senders, open };
	} catch (error) {
		throw unusable(error, place.file);
	}
}

/** Late: most runs find the journal as it is to be. */
async function upgraded(open: OpenStorage, storage: Storage, senders: Senders, { file }: Place, options: JournalOptions): Promise<void> {
	const { clock, rules, tell } = options;
	try {
		const { migrate } = await import("./migrate.js");
		await migrate({ open, storage, file, rules, now: () => clock.now(), lives: (sender) => senders.lives(sender), tell });
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
			if (storageTrouble(error) !== "busy" || tried === mostTries || clock.monotonic() - started > mostTries * pause) throw error;
			await clock.sleep(pause);
		}
	}
}

/** How an open journal is held against its anchor; undefined for one that has none. Made once, when it is first asked for. */
export function anchoringOf(storage: Storage, queue: CommitQueue, { file }: Place, options: JournalOptions) {
	const { profile, clock, anchor } = options;
	let made: Promise<Anchoring> | undefined;
	return async (): Promise<Anchoring | undefined> => {
		if (anchor === undefined) return undefined;
		made ??= anchor().then((place) => new Anchoring({ storage, queue, place, profile, file, clock }));
		return made;
	};
}

/**
 * Closes a connection. What lies in the log beside the file is written into it first: a copy of the one file must have everything. Where
 * another process reads or writes just now it is left to that one, or to the next run.
 */
export function closeStorage(storage: Storage, { file }: Place): void {
	if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
		storage.prepare("PRAGMA busy_timeout = 0").all();
		storage.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
	}
	storage.close();
}

function sqlStore({ storage, place, senders, open }: Opened, options: JournalOptions): Store {
	const { clock, rules } = options;
	const { file } = place;
	const queue = new CommitQueue(storage, () => clock.now(), sameFile(file));
	const lives = (sender: string): boolean => senders.lives(sender);
	const anchoring = anchoringOf(storage, queue, place, options);
	return {
		file,
		run: (job) => queue.run((transaction) => job(tablesIn(transaction))),
		own: () => senders.own(() => newName(storage)),
		lives,
		anchoring,
		list: (filter) => listIntents(storage, filter, lives),
		show: (intent) => showIntent(storage, intent, lives),
		holders: (ids) => holders(storage, ids),
		holderRecords: (ids) => holderRecords(storage, ids, lives),
		looks: (intent) => looksAt(storage, intent),
		events: (after) => events(storage, after),
		ownEvents: (kind, limit) => ownEvents(storage, kind, limit),
		verify: async (head) => {
			const own = openDatabase(open, { file, ...options });
			try {
				return await (await import("./verify/verify.js")).verifyJournal(own, rules, { anchoring: await anchoring(), head });
			} finally {
				own.close();
			}
		},
		purge: async (before) => (await import("./verify/purge.js")).purgeJournal(storage, queue, before, lives, await anchoring()),
		backup: async (to) => (await import("./backup.js")).backup(storage, open, to, await anchoring()),
		close: () => {
			queue.close();
			senders.end();
			closeStorage(storage, place);
		},
	};
}
