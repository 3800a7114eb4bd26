import type { SqlStatement, Storage } from "./storage.js";

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
