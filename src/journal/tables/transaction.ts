/**
 * One write transaction: what it writes, and the chain of events that it continues.
 */
import { sha256OfParts } from "../../api/digest.js";
import type { Head } from "../../ports/journal.js";
import { list, type Read, type Reading, type Sql, type Statements, sql } from "./sql.js";

/** The value of a key in table `meta`; undefined if there is none. */
export async function metaOf(reading: Reading, key: string): Promise<string | undefined> {
	return (await reading.get(sql`SELECT value FROM meta WHERE key = ${key}`))?.value as string | undefined;
}

/** The journal's installation id. */
export const installationOf = async (reading: Reading): Promise<string> => String(await metaOf(reading, "installation"));

/** Stores the values of keys in table `meta`. */
export function setMeta(statements: Statements, values: Readonly<Record<string, string>>): Promise<number> {
	const rows = list(Object.entries(values).map(([key, value]) => sql`(${key}, ${value})`));
	return statements.run(sql`INSERT INTO meta (key, value) VALUES ${rows} ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
}

/** The end of the chain; within a transaction, before its own events. */
export async function headOf(reading: Reading): Promise<Head> {
	const head = await reading.get(
		sql`SELECT (SELECT value FROM meta WHERE key = 'seq') AS seq, (SELECT value FROM meta WHERE key = 'hash') AS hash`,
	);
	return { seq: Number(head?.seq), hash: String(head?.hash) };
}

/** Statements in a write transaction, and events for the chain. */
export class WriteTransaction implements Statements {
	private constructor(
		private readonly statements: Statements,
		readonly now: Date,
		private readonly found: Head,
		private newest = found,
	) {}

	/** @param statements in a transaction that locks out all other writers: they continue the same chain */
	static async begin(statements: Statements, now: Date): Promise<WriteTransaction> {
		return new WriteTransaction(statements, now, await headOf(statements));
	}

	/** The newest event, with those of this transaction. */
	get head(): Head {
		return this.newest;
	}

	get: Statements["get"] = (query) => this.statements.get(query);
	all: Statements["all"] = (query) => this.statements.all(query);
	run: Statements["run"] = (query) => this.statements.run(query);

	/**
	 * Appends one event.
	 * @param intent the number of the intent concerned, if any
	 * @param batch the number of the batch concerned, if any
	 */
	async append(kind: string, intent: number | undefined, content: object, batch?: number): Promise<void> {
		const link = {
			seq: this.newest.seq + 1,
			at: this.now.toISOString(),
			intent: intent ?? null,
			kind,
			content: JSON.stringify(content),
			batch: batch ?? null,
		};
		const hash = hashOf(this.newest.hash, link);
		await this.run(
			sql`INSERT INTO event (seq, at, intent, kind, content, hash, batch)
			VALUES (${link.seq}, ${link.at}, ${link.intent}, ${link.kind}, ${link.content}, ${hash}, ${link.batch})`,
		);
		this.newest = { seq: link.seq, hash };
	}

	/** Stores the new end of the chain, if there is one; call it once, before the commit. */
	async finish(): Promise<void> {
		if (this.newest !== this.found) await setMeta(this, { seq: String(this.newest.seq), hash: this.newest.hash });
	}
}

/** Events in their order, page by page to bound memory. @param which `after`: this number; `where`: a condition; `page`: most of one page */
export async function* eventPages(read: Read, { where = sql`1 = 1`, after = 0, page }: { where?: Sql; after?: number; page: number }) {
	for (let last = after; ; ) {
		const rows = await read((reading) => reading.all(sql`SELECT * FROM event WHERE ${where} AND seq > ${last} ORDER BY seq LIMIT ${page}`));
		yield rows;
		if (rows.length < page) return;
		last = Number(rows.at(-1)?.seq);
	}
}

/** Begins the chain of a new journal. @param meta what is stored beside it; `installed`: its first event */
export async function beginChain(
	statements: Statements,
	now: Date,
	meta: Readonly<Record<string, string>>,
	installed: object,
): Promise<void> {
	await setMeta(statements, { ...meta, seq: "0", hash: genesis });
	const transaction = await WriteTransaction.begin(statements, now);
	await transaction.append("installed", undefined, installed);
	await transaction.finish();
}

/** The hash before the first event. */
export const genesis = "0".repeat(64);

/** An event as stored; `content` is the stored JSON text, so the hash needs no canonical form. */
export interface Link {
	seq: number;
	at: string;
	intent: number | null;
	kind: string;
	content: string;
	batch: number | null;
}

/** SHA-256, hex, over the previous hash and every part of the event, each with its length so that parts cannot be shifted. */
export function hashOf(before: string, { seq, at, intent, kind, content, batch }: Link): string {
	return sha256OfParts([before, String(seq), at, String(intent ?? ""), kind, content, String(batch ?? "")]);
}
