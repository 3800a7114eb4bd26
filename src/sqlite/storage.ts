/**
 * The storage interface under the journal and the inbox, and what its errors mean. Tests put a failing storage here.
 */

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlStatement {
	/** @returns how many rows were changed */
	run(...values: SqlValue[]): number;
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
 * Yields to the event loop once. libsql frees the rows of `all` only then; reading a million rows without it would hold a gigabyte.
 */
export function yieldToEventLoop(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/** Opens a database file. `wait`: milliseconds to wait for another process's lock. */
export type OpenStorage = (path: string, options: { wait: number }) => Storage;

/** The kinds of storage errors. */
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

/**
 * Classifies an error: SQLite's result code as a number (built-in driver) or as a word (libsql; in its message if a file cannot be opened),
 * or the system's code.
 */
export function storageTrouble(error: unknown): StorageTrouble {
	const { errcode, code, message } = (error ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown };
	// The lowest byte of an extended result code is the primary one.
	if (typeof errcode === "number") return resultCodes[errcode & 0xff] ?? "failed";
	const word = typeof code === "string" ? Object.keys(words).find((one) => code === one || code.startsWith(`${one}_`)) : undefined;
	if (word !== undefined) return words[word] as StorageTrouble;
	const opening = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(String(message))?.[1];
	return (opening !== undefined && resultCodes[Number(opening) & 0xff]) || "failed";
}

/** What the database or the system calls it, for whoever has to look further; its own words are for programmers. */
export function systemCode(cause: unknown): string {
	const { errcode, code } = (cause ?? {}) as { errcode?: unknown; code?: unknown };
	if (typeof errcode === "number") return `SQLite said ${errcode}`;
	return typeof code === "string" ? `the system said ${code}` : reasons[storageTrouble(cause)];
}

/** The kinds of errors in words. */
export const reasons: Readonly<Record<StorageTrouble, string>> = {
	full: "the disk is full",
	busy: "another process keeps it locked",
	denied: "it is not writable",
	damaged: "it is damaged",
	failed: "the disk or the database failed",
};

/** Caches prepared statements by connection and text. */
const prepared = new WeakMap<Storage, Map<string, SqlStatement>>();

/** A prepared statement of this connection. */
export function statement(storage: Storage, sql: string): SqlStatement {
	const known = prepared.get(storage) ?? new Map<string, SqlStatement>();
	prepared.set(storage, known);
	const found = known.get(sql) ?? storage.prepare(sql);
	known.set(sql, found);
	return found;
}
