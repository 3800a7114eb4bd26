import { hashOf } from "./chain.js";
import type { SqlStatement, Storage } from "./storage.js";

/** Statements by their text, each prepared once for a connection. */
const prepared = new WeakMap<Storage, Map<string, SqlStatement>>();

/** A prepared statement of this connection. */
export function statement(storage: Storage, sql: string): SqlStatement {
	const known = prepared.get(storage) ?? new Map<string, SqlStatement>();
	prepared.set(storage, known);
	const found = known.get(sql) ?? storage.prepare(sql);
	known.set(sql, found);
	return found;
}

/** What the journal says of itself under this key; `undefined` as text where nothing stands there. */
export function metaOf(storage: Storage, key: string): string {
	return String(statement(storage, "SELECT value FROM meta WHERE key = ?").get(key)?.value);
}

/** One write transaction: appends events to the chain. Head and hash are read from the file each time, for others write too. */
export class WriteTransaction {
	#seq: number;
	#hash: string;

	constructor(
		readonly storage: Storage,
		readonly now: Date,
	) {
		this.#seq = Number(metaOf(storage, "seq"));
		this.#hash = metaOf(storage, "hash");
	}

	/** A prepared statement of this transaction's connection. */
	sql(text: string): SqlStatement {
		return statement(this.storage, text);
	}

	/** Appends one event. @param intent its number, where it is one's; @param batch the batch's, where it is of its rows */
	append(kind: string, intent: number | undefined, content: object, batch?: number): void {
		const link = { seq: this.#seq + 1, at: this.now.toISOString(), intent: intent ?? null, kind, content: JSON.stringify(content) };
		const hash = hashOf(this.#hash, link);
		this.sql("INSERT INTO event (seq, at, intent, kind, content, hash, batch) VALUES (?, ?, ?, ?, ?, ?, ?)").run(
			link.seq,
			link.at,
			link.intent,
			link.kind,
			link.content,
			hash,
			batch ?? null,
		);
		this.#seq = link.seq;
		this.#hash = hash;
	}

	/** Where the chain ends now; to be called once, before the commit. */
	finish(): void {
		const meta = this.sql("UPDATE meta SET value = ? WHERE key = ?");
		meta.run(String(this.#seq), "seq");
		meta.run(this.#hash, "hash");
	}
}
