/**
 * Opens the database with settings that make commits durable, and refuses if they do not take effect.
 */

import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Clock, Random } from "../../ports/machine.js";
import type { Profile } from "../../ports/profiles.js";
import { busyTimeout, pragma, rollBack, settingThatFails } from "../../sqlite/durable.js";
import type { OpenStorage, Storage } from "../../sqlite/storage.js";
import { tables as common, schemaVersion } from "../tables/schema.js";
import { beginChain } from "../tables/transaction.js";
import { statementsOf } from "./connection.js";

interface Setup {
	file: string;
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	random: Random;
}

/**
 * Opens the journal of a profile and creates its tables if the file is empty. A file of another version is left as it is.
 * @throws PurserError usage, if a setting does not take effect or the file is not a journal of this profile that this version can read;
 *   the driver's errors
 */
export async function openDatabase(open: OpenStorage, setup: Setup): Promise<Storage> {
	const storage = open(setup.file, { wait: busyTimeout });
	try {
		// Before the settings, because they are written into the file.
		checkVersion(storage, setup.file);
		configure(storage, setup.file);
		await createOrCheck(storage, setup);
		return storage;
	} catch (error) {
		storage.close();
		throw error;
	}
}

/** @throws PurserError usage, if it has the tables of another version or of another program */
function checkVersion(storage: Storage, file: string): void {
	const version = pragma(storage, "user_version");
	if (version === 0) return;
	if (pragma(storage, "application_id") !== applicationId) throw foreign(file, "of another program");
	if (version !== schemaVersion) throw otherVersion(file, version);
}

function configure(storage: Storage, file: string): void {
	const unsafe = settingThatFails(storage);
	if (unsafe === undefined) return;
	const { name, found, wanted } = unsafe;
	throw new PurserError("usage", {
		code: "JOURNAL_UNSAFE",
		message: `The journal cannot be kept safe: ${name} is ${found}, not ${wanted}; nothing is sent`,
		why: `${file} is on a file system, or is opened by a driver, that does not support it`,
		fix: "Name a folder on a local disk in PURSER_STATE_DIR, then run this again.",
	});
}

async function createOrCheck(storage: Storage, setup: Setup): Promise<void> {
	if (pragma(storage, "user_version") === 0) await create(storage, setup);
	const stored = storage.prepare("SELECT value FROM meta WHERE key = 'owner'").get()?.value;
	if (stored !== ownerOf(setup)) throw foreign(setup.file, `of ${stored}`);
}

const ownerOf = ({ profile }: Setup): string => `${profile.name} ${profile.environment}`;

async function create(storage: Storage, setup: Setup): Promise<void> {
	storage.exec("BEGIN IMMEDIATE");
	try {
		// Another process may have created it meanwhile.
		if (pragma(storage, "user_version") === 0) {
			if (storage.prepare("SELECT count(*) AS tables FROM sqlite_master").get()?.tables !== 0)
				throw foreign(setup.file, "of another program");
			storage.exec(`${tables} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
			const { name: profile, environment } = setup.profile;
			const installation = setup.random.uuid();
			const meta = { owner: ownerOf(setup), installation };
			await beginChain(statementsOf(storage), setup.clock.now(), meta, { installation, profile, environment });
		}
		storage.exec("COMMIT");
	} catch (error) {
		rollBack(storage);
		throw error;
	}
}

function foreign(file: string, what: string): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_FOREIGN",
		message: `${file} is not this profile's journal (it is ${what}), so it is left alone and nothing is sent`,
		fix: "Move it away, or point to the right journal in PURSER_STATE_DIR. An empty folder there is a new journal, which knows no earlier payment.",
	});
}

function otherVersion(file: string, version: unknown): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_FOREIGN",
		message: `The journal has schema version ${version}, and this purser reads version ${schemaVersion} only; the file is unchanged and nothing was sent`,
		why: file,
		fix: advice`Keep the file: it says what was sent. Write it out with the purser that wrote it: ${purser`history export --limit 999999`}`,
	});
}

/** Marks the file as a purser journal ("PURS"). */
export const applicationId = 0x50555253;

/** The tables, and what keeps their events. */
export const tables = `${common}
CREATE TRIGGER event_is_kept BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_is_not_lost BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
`;

/** @returns what is wrong, in words */
export function databaseFaults(storage: Storage): string[] {
	const checked = storage.prepare("PRAGMA integrity_check(10)").all();
	const faults = checked.map((row) => String(row.integrity_check)).filter((result) => result !== "ok");
	const objects = [...tables.matchAll(/CREATE (?:TABLE|INDEX|TRIGGER) (\w+)/g)].map((match) => match[1] as string);
	const existing = storage
		.prepare("SELECT name, sql FROM main.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
		.all();
	const made = new Map(existing.map(({ name, sql }) => [String(name), `${String(sql)};`]));
	for (const name of objects) {
		const sql = made.get(name);
		if (sql === undefined || !tables.includes(sql)) faults.push(`${name} is ${sql === undefined ? "gone" : "not as it was made"}`);
	}
	for (const name of made.keys()) if (!objects.includes(name)) faults.push(`${name} was added`);
	return faults;
}
