import { statement } from "../../sqlite/statement.js";
import type { SqlStatement, Storage } from "../../sqlite/storage.js";
import { hashOf } from "./chain.js";

/** The value of a key in table `meta`; the text `undefined` if there is none. */
export function metaOf(storage: Storage, key: string): string {
	return String(statement(storage, "SELECT value FROM meta WHERE key = ?").get(key)?.value);
}

/** One write transaction: appends events to the chain. The head is read from the file each time, because other processes write too. */
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

	/**
	 * Appends one event.
	 * @param intent the number of the intent concerned, if any
	 * @param batch the number of the batch concerned, if any
	 */
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

	/** Stores the new head of the chain; call it once, before the commit. */
	finish(): void {
		const meta = this.sql("UPDATE meta SET value = ? WHERE key = ?");
		meta.run(String(this.#seq), "seq");
		meta.run(this.#hash, "hash");
	}
}
