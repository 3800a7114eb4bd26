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

/** Loads the built-in driver where this Node has it, else libsql; late, for most commands need neither. */
export async function loadDriver(name?: DriverName): Promise<OpenStorage> {
	const builtIn = name === "libsql" ? undefined : await loadBuiltIn();
	if (builtIn) return builtIn;
	if (name === "built-in") throw new RangeError("this Node has no SQLite of its own");
	const { default: Libsql } = await import("libsql");
	return (path, { wait }) => {
		const connection = new Libsql(path) as Connection;
		return adapted(connection, wait);
	};
}

async function loadBuiltIn(): Promise<OpenStorage | undefined> {
	// A name in a variable: the types of Node 20 do not know the module, and a bundler must leave it alone.
	const module: string = "node:sqlite";
	try {
		const { DatabaseSync } = (await import(module)) as { DatabaseSync: new (path: string) => Connection };
		return (path, { wait }) => adapted(new DatabaseSync(path), wait);
	} catch (error) {
		// Nodes before 22.13 do not have it, or only behind a flag.
		if ((error as { code?: unknown }).code === "ERR_UNKNOWN_BUILTIN_MODULE") return undefined;
		throw error;
	}
}

function adapted(connection: Connection, wait: number): Storage {
	connection.exec(`PRAGMA busy_timeout = ${Math.trunc(wait)}`);
	return {
		exec: (sql) => void connection.exec(sql),
		prepare: (sql) => {
			const statement = connection.prepare(sql);
			return {
				run: (...values) => void statement.run(...values),
				get: (...values) => statement.get(...values) as SqlRow | undefined,
				all: (...values) => statement.all(...values) as SqlRow[],
			};
		},
		close: () => void connection.close(),
	};
}
