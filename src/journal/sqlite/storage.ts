/**
 * The seam under the journal: the few things asked of SQLite, and what a failure of it means. Tests put failing storage here.
 */
import { advice, purser } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlStatement {
	run(...values: SqlValue[]): void;
	get(...values: SqlValue[]): SqlRow | undefined;
	all(...values: SqlValue[]): SqlRow[];
}

/** One connection to one file. Every method is synchronous and throws the driver's own error. */
export interface Storage {
	exec(sql: string): void;
	prepare(sql: string): SqlStatement;
	close(): void;
}

/**
 * Lets the event loop turn once. libsql gives back what `all` held only then: whoever reads a million rows in one go would hold a gigabyte.
 */
export function yieldToEventLoop(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/** Opens a file. `wait`: milliseconds to wait for another process's lock. */
export type OpenStorage = (path: string, options: { wait: number }) => Storage;

/** What an error of a driver or of the file system means for the journal. */
export type StorageTrouble = "full" | "busy" | "denied" | "damaged" | "failed";

const resultCodes: Readonly<Record<number, StorageTrouble>> = {
	5: "busy",
	6: "busy",
	8: "denied",
	11: "damaged",
	13: "full",
	14: "denied",
	26: "damaged",
};

const words: Readonly<Record<string, StorageTrouble>> = {
	SQLITE_BUSY: "busy",
	SQLITE_LOCKED: "busy",
	SQLITE_READONLY: "denied",
	SQLITE_CORRUPT: "damaged",
	SQLITE_FULL: "full",
	SQLITE_CANTOPEN: "denied",
	SQLITE_NOTADB: "damaged",
	ENOSPC: "full",
	EDQUOT: "full",
	EACCES: "denied",
	EPERM: "denied",
	EROFS: "denied",
};

/** Reads both drivers' errors: SQLite's result code as a number (built-in) or as a word (libsql; in its text where a file cannot be opened), or the system's. */
export function storageTrouble(error: unknown): StorageTrouble {
	const { errcode, code, message } = (error ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown };
	// Extended result codes carry the plain one in their lowest byte.
	if (typeof errcode === "number") return resultCodes[errcode & 0xff] ?? "failed";
	const word = typeof code === "string" ? Object.keys(words).find((one) => code === one || code.startsWith(`${one}_`)) : undefined;
	if (word !== undefined) return words[word] as StorageTrouble;
	const opening = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(String(message))?.[1];
	return (opening !== undefined && resultCodes[Number(opening) & 0xff]) || "failed";
}

const fixes: Readonly<Record<StorageTrouble, (file: string) => Advice>> = {
	full: () => "Make room on that disk, then run this again.",
	busy: () => "Wait until the other purser on this machine has finished, then run this again.",
	denied: (file) =>
		`Give yourself the right to write ${file}, then run this again. Another folder in PURSER_STATE_DIR is a new record, which knows no payment made before.`,
	damaged: (file) =>
		advice`Do not delete ${file}: it says what was sent. Keep a copy of it with its -wal file, then restore a backup, and look at the service before paying: ${purser`pay list`}.`,
	failed: (file) => `Check the disk that holds ${file}, then run this again.`,
};

const reasons: Readonly<Record<StorageTrouble, string>> = {
	full: "the disk is full",
	busy: "another process keeps it locked",
	denied: "it may not be written",
	damaged: "it is damaged",
	failed: "the disk or the database failed",
};

/** The error for a journal that cannot be used: whoever cannot write does not send. */
export function unusable(cause: unknown, file: string): PurserError {
	if (cause instanceof PurserError) return cause;
	const trouble = storageTrouble(cause);
	return new PurserError("usage", {
		code: `JOURNAL_${trouble.toUpperCase()}`,
		message: `The journal cannot be written (${reasons[trouble]}), and nothing is sent that is not on record`,
		why: `${file}: ${cause instanceof Error ? cause.message : "unknown"}`,
		fix: fixes[trouble](file),
		cause,
	});
}

/** Does what is given; what the storage throws becomes an error that people can act on. */
export type Guarded = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Runs work on the journal's file; what the database or the disk throws there becomes a PurserError that names the file. */
export function guardedFor(file: string): Guarded {
	return async (work) => {
		try {
			return await work();
		} catch (error) {
			throw unusable(error, file);
		}
	};
}
