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
	if (!inserted.some((one) => one instanceof Sql)) return new Sql(strings, inserted as readonly SqlValue[]);
	const made = { texts: [strings[0] as string], values: [] };
	for (let at = 0; at < inserted.length; at++) {
		add(made, inserted[at] as SqlValue | Sql);
		addText(made, strings[at + 1] as string);
	}
	return new Sql(made.texts, made.values);
}

/** A statement that is being put together: its last text goes on. */
interface Unfinished {
	texts: string[];
	values: SqlValue[];
}

function addText({ texts }: Unfinished, text: string): void {
	texts.push(texts.pop() + text);
}

function add(made: Unfinished, one: SqlValue | Sql): void {
	if (!(one instanceof Sql)) {
		made.values.push(one);
		made.texts.push("");
		return;
	}
	addText(made, one.texts[0] as string);
	for (let at = 0; at < one.values.length; at++) {
		made.values.push(one.values[at] as SqlValue);
		made.texts.push(one.texts[at + 1] as string);
	}
}

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
	const made = { texts: [""], values: [] };
	for (let at = 0; at < all.length; at++) {
		if (at > 0) addText(made, between);
		add(made, all[at] as SqlValue | Sql);
	}
	return new Sql(made.texts, made.values);
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
