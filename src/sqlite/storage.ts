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

/** By SQLite's result code, as a number (built-in driver) or a word (libsql), or the system's code. */
const codes: Readonly<Record<Exclude<StorageTrouble, "failed">, readonly (number | string)[]>> = {
	busy: [5, 6, "SQLITE_BUSY", "SQLITE_LOCKED"],
	denied: [8, 14, "SQLITE_READONLY", "SQLITE_CANTOPEN", "EACCES", "EPERM", "EROFS"],
	damaged: [11, 26, "SQLITE_CORRUPT", "SQLITE_NOTADB"],
	full: [13, "SQLITE_FULL", "ENOSPC", "EDQUOT"],
};

/** Classifies an error. Where libsql cannot open a file, its message has the number. */
export function storageTrouble(error: unknown): StorageTrouble {
	const { errcode, code, message } = (error ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown };
	const number = errcode ?? /^ConnectionFailed\(.*: (\d+)"\)$/.exec(String(message))?.[1];
	// The lowest byte of an extended result code is the primary one; a word goes on with a part of its own.
	const primary = number === undefined ? undefined : Number(number) & 0xff;
	const isMeant = (one: number | string): boolean => one === primary || one === code || String(code).startsWith(`${one}_`);
	const kinds = Object.keys(codes) as (keyof typeof codes)[];
	return kinds.find((kind) => codes[kind].some(isMeant)) ?? "failed";
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
