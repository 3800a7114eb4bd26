/**
 * Opens the inbox of a profile: a file of its own next to the journal, because bodies may hold personal data, which the journal never does.
 */
import { chmodSync, existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { PurserError } from "../errors.js";
import type { Inbox } from "../ports/events.js";
import type { Clock, Random } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type DriverName, loadDriver } from "../sqlite/drivers.js";
import { busyTimeout, pragma, retryWhileBusy, rollBack, settingThatFails } from "../sqlite/durable.js";
import type { OpenStorage, Storage } from "../sqlite/storage.js";
import { createPrivate, durableFolder, profileFile, syncFolder } from "../system/disk/private-folder.js";
import { inboxOver, unusableInbox } from "./inbox.js";

/** Raised with each change of the tables: a file of another version is refused, so that nothing is misread. */
const inboxVersion = 4;

/** Marks the file as a purser inbox ("PUIN"). */
const inboxApplication = 0x5055494e;

/**
 * `event` is what happened, `delivery` is each notice of it: `entry` is the state that its subject entered, and `source` who saw that.
 * `counts` is 0 for a notice that only repeats another one under a new id. A poll has no sender's id. Bodies are base64.
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
	confirmed_at TEXT
) STRICT;
CREATE INDEX event_of_subject ON event (same_subject, seq) WHERE same_subject IS NOT NULL;
CREATE INDEX event_received ON event (received_at);
CREATE TABLE delivery (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	event INTEGER NOT NULL REFERENCES event (seq),
	sender_id TEXT UNIQUE,
	entry TEXT,
	same_subject TEXT,
	counts INTEGER NOT NULL,
	source TEXT NOT NULL,
	stated_at TEXT,
	received_at TEXT NOT NULL,
	digest TEXT NOT NULL,
	headers TEXT,
	body TEXT
) STRICT;
CREATE INDEX delivery_of_event ON delivery (event);
CREATE INDEX delivery_entry ON delivery (entry, source) WHERE entry IS NOT NULL;
CREATE INDEX delivery_polled ON delivery (same_subject, seq) WHERE source = 'poll';
CREATE INDEX delivery_kept ON delivery (received_at) WHERE body IS NOT NULL;
CREATE TABLE hook (
	event INTEGER NOT NULL REFERENCES event (seq),
	hook TEXT NOT NULL,
	state TEXT NOT NULL,
	tries INTEGER NOT NULL,
	due_at TEXT,
	why TEXT,
	PRIMARY KEY (event, hook)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_due ON hook (hook, due_at, event) WHERE state = 'due';
CREATE INDEX hook_failed ON hook (event) WHERE state = 'failed';
CREATE TABLE place (source TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

export interface InboxOptions {
	/** The state directory; the inbox creates its own folder in it. */
	directory: string;
	/** Its setting `events-keep` says for how long headers and bodies are stored. */
	profile: Pick<Profile, "name" | "environment" | "settings">;
	clock: Clock;
	random: Random;
	/** For tests: a particular driver, or a storage of their own. */
	driver?: DriverName;
	storage?: OpenStorage;
}

/** Days that headers and bodies are stored where `events-keep` does not say. */
const daysKept = "7";

type Whose = { directory: string; profile: Pick<Profile, "name" | "environment"> };

const fileOf = ({ directory, profile }: Whose): string => profileFile(join(directory, "inbox"), profile, ".db");

/** Whether the profile has an inbox yet. */
export const hasInbox = (of: Whose): boolean => existsSync(fileOf(of));

/**
 * Opens a profile's inbox and creates it if there is none.
 * @throws PurserError usage, if it cannot be opened durably
 */
export async function openInbox(options: InboxOptions): Promise<Inbox> {
	const file = fileOf(options);
	try {
		const open = options.storage ?? (await loadDriver(options.driver));
		prepare(file);
		const storage = await retryWhileBusy(options.clock, () => opened(open, file, options));
		return inboxOver(storage, file, { ...options, keep: keptFor(options.profile) });
	} catch (error) {
		throw unusableInbox(error, file);
	}
}

/** Milliseconds that headers and bodies are stored; 0 stores none. */
function keptFor({ settings }: Pick<Profile, "settings">): number {
	const days = settings["events-keep"] ?? daysKept;
	return days === "off" ? 0 : Number(days) * 86_400_000;
}

function prepare(file: string): void {
	durableFolder(dirname(file));
	const created = createPrivate(file);
	const found = lstatSync(file);
	if (!found.isFile())
		throw new PurserError("usage", {
			code: "INBOX_DENIED",
			message: `${file} is not a plain file, so it is not used as the inbox of events`,
			fix: "Move away what is there, then run this again.",
		});
	if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600);
	if (created) syncFolder(dirname(file));
}

function opened(open: OpenStorage, file: string, options: InboxOptions): Storage {
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
		createOrCheck(storage, file, `${options.profile.name} ${options.profile.environment}`);
		return storage;
	} catch (error) {
		storage.close();
		throw error;
	}
}

function createOrCheck(storage: Storage, file: string, owner: string): void {
	if (pragma(storage, "user_version") === 0) create(storage, file, owner);
	const version = pragma(storage, "user_version");
	if (version !== inboxVersion || pragma(storage, "application_id") !== inboxApplication) throw foreign(file, version);
	const stored = storage.prepare("SELECT value FROM meta WHERE key = 'owner'").get()?.value;
	if (stored !== owner) throw foreign(file, undefined, `for ${stored}`);
}

function create(storage: Storage, file: string, owner: string): void {
	storage.exec("BEGIN IMMEDIATE");
	try {
		// Another process may have created it meanwhile.
		if (pragma(storage, "user_version") === 0) {
			if (storage.prepare("SELECT count(*) AS tables FROM sqlite_master").get()?.tables !== 0)
				throw foreign(file, undefined, "of another program");
			storage.exec(`${inboxTables} PRAGMA application_id = ${inboxApplication}; PRAGMA user_version = ${inboxVersion};`);
			storage.prepare("INSERT INTO meta (key, value) VALUES ('owner', ?)").run(owner);
		}
		storage.exec("COMMIT");
	} catch (error) {
		rollBack(storage);
		throw error;
	}
}

function foreign(file: string, version: unknown, what = `version ${version}`): PurserError {
	const isNewer = typeof version === "number" && version > inboxVersion;
	return new PurserError("usage", {
		code: "INBOX_FOREIGN",
		message: isNewer
			? `The inbox of events was written by a newer purser (inbox version ${version}; this one reads up to ${inboxVersion})`
			: `${file} is not this profile's inbox of events (${what}), so it is left alone`,
		why: isNewer ? `${file} may hold records that this version would misread` : undefined,
		fix: isNewer
			? "Install the newer purser again, then run this again."
			: "Move the file away, then run this again: it begins a new inbox. Payments are not recorded there.",
	});
}
