/**
 * Checks a journal's file: the database's own check, and that its tables, indexes and triggers, on which every guarantee depends, are as
 * they were made.
 */
import type { Storage } from "../../sqlite/storage.js";
import { tables } from "./schema.js";

/** @returns what is wrong, in words */
export function databaseFaults(storage: Storage): string[] {
	const checked = storage.prepare("PRAGMA integrity_check(10)").all();
	const faults = checked.map((row) => String(row.integrity_check)).filter((result) => result !== "ok");
	const objects = [...tables.matchAll(/CREATE (?:TABLE|INDEX|TRIGGER) (\w+)/g)].map((match) => match[1] as string);
	const existing = storage
		.prepare("SELECT name, sql FROM main.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
		.all();
	const made = new Map(existing.map(({ name, sql }) => [String(name), `${String(sql)};`]));
	for (const name of objects) {
		const sql = made.get(name);
		if (sql === undefined || !tables.includes(sql)) faults.push(`${name} is ${sql === undefined ? "gone" : "not as it was made"}`);
	}
	for (const name of made.keys()) if (!objects.includes(name)) faults.push(`${name} was added`);
	return faults;
}
