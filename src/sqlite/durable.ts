/**
 * Connections whose commits are durable: their settings, and how they are opened and closed while other processes use the file.
 */
import { statSync } from "node:fs";
import type { Clock } from "../ports/machine.js";
import { type Storage, storageTrouble } from "./storage.js";

/** Milliseconds to wait while another process writes. */
export const busyTimeout = 10_000;

/** Set and read back on every open, because a driver may fall back to NORMAL when it opens a WAL file again. */
const settings: readonly (readonly [name: string, set: string, wanted: string | number])[] = [
	["journal_mode", "WAL", "wal"],
	["synchronous", "FULL", 2],
	["fullfsync", "ON", 1],
	["checkpoint_fullfsync", "ON", 1],
	["secure_delete", "ON", 1],
	["foreign_keys", "ON", 1],
	["trusted_schema", "OFF", 0],
];

/** Applies the settings. @returns the first one that does not take effect */
export function settingThatFails(storage: Storage): { name: string; found: unknown; wanted: string | number } | undefined {
	for (const [name, set, wanted] of settings) {
		storage.prepare(`PRAGMA ${name} = ${set}`).all();
		const found = pragma(storage, name);
		if (found !== wanted) return { name, found, wanted };
	}
	return undefined;
}

/** The value of one of SQLite's settings. */
export function pragma(storage: Storage, name: string): unknown {
	return storage.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** Rolls back a failed transaction, if SQLite has not done so already. */
export function rollBack(storage: Storage): void {
	try {
		storage.exec("ROLLBACK");
	} catch {
		// No transaction is open.
	}
}

/** Most attempts, and milliseconds between them. */
const [mostTries, pause] = [40, 25];

/**
 * Retries while the database is busy: SQLite does not wait by itself when two processes create a file and switch it to WAL at the same
 * time. If SQLite itself has already waited for the lock, the time is up and there is no retry.
 */
export async function retryWhileBusy<T>(clock: Clock, open: () => T | Promise<T>): Promise<T> {
	const started = clock.monotonic();
	for (let tried = 1; ; tried++) {
		try {
			return await open();
		} catch (error) {
			if (storageTrouble(error) !== "busy" || tried === mostTries || clock.monotonic() - started > mostTries * pause) throw error;
			await clock.sleep(pause);
		}
	}
}

/**
 * Closes a connection. The write-ahead log is checkpointed first, so that a copy of the database file alone is complete. If another
 * process is using the file, it or a later run does so.
 */
export function closeStorage(storage: Storage, file: string): void {
	if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
		storage.prepare("PRAGMA busy_timeout = 0").all();
		storage.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
	}
	storage.close();
}

/** The write-ahead log belongs to the database: the newest records may be only there. */
const parts = ["", "-wal"];

/**
 * @param file the open database
 * @returns whether the files at these paths are still the opened ones. SQLite goes on writing to a file that was moved, deleted or replaced
 *   without an error, but nobody would ever read that.
 */
export function stillThere(file: string): () => boolean {
	const opened = identity(file);
	return () => identity(file) === opened;
}

function identity(file: string): string {
	return parts
		.map((part) => {
			const found = statSync(file + part, { bigint: true, throwIfNoEntry: false });
			return found === undefined ? "none" : `${found.dev} ${found.ino}`;
		})
		.join(", ");
}
