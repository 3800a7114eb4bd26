/**
 * The two SQLite drivers behind one adapter: the one built into Node (22.13 and later), else libsql.
 */
import type { OpenStorage, SqlRow, SqlValue, Storage } from "./storage.js";

export type DriverName = "built-in" | "libsql";

/** What both drivers have in common. */
interface Connection {
	exec(sql: string): unknown;
	prepare(sql: string): { run(...values: SqlValue[]): unknown; get(...values: SqlValue[]): unknown; all(...values: SqlValue[]): unknown[] };
	close(): unknown;
}

/** Loads the built-in driver if this Node has it, else libsql. Imported on demand because most commands need neither. */
export async function loadDriver(name?: DriverName): Promise<OpenStorage> {
	const builtIn = name === "libsql" ? undefined : await loadBuiltIn();
	if (builtIn) return builtIn;
	if (name === "built-in") throw new RangeError("this Node has no SQLite of its own");
	const { default: Libsql } = await import("libsql");
	return (path, { wait }) => {
		const connection = new Libsql(path) as Connection;
		return adapt(connection, wait);
	};
}

async function loadBuiltIn(): Promise<OpenStorage | undefined> {
	// The name is in a variable because Node 20's types lack the module and the bundler must not resolve it.
	const module: string = "node:sqlite";
	try {
		const { DatabaseSync } = (await import(module)) as { DatabaseSync: new (path: string) => Connection };
		return (path, { wait }) => adapt(new DatabaseSync(path), wait);
	} catch (error) {
		// Node before 22.13 lacks it or needs a flag for it.
		if ((error as { code?: unknown }).code === "ERR_UNKNOWN_BUILTIN_MODULE") return undefined;
		throw error;
	}
}

function adapt(connection: Connection, wait: number): Storage {
	connection.exec(`PRAGMA busy_timeout = ${Math.trunc(wait)}`);
	return {
		exec: (sql) => void connection.exec(sql),
		prepare: (sql) => {
			const statement = connection.prepare(sql);
			return {
				run: (...values) => Number((statement.run(...values) as { changes: number | bigint }).changes),
				get: (...values) => statement.get(...values) as SqlRow | undefined,
				all: (...values) => statement.all(...values) as SqlRow[],
			};
		},
		close: () => void connection.close(),
	};
}
