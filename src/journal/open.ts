import type { AnchorPlace } from "../ports/anchor.js";
import type { Journal, Rules } from "../ports/journal.js";
import type { Clock, Random } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type DriverName, loadDriver } from "../sqlite/drivers.js";
import { closeStorage, retryWhileBusy } from "../sqlite/durable.js";
import type { OpenStorage, Storage } from "../sqlite/storage.js";
import { Anchoring } from "./anchor/anchoring.js";
import { refuseRestored, restoredMark } from "./anchor/restored.js";
import { checksOf, events, holders, listIntents, ownEvents, showIntent } from "./intents/read.js";
import { fileChecker, type Place, placeOf, prepareFiles } from "./sqlite/place.js";
import { randomName, Senders } from "./sqlite/senders.js";
import { highestTime } from "./sqlite/service-time.js";
import { openDatabase } from "./sqlite/setup.js";
import { tablesIn } from "./sqlite/tables.js";
import { CommitQueue, metaOf } from "./sqlite/transaction.js";
import { unusable } from "./sqlite/trouble.js";
import { journalOver, type Store } from "./store.js";

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
	place: Place;
	senders: Senders;
	/** Opens the same file once more, or another one. */
	open: OpenStorage;
}

/** Opens the file for {@link openJournal} or for batches. @throws PurserError as {@link openJournal} */
export async function openFile(options: JournalOptions): Promise<OpenFile> {
	const place = placeOf(options.directory, options.profile);
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepareFiles(place);
		const storage = await retryWhileBusy(options.clock, () => openDatabase(open, { file: place.file, ...options }));
		return { storage, place, senders: new Senders(open, place.senders), open };
	} catch (error) {
		throw unusable(error, place.file);
	}
}

/** Returns a function that creates the anchoring on first use; it resolves to undefined if the journal has no anchor. */
export function anchoringOf(storage: Storage, queue: CommitQueue, { file }: Place, options: JournalOptions) {
	const { profile, clock, anchor } = options;
	let anchoring: Promise<Anchoring> | undefined;
	return async (): Promise<Anchoring | undefined> => {
		if (anchor === undefined) return undefined;
		anchoring ??= anchor().then((place) => new Anchoring({ storage, queue, place, profile, file, clock }));
		return anchoring;
	};
}

function sqlStore({ storage, place, senders, open }: OpenFile, options: JournalOptions): Store {
	const { clock, rules } = options;
	const { file } = place;
	const queue = new CommitQueue(storage, () => clock.now(), fileChecker(file));
	const lives = (sender: string): boolean => senders.lives(sender);
	const anchoring = anchoringOf(storage, queue, place, options);
	return {
		file,
		run: (job) => queue.run((transaction) => job(tablesIn(transaction))),
		own: () => senders.own(() => randomName(storage)),
		lives,
		anchoring,
		list: (filter) => listIntents(storage, filter, lives),
		show: (intent) => showIntent(storage, intent, lives),
		holders: (ids) => holders(storage, ids, lives),
		checks: (intent) => checksOf(storage, intent),
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
		serviceTime: async () => highestTime(storage),
		installation: () => metaOf(storage, "installation"),
		guard: async (fresh) => {
			refuseRestored(storage);
			return (await (await anchoring())?.allow(fresh)) ?? "unguarded";
		},
		standing: async () => (await anchoring())?.standing() ?? restoredMark(storage),
		adopt: async (reason, since) => (await import("./adopt.js")).adopt({ storage, queue, rules, lives }, await anchoring(), reason, since),
		backup: async (to) => (await import("./backup.js")).backup({ storage, open, now: () => clock.now() }, to, await anchoring()),
		close: () => {
			queue.close();
			senders.end();
			closeStorage(storage, place.file);
		},
	};
}
