/**
 * Upgrades a journal of an older version: verifies it, copies it, changes it in one transaction, and verifies it again before the commit. A
 * kill at any point leaves either the old or the new journal, complete.
 */

import { renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { advice, purser } from "../api/advice.js";
import { syncFolder } from "../disk/private-folder.js";
import { PurserError } from "../errors.js";
import type { BindingInForce } from "../ports/binding.js";
import type { Rules, Verification } from "../ports/journal.js";
import { pragma, rollBack } from "../sqlite/durable.js";
import type { OpenStorage, Storage } from "../sqlite/storage.js";
import { verifiedCopy } from "./backup.js";
import { keepBindings } from "./intents/bindings.js";
import { keepIdsAsGiven } from "./intents/kept-id.js";
import { eventOfJournal, idsAsGiven, schemaVersion, tables } from "./sqlite/schema.js";
import { randomName } from "./sqlite/senders.js";
import { tablesIn } from "./sqlite/tables.js";
import { metaOf, WriteTransaction } from "./sqlite/transaction.js";
import { inspect } from "./verify/verify.js";

/** The dependencies of an upgrade. */
export interface Migration {
	open: OpenStorage;
	/** The open journal of an older version. */
	storage: Storage;
	file: string;
	rules: Rules;
	now(): Date;
	/** Whether the sender of this name is alive. */
	lives(sender: string): boolean;
	/** What changes are sent through today. */
	inForce?(): Promise<BindingInForce>;
	/** Shows a message to the operator. */
	tell?(message: string): void;
}

/** By older version: the statements that upgrade it to the next one, and the schema that it was created with. */
const steps: Readonly<Record<number, { statements: string; made: string }>> = {
	3: { statements: "", made: tables },
	2: { statements: eventOfJournal, made: tables.replace(`${eventOfJournal}\n`, "") },
};

/** The path of the copy made before an upgrade from this version. */
export const copyOf = (file: string, version: number): string => `${file}.version-${version}`;

/** Most attempts: another process may write between the copy and the change, which makes a new copy necessary. */
const mostTries = 20;

/**
 * Upgrades the journal to the current version, step by step through the versions between. Does nothing if another process has done so.
 * @throws PurserError usage, if the journal was altered, another process is still sending, or the copy cannot be verified; the journal is
 *   then unchanged; the driver's and the system's errors
 */
export async function migrate(migration: Migration): Promise<void> {
	for (let tried = 0; ; tried++) {
		const version = Number(pragma(migration.storage, "user_version"));
		if (version === schemaVersion) return;
		if (tried === mostTries) throw busy(migration.file);
		migration.tell?.(`The journal is being upgraded from version ${version} to ${version + 1}; a copy is kept beside it`);
		const before = await verified(migration, version);
		if ((await copy(migration, version, before)) && (await change(migration, version, before)))
			migration.tell?.(`The journal is upgraded; the copy from before is ${copyOf(migration.file, version)}`);
	}
}

/** Verifies the old journal. @throws PurserError usage, if it was altered */
async function verified({ storage, rules, file }: Migration, version: number): Promise<Verification> {
	storage.exec("BEGIN");
	try {
		const found = await inspect(storage, rules, { made: steps[version]?.made ?? tables });
		if (found.faults.length > 0) throw altered(file, found.faults);
		return found;
	} finally {
		storage.exec("ROLLBACK");
	}
}

/**
 * Copies the journal, including its write-ahead log, and compares the copy with what was verified.
 * @returns false if another process has written to it or upgraded it meanwhile
 */
async function copy({ open, storage, file }: Migration, version: number, { head }: Verification): Promise<boolean> {
	// Use a unique name first: another process may be upgrading too, and its copy must not be replaced by one of the upgraded journal.
	const own = `${copyOf(file, version)}.${randomName(storage)}`;
	try {
		const { head: copied } = await verifiedCopy(storage, open, own);
		if (copied.seq !== head.seq || copied.hash !== head.hash) return false;
		renameSync(own, copyOf(file, version));
		syncFolder(dirname(file));
		return true;
	} finally {
		rmSync(own, { force: true });
	}
}

const asDescribed: { through?: BindingInForce["through"]; kept: BindingInForce["kept"] } = { kept: [] };

/** @returns false if another process was first, or has written since the copy was made */
async function change(migration: Migration, version: number, { head }: Verification): Promise<boolean> {
	const { storage, rules, file, now } = migration;
	// Records of version 3 do not say what a change was sent through; the best that is known is what is in force now.
	const { through, kept } = version === 3 ? ((await migration.inForce?.()) ?? asDescribed) : asDescribed;
	storage.exec("BEGIN IMMEDIATE");
	try {
		const unchanged = pragma(storage, "user_version") === version && metaOf(storage, "hash") === head.hash;
		if (unchanged) {
			refuseWhileSending(migration);
			storage.exec(`${steps[version]?.statements ?? ""} PRAGMA user_version = ${version + 1};`);
			const transaction = new WriteTransaction(storage, now());
			const content = { from: version, to: version + 1, seq: head.seq, hash: head.hash, copy: basename(copyOf(file, version)) };
			keepBindings(tablesIn(transaction), kept);
			if (version + 1 === idsAsGiven) keepIdsAsGiven(storage);
			transaction.append("upgraded", undefined, { ...content, through });
			transaction.finish();
			const { faults } = await inspect(storage, rules, { made: steps[version + 1]?.made ?? tables });
			if (faults.length > 0) throw altered(file, faults);
		}
		storage.exec("COMMIT");
		return unchanged;
	} catch (error) {
		rollBack(storage);
		throw error;
	}
}

/** An older purser that is sending would go on writing to the upgraded file in the old format. */
function refuseWhileSending({ storage, lives, file }: Migration): void {
	const senders = storage
		.prepare("SELECT DISTINCT sender FROM intent WHERE state = 'sending' UNION SELECT sender FROM batch WHERE sender IS NOT NULL")
		.all();
	if (senders.some(({ sender }) => typeof sender === "string" && lives(sender))) throw busy(file);
}

function busy(file: string): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_BUSY",
		message: "The journal must be upgraded, and another purser is still writing to it; nothing was sent",
		why: file,
		fix: "Wait until the other purser has finished, then run this again.",
	});
}

function altered(file: string, faults: readonly string[]): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_ALTERED",
		message: `The journal must be upgraded, but it was altered: ${faults[0]}; it was left as it is and nothing was sent`,
		why: `${file}: ${faults.join("; ")}`,
		fix: advice`Keep a copy of it, check it with the purser that wrote it (${purser`history verify`}), and restore a backup if there is one.`,
	});
}
