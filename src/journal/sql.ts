/**
 * One set of SQL texts for every engine: a tag that keeps values apart from the text, and what a connection does with such a statement.
 */
import type { SqlRow, SqlValue } from "../sqlite/storage.js";

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
	const texts = [strings[0] as string];
	const values: SqlValue[] = [];
	const append = (text: string): void => {
		texts[texts.length - 1] += text;
	};
	for (const [at, one] of inserted.entries()) {
		if (one instanceof Sql) {
			append(one.texts[0] as string);
			texts.push(...one.texts.slice(1));
			values.push(...one.values);
		} else {
			texts.push("");
			values.push(one);
		}
		append(strings[at + 1] as string);
	}
	return new Sql(texts, values);
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
	const texts = [""];
	const values: SqlValue[] = [];
	for (const [at, one] of all.entries()) {
		const part = one instanceof Sql ? one : new Sql(["", ""], [one]);
		texts[texts.length - 1] += (at === 0 ? "" : between) + part.texts[0];
		texts.push(...part.texts.slice(1));
		values.push(...part.values);
	}
	return new Sql(texts, values);
}

/** A text of ours, never input. */
export const raw = (text: string): Sql => new Sql([text], []);

/** What reads. */
export interface Reading {
	/** The first row. */
	get(query: Sql): Promise<SqlRow | undefined>;
	all(query: Sql): Promise<SqlRow[]>;
}

/** What reads and writes. */
export interface Statements extends Reading {
	/** @returns how many rows were changed */
	run(query: Sql): Promise<number>;
}
