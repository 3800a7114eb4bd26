import { sha256OfParts } from "../../api/digest.js";
import { GroupCommit } from "../../sqlite/group-commit.js";
import type { SqlStatement, Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";

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

/** The hash before the first event. */
export const genesis = "0".repeat(64);

/** An event as stored; `content` is the stored JSON text, so the hash needs no canonical form. */
export interface Link {
	seq: number;
	at: string;
	intent: number | null;
	kind: string;
	content: string;
}

/** SHA-256, hex, over the previous hash and every part of the event, each with its length so that parts cannot be shifted. */
export function hashOf(before: string, { seq, at, intent, kind, content }: Link): string {
	return sha256OfParts([before, String(seq), at, intent === null ? "" : String(intent), kind, content]);
}

/** The journal's writer: its jobs append events to the chain. */
export class CommitQueue extends GroupCommit<WriteTransaction> {
	/** @param kept throws if the file that was committed to is no longer the journal; see `same-file.ts` */
	constructor(storage: Storage, now: () => Date, stillInPlace: () => void = () => {}) {
		super(storage, { begin: () => new WriteTransaction(storage, now()), finish: (transaction) => transaction.finish(), stillInPlace });
	}
}
