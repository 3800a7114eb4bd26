/**
 * One set of SQL texts for every engine: a tag that keeps values apart from the text, and what a connection does with such a statement.
 */
import type { SqlRow, SqlValue } from "../../sqlite/storage.js";

/** A statement or a part of one: its text, cut where a value belongs. Made by {@link sql} alone. */
export class Sql {
	constructor(
		readonly texts: readonly string[],
		readonly values: readonly SqlValue[],
	) {}

	/** The text with a placeholder for each value, numbered from 1. */
	text(placeholder: (number: number) => string): string {
		let text = this.texts[0] as string;
		for (let at = 1; at < this.texts.length; at++) text += placeholder(at) + this.texts[at];
		return text;
	}
}

/** A statement; an inserted statement becomes part of it, and every other inserted thing is a value. */
export function sql(strings: TemplateStringsArray, ...inserted: readonly (SqlValue | Sql)[]): Sql {
	return inserted.some((one) => one instanceof Sql) ? merged(strings, inserted) : new Sql(strings, inserted as readonly SqlValue[]);
}

/** @param between the text before, between each two and after what is inserted */
function merged(between: readonly string[], inserted: readonly (SqlValue | Sql)[]): Sql {
	const texts: string[] = [];
	const values: SqlValue[] = [];
	let text = between[0] as string;
	for (let at = 0; at < inserted.length; at++) {
		const one = inserted[at] as SqlValue | Sql;
		const part = one instanceof Sql ? one : aValue(one);
		for (let index = 0; index < part.values.length; index++) {
			texts.push(text + part.texts[index]);
			values.push(part.values[index] as SqlValue);
			text = "";
		}
		text += `${part.texts.at(-1)}${between[at + 1]}`;
	}
	texts.push(text);
	return new Sql(texts, values);
}

const aValue = (value: SqlValue): Sql => new Sql(["", ""], [value]);

/** At least one statement or value, with a comma between each two. */
export function list(all: readonly (SqlValue | Sql)[]): Sql {
	return joined(all, ", ");
}

/** SQL: whether something is one of these values; nothing is one of none. */
export function among(what: Sql, values: readonly SqlValue[]): Sql {
	return values.length === 0 ? raw("(0 = 1)") : sql`${what} IN (${list(values)})`;
}

/** The same with `AND`. */
export function every(conditions: readonly Sql[]): Sql {
	return joined(conditions, " AND ");
}

function joined(all: readonly (SqlValue | Sql)[], between: string): Sql {
	return merged(["", ...all.slice(1).map(() => between), ""], all);
}

/** A text of ours, never input. */
export const raw = (text: string): Sql => new Sql([text], []);

/** What reads. */
export interface Reading {
	/** The first row. */
	get(query: Sql): Promise<SqlRow | undefined>;
	all(query: Sql): Promise<SqlRow[]>;
}

/** Runs one reading; see `Connection.read`. */
export type Read = <T>(job: (reading: Reading) => Promise<T>) => Promise<T>;

/** Reads within a transaction, in place of a connection of its own. */
export const within =
	(reading: Reading): Read =>
	(job) =>
		job(reading);

/** What reads and writes. */
export interface Statements extends Reading {
	/** @returns how many rows were changed */
	run(query: Sql): Promise<number>;
}
