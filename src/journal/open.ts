import type { Chance, Clock, Journal, Profile, Rules } from "../context.js";
import { PurserError } from "../errors.js";
import { type DriverName, loadDriver } from "./drivers.js";
import { type Place, placeOf, prepare } from "./place.js";
import { purge } from "./purge.js";
import { CommitQueue } from "./queue.js";
import { events, holders, list, looks, show } from "./read.js";
import { Senders } from "./senders.js";
import { openDatabase } from "./setup.js";
import { type OpenStorage, type Storage, troubleOf, unusable } from "./storage.js";
import { verify } from "./verify.js";
import { begin, end, type Hands, looked, settle } from "./write.js";

export interface JournalOptions {
	/** The state directory; the journal makes a folder of its own in it. */
	directory: string;
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	chance: Chance;
	rules: Rules;
	/** For tests: this driver and no other, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/**
 * Opens a profile's journal, and makes it where there is none.
 * @throws PurserError usage, where it cannot be opened so that what is written lasts: then nothing may be sent
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
	const place = placeOf(options.directory, options.profile);
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepare(place);
		const storage = openDatabase(open, { file: place.file, ...options });
		return journal(storage, place, new Senders(open, place.senders), options);
	} catch (error) {
		throw unusable(error, place.file);
	}
}

function journal(storage: Storage, { file }: Place, senders: Senders, { clock, chance, rules }: JournalOptions): Journal {
	const queue = new CommitQueue(storage, () => clock.now());
	const lives = (sender: string): boolean => senders.lives(sender);
	const hands: Hands = { rules, own: () => senders.own(() => chance.uuid()), lives };
	let broken: unknown;
	const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			throw unusable(error, file);
		}
	};
	return {
		file,
		begin: (intent) =>
			guarded(async () => {
				// After a failed write nobody knows what the disk holds: nothing more is sent by this process.
				if (broken !== undefined) throw broken;
				try {
					return await queue.run((transaction) => begin(transaction, hands, intent));
				} catch (error) {
					if (!(error instanceof PurserError) && troubleOf(error) !== "busy") broken = error;
					throw error;
				}
			}),
		end: (intent, outcome) =>
			guarded(async () => {
				const record = () => queue.run((transaction) => end(transaction, hands, intent, outcome));
				// What became of a request must not be lost to a neighbour in the same group: once more, alone.
				const failure = await record().catch((error) => (error instanceof PurserError ? Promise.reject(error) : record()));
				if (failure) throw failure;
			}),
		list: (filter) => guarded(() => list(storage, filter, lives)),
		show: (intent) => guarded(() => show(storage, intent, lives)),
		holders: (ids) => guarded(() => holders(storage, ids)),
		looks: (intent) => guarded(() => looks(storage, intent)),
		looked: (intents, look) => guarded(() => queue.run((transaction) => looked(transaction, intents, look))),
		settle: (intent, settlement) => guarded(() => queue.run((transaction) => settle(transaction, hands, intent, settlement))),
		events: (after) => events(storage, after),
		verify: () => guarded(() => verify(storage, rules)),
		purge: (before) => guarded(() => purge(storage, queue, before, lives)),
		close: () =>
			guarded(() => {
				queue.close();
				senders.end();
				storage.close();
			}),
	};
}
