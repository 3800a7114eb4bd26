/**
 * The inbox of a profile: a file of its own next to the journal, because bodies may hold personal data, which the journal never does.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256, sha256OfParts } from "../api/digest.js";
import { plainId } from "../api/text/ids.js";
import { PurserError } from "../errors.js";
import type { Inbox, Notice } from "../ports/events.js";
import type { Clock, Random } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type DriverName, loadDriver } from "../sqlite/drivers.js";
import { busyTimeout, closeStorage, pragma, retryWhileBusy, rollBack, settingThatFails } from "../sqlite/durable.js";
import { GroupCommit } from "../sqlite/group-commit.js";
import { type OpenStorage, reasons, type Storage, statement, storageTrouble, systemCode } from "../sqlite/storage.js";
import { createPrivate, durableFolder, profileFile, syncFolder } from "../system/disk/private-folder.js";
import { eventAt, listEvents, showEvent } from "./read.js";

/** Raised with each change of the tables: a file of another version is refused, so that nothing is misread. */
const inboxVersion = 6;

/** Marks the file as a purser inbox ("PUIN"). */
const inboxApplication = 0x5055494e;

/**
 * `event` is what a delivery or a poll told, with the delivery itself: a poll has no sender's id. Bodies are base64. `hook` is what each hook has
 * done with an event; `meta` also holds the place that polls have come to.
 */
const inboxTables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE event (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL,
	at TEXT NOT NULL,
	received_at TEXT NOT NULL,
	subject_kind TEXT,
	subject TEXT,
	same_subject TEXT,
	state_from TEXT,
	state_to TEXT,
	source TEXT NOT NULL,
	confirmed_status TEXT,
	confirmed_at TEXT,
	sender_id TEXT UNIQUE,
	digest TEXT,
	headers TEXT,
	body TEXT
) STRICT;
CREATE INDEX event_of_subject ON event (same_subject, seq) WHERE same_subject IS NOT NULL;
CREATE INDEX event_received ON event (received_at);
CREATE INDEX event_kept ON event (received_at) WHERE body IS NOT NULL;
CREATE TABLE hook (
	event INTEGER NOT NULL REFERENCES event (seq),
	hook TEXT NOT NULL,
	state TEXT NOT NULL,
	why TEXT,
	PRIMARY KEY (event, hook)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_due ON hook (hook, event) WHERE state = 'due';
CREATE INDEX hook_failed ON hook (event) WHERE state = 'failed';
`;

export interface InboxOptions {
	/** The state directory; the inbox creates its own folder in it. */
	directory: string;
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	random: Random;
	/** For tests: a particular driver, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/** Milliseconds for which headers and bodies are stored. */
const retention = 7 * 86_400_000;

type Whose = Pick<InboxOptions, "directory" | "profile">;

const fileOf = ({ directory, profile }: Whose): string => profileFile(join(directory, "inbox"), profile, ".db");

export const hasInbox = (of: Whose): boolean => existsSync(fileOf(of));

/**
 * Opens a profile's inbox and creates it if there is none.
 * @throws PurserError usage, if it cannot be opened durably
 */
export async function openInbox(options: InboxOptions): Promise<Inbox> {
	const file = fileOf(options);
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		durableFolder(dirname(file));
		if (createPrivate(file)) syncFolder(dirname(file));
		const storage = await retryWhileBusy(options.clock, () => opened(open, file));
		return inboxOver(storage, file, options);
	} catch (error) {
		throw unusableInbox(error, file);
	}
}

function opened(open: OpenStorage, file: string): Storage {
	const storage = open(file, { wait: busyTimeout });
	try {
		const unsafe = settingThatFails(storage);
		if (unsafe !== undefined)
			throw new PurserError("usage", {
				code: "INBOX_UNSAFE",
				message: `The inbox of events cannot be kept safe: ${unsafe.name} is ${unsafe.found}, not ${unsafe.wanted}`,
				why: `${file} is on a file system, or is opened by a driver, that does not support it`,
				fix: "Name a folder on a local disk in PURSER_STATE_DIR, then run this again.",
			});
		createOrCheck(storage, file);
		return storage;
	} catch (error) {
		storage.close();
		throw error;
	}
}

function createOrCheck(storage: Storage, file: string): void {
	storage.exec("BEGIN IMMEDIATE");
	try {
		const version = pragma(storage, "user_version");
		const isEmpty = storage.prepare("SELECT count(*) AS tables FROM sqlite_master").get()?.tables === 0;
		if (version === 0 && isEmpty)
			storage.exec(`${inboxTables} PRAGMA application_id = ${inboxApplication}; PRAGMA user_version = ${inboxVersion};`);
		else if (version !== inboxVersion || pragma(storage, "application_id") !== inboxApplication)
			throw new PurserError("usage", {
				code: "INBOX_FOREIGN",
				message: `${file} is not an inbox of events that this purser can read (version ${version}), so it is left alone`,
				fix: "Move the file away, then run this again: it begins a new inbox. Payments are not recorded there.",
			});
		storage.exec("COMMIT");
	} catch (error) {
		rollBack(storage);
		throw error;
	}
}

/** Milliseconds between two removals of old bodies. */
const betweenPrunes = 3_600_000;

function inboxOver(storage: Storage, file: string, { clock, random }: InboxOptions): Inbox {
	const queue = new GroupCommit<undefined>({
		begin: () => void storage.exec("BEGIN IMMEDIATE"),
		commit: () => storage.exec("COMMIT"),
		rollBack: () => rollBack(storage),
	});
	const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			throw unusableInbox(error, file);
		}
	};
	const write = <T>(job: () => T): Promise<T> => guarded(() => queue.run(job));
	const read = <T>(job: () => T): Promise<T> => guarded(() => queue.alone(job));
	const sql = (text: string) => statement(storage, text);
	let pruned = -Infinity;
	const prune = (): void => {
		pruned = clock.monotonic();
		const old = new Date(clock.now().getTime() - retention).toISOString();
		sql("UPDATE event SET headers = NULL, body = NULL WHERE body IS NOT NULL AND received_at < ?").run(old);
	};
	return {
		file,
		receive: (notice, hooks = []) =>
			write(() => {
				if (clock.monotonic() - pruned > betweenPrunes) prune();
				const known = earlierOf(storage, notice);
				const sequence = known ?? add(storage, notice, clock.now().toISOString(), () => random.uuid());
				const isNew = known === undefined;
				for (const hook of isNew ? hooks : []) sql("INSERT INTO hook (event, hook, state) VALUES (?, ?, 'due')").run(sequence, hook);
				return { isNew, event: eventAt(storage, sequence) };
			}),
		confirm: (id, { status, at }) =>
			write(() => void sql("UPDATE event SET confirmed_status = ?, confirmed_at = ? WHERE id = ?").run(status, at, id)),
		list: (filter) => read(() => listEvents(storage, filter)),
		show: (id) => read(() => showEvent(storage, id)),
		place: () => read(() => sql("SELECT value FROM meta WHERE key = 'place'").get()?.value as string | undefined),
		setPlace: (place) => write(() => void sql("INSERT OR REPLACE INTO meta (key, value) VALUES ('place', ?)").run(place)),
		hooks: {
			due: async (hook, most) => (await read(() => sql(dueHooks).all(hook, most))).map(({ id }) => String(id)),
			ended: (event, hook, why) => write(() => void sql(hookEnded).run(hook, why === null ? "done" : "failed", why, event)),
		},
		close: async () => {
			await queue.close();
			closeStorage(storage, file);
		},
	};
}

/** The number of the event of a delivery that came before, and of a poll that finds what the last one found. */
function earlierOf(storage: Storage, { delivery, change: { subject, to } }: Notice): number | undefined {
	if (delivery !== undefined)
		return statement(storage, "SELECT seq FROM event WHERE sender_id = ?").get(delivery.id)?.seq as number | undefined;
	if (subject === null) return undefined;
	// A company has two states, its KYB and its terms, and each is compared with what was found of it alone.
	const last = statement(
		storage,
		`SELECT seq, state_to FROM event WHERE same_subject = ? AND subject_kind = ? AND source = 'poll'
		AND (state_to LIKE 'termsAccepted:%') = ? ORDER BY seq DESC LIMIT 1`,
	).get(plainId(subject.id), subject.kind, to?.startsWith("termsAccepted:") ? 1 : 0);
	return last?.state_to === to ? (last?.seq as number) : undefined;
}

/** @param unique makes a text that never comes again @returns the number of the event */
function add(
	storage: Storage,
	{ source, change: { type, at, subject, from, to }, delivery }: Notice,
	now: string,
	unique: () => string,
): number {
	const id = `evt_${sha256OfParts([source, delivery?.id ?? unique()]).slice(0, 32)}`;
	const row = statement(
		storage,
		`INSERT INTO event (id, type, at, received_at, subject_kind, subject, same_subject, state_from, state_to, source, sender_id, digest,
		headers, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
	).get(
		...[id, type, at ?? now, now, subject?.kind ?? null, subject?.id ?? null, subject === null ? null : plainId(subject.id)],
		...[from, to, source, delivery?.id ?? null, delivery === undefined ? null : sha256(delivery.body)],
		delivery === undefined ? null : JSON.stringify(delivery.headers),
		delivery === undefined ? null : Buffer.from(delivery.body).toString("base64"),
	);
	return Number(row?.seq);
}

const dueHooks = "SELECT id FROM hook JOIN event ON seq = event WHERE hook = ? AND state = 'due' ORDER BY event LIMIT ?";

const hookEnded = `INSERT INTO hook (event, hook, state, why) SELECT seq, ?, ?, ? FROM event WHERE id = ?
ON CONFLICT (event, hook) DO UPDATE SET state = excluded.state, why = excluded.why`;

/** The error for an inbox that cannot be used: what cannot be stored is not acknowledged to its sender. */
export function unusableInbox(cause: unknown, file: string): PurserError {
	if (cause instanceof PurserError) return cause;
	const trouble = storageTrouble(cause);
	return new PurserError(trouble === "full" ? "unavailable" : "usage", {
		code: `INBOX_${trouble.toUpperCase()}`,
		message: `The inbox of events cannot be used: ${reasons[trouble]}`,
		why: `${file}: ${systemCode(cause)}`,
		fix:
			trouble === "damaged"
				? `Move ${file} away with the files beside it whose names begin alike, then run this again: it begins a new inbox. Payments are not recorded there.`
				: "Put that right, then run this again.",
		cause,
	});
}
