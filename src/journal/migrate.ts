/**
 * Upgrades a journal of an older version: verified, copied, changed in one transaction, and verified again before that commits. A kill
 * at any point leaves either the old journal or the new one, whole.
 */

import { renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { advice, purser } from "../api/advice.js";
import { syncFolder } from "../disk/private-folder.js";
import { PurserError } from "../errors.js";
import type { Rules, Verification } from "../ports/journal.js";
import { verifiedCopy } from "./backup.js";
import { eventOfJournal, schemaVersion, tables } from "./sqlite/schema.js";
import { newName } from "./sqlite/senders.js";
import { pragma, rollBack } from "./sqlite/setup.js";
import type { OpenStorage, Storage } from "./sqlite/storage.js";
import { metaOf, WriteTransaction } from "./sqlite/transaction.js";
import { inspect } from "./verify/verify.js";

/** What an upgrade is made of. */
export interface Migration {
	open: OpenStorage;
	/** The journal, open, of an older version. */
	storage: Storage;
	file: string;
	rules: Rules;
	now(): Date;
	/** Whether the process of this name still sends. */
	lives(sender: string): boolean;
	/** Tells a person what is being done. */
	tell?(message: string): void;
}

/** From each older version, the statements that lead to the next one, and the tables as that older version makes them. */
const steps: Readonly<Record<number, { statements: string; made: string }>> = {
	2: { statements: eventOfJournal, made: tables.replace(`${eventOfJournal}\n`, "") },
};

/** Where the copy of a journal lies from before it was upgraded from a version. */
export const copyOf = (file: string, version: number): string => `${file}.version-${version}`;

/** How often another process may write between the copy and the change before this gives up. */
const mostTries = 20;

/**
 * Upgrades the journal to this version, by way of each version between. Done already by another process, it changes nothing.
 * @throws PurserError usage, where the journal is not as it was written, where another process still sends, or where the copy cannot be
 *   verified: then the journal is as it was; the driver's and the system's errors
 */
export async function migrate(migration: Migration): Promise<void> {
	for (let tried = 0; ; tried++) {
		const version = Number(pragma(migration.storage, "user_version"));
		if (version === schemaVersion) return;
		if (tried === mostTries) throw busy(migration.file);
		migration.tell?.(`The journal is being upgraded from version ${version} to ${version + 1}; a copy is kept beside it`);
		const before = await verified(migration, version);
		if ((await copy(migration, version, before)) && (await change(migration, version, before)))
			migration.tell?.(`The journal is upgraded; the copy of before is ${copyOf(migration.file, version)}`);
	}
}

/** The old journal, verified. @throws PurserError usage, where it is not as it was written */
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
 * Copies the journal, with all that stands in its write-ahead log, and holds the copy against what was verified.
 * @returns false where another process has written, or upgraded it, meanwhile
 */
async function copy({ open, storage, file }: Migration, version: number, { head }: Verification): Promise<boolean> {
	// Under a name of its own: another process may be upgrading too, and its finished copy must not be replaced by one of the new journal.
	const own = `${copyOf(file, version)}.${newName(storage)}`;
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

/** @returns false where another process was first, or has written since the copy was made */
async function change(migration: Migration, version: number, { head }: Verification): Promise<boolean> {
	const { storage, rules, file, now } = migration;
	storage.exec("BEGIN IMMEDIATE");
	try {
		const unchanged = pragma(storage, "user_version") === version && metaOf(storage, "hash") === head.hash;
		if (unchanged) {
			refuseWhileSending(migration);
			storage.exec(`${steps[version]?.statements ?? ""} PRAGMA user_version = ${version + 1};`);
			const transaction = new WriteTransaction(storage, now());
			const content = { from: version, to: version + 1, seq: head.seq, hash: head.hash, copy: basename(copyOf(file, version)) };
			transaction.append("upgraded", undefined, content);
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

/** An older purser that is sending has the file open, and would go on writing to it as it knows it. */
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
		fix: advice`Keep a copy of it, look with the purser that wrote it (${purser`history verify`}), and restore a backup if there is one.`,
	});
}
