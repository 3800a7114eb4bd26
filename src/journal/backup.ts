/**
 * Writes a self-contained copy of a journal, even while others write, marks it as a backup, and verifies it by reading it back.
 */

import { chmodSync, closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { advice, purser } from "../api/advice.js";
import { troubleWords } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Backup } from "../ports/journal.js";
import { type OpenStorage, type Storage, storageTrouble } from "../sqlite/storage.js";
import { syncFolder } from "../system/disk/private-folder.js";
import { markCopy } from "./anchor/unfit.js";
import { statementsOf } from "./sqlite/connection.js";
import type { Connection } from "./tables/connection.js";
import { sql } from "./tables/sql.js";
import { headOf } from "./tables/transaction.js";
import { checkChain } from "./verify/verify.js";

/** An open journal, not in a transaction. */
interface Original {
	connection: Connection;
	storage: Storage;
	/** Opens the copy. */
	open: OpenStorage;
	now(): Date;
}

/**
 * Copies the journal into one new file, 0600 and durable. SQLite writes the copy from one snapshot; it is marked as a backup under a name of
 * its own, its pages, its chain and its end are verified, and only then does it get its name. A faulty copy is removed.
 * @throws PurserError guard, if the file exists; usage, if it cannot be written or the copy differs from the journal
 */
export async function backup(original: Original, file: string): Promise<Backup> {
	const target = resolve(file);
	const partial = `${target}.${crypto.randomUUID()}.partial`;
	if (statSync(target, { throwIfNoEntry: false }) !== undefined) throw fileExists(file);
	try {
		// Create the file with its mode first, so that it is never readable by others; SQLite fills an empty file.
		closeSync(openSync(partial, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
		await original.connection.read(async () => original.storage.prepare("VACUUM INTO ?").run(partial));
		chmodSync(partial, 0o600);
		const { events, head } = await markAndReadBack(original, partial);
		syncFile(partial);
		moveIntoPlace(partial, target, file);
		return { file, bytes: statSync(target).size, events, head };
	} catch (cause) {
		throw cause instanceof PurserError ? cause : unwritten(file, cause);
	} finally {
		for (const part of ["", "-wal", "-shm", "-journal"]) rmSync(partial + part, { force: true });
	}
}

/** @returns the journal's events in the copy, without the mark @throws PurserError usage, if the copy differs from the journal */
async function markAndReadBack({ connection, open, now }: Original, partial: string): Promise<Pick<Backup, "events" | "head">> {
	const copy = open(partial, { wait: 0 });
	const faults: string[] = [];
	const add = (fault: string): void => void faults.push(fault);
	try {
		const statements = statementsOf(copy);
		const head = await headOf(statements);
		copy.exec("BEGIN IMMEDIATE");
		await markCopy(statements, now());
		copy.exec("COMMIT");
		for (const { integrity_check: result } of copy.prepare("PRAGMA integrity_check(10)").all()) if (result !== "ok") add(String(result));
		const { events } = await checkChain(statements, add);
		const last = await connection.read((reading) => reading.get(sql`SELECT hash FROM event WHERE seq = ${head.seq}`));
		if (last?.hash !== head.hash) add(`it ends at event ${head.seq}, which is not the same in the journal`);
		if (faults.length === 0) return { events: events - 1, head };
	} finally {
		copy.close();
	}
	throw new PurserError("usage", {
		code: "BACKUP_NOT_WHOLE",
		message: "The copy does not match the journal, so it was removed",
		why: faults.slice(0, 3).join("; "),
		fix: advice`Check the journal itself: ${purser`history verify`}`,
	});
}

function syncFile(file: string): void {
	const handle = openSync(file, constants.O_RDWR);
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

/** Moves the complete copy to its name without replacing an existing file. Without hard links, existence is checked before the rename. */
function moveIntoPlace(partial: string, target: string, file: string): void {
	try {
		linkSync(partial, target);
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "EEXIST") throw fileExists(file);
		if (statSync(target, { throwIfNoEntry: false }) !== undefined) throw fileExists(file);
		renameSync(partial, target);
	}
	syncFolder(dirname(target));
}

function fileExists(file: string): PurserError {
	return new PurserError("guard", {
		code: "FILE_EXISTS",
		message: `${file} exists already and was left as it is`,
		fix: "Choose another file.",
	});
}

function unwritten(file: string, cause: unknown): PurserError {
	const isFull = storageTrouble(cause) === "full";
	return new PurserError(isFull ? "unavailable" : "usage", {
		code: "BACKUP_NOT_WRITTEN",
		message: `The copy ${file} could not be written${isFull ? ": the disk is full" : ""}`,
		why: isFull ? undefined : troubleWords(cause),
		fix: "Check that the folder exists, that you may write there and that there is room for another journal, then run this again.",
		cause,
	});
}
