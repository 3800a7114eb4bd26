/**
 * What the journal keeps of an intent, and the few questions and changes that its writes are made of. SQLite stands behind
 * them in the tool; the simulation of the tests puts a memory that forgets there.
 */
import type { Evidence, IntentState, JournalIntent, MistakenId } from "../../ports/intent.js";
import { type Cells, operatorOfRow, rowIntent, sharedOf } from "./batch-row.js";
import { leftLately, type Since } from "./service-time.js";
import type { SqlRow, Storage } from "./storage.js";
import type { WriteTransaction } from "./transaction.js";

/** What the latest outcome or settlement says, stored beside the state. */
export interface IntentResult {
	status?: number;
	apiCode?: string;
	why?: string;
	evidence?: Evidence;
	/** Of a row of a batch: as known when it began; of a payment: learned from its own answer. See {@link JournalIntent}. */
	skew?: number;
	/** The id that it was accepted with and that is another's. */
	mistaken?: MistakenId;
}

/** An intent as it is stored: derived from its events, in the same transaction. */
export interface StoredIntent {
	number: number;
	state: IntentState;
	/** The latest, from 1. */
	attempt: number;
	/** Of the latest attempt, and of the latest change, RFC 3339 UTC. */
	begun: string;
	changed: string;
	/** The name of the process that sends, or sent. */
	sender?: string;
	fingerprint?: string;
	/** The service's id of what was created, in lower case. */
	createdId?: string;
	intent: JournalIntent;
	result: IntentResult;
	/** Of a row of a batch: the batch's number, and which row it is. */
	batch?: number;
	row?: number;
}

/** The tables within one write transaction. */
export interface Tables {
	readonly now: Date;
	/** Intents with this fingerprint that are open, are still to leave with a batch, or went out at or after `since`; those that are open, then the newest first. */
	duplicates(fingerprint: string, since: Since): StoredIntent[];
	/** The newest with this fingerprint that was proven not created. */
	notCreated(fingerprint: string): StoredIntent | undefined;
	find(number: number): StoredIntent | undefined;
	/** The number of the transfer, other than `except`, that holds this id of the service. */
	holder(id: string, except: number): number | undefined;
	/** Adds an intent and gives its number. */
	add(stored: Omit<StoredIntent, "number">): number;
	change(stored: StoredIntent): void;
	/** Appends to the record. @param batch of a row: its batch */
	append(kind: string, intent: number | undefined, content: object, batch?: number): void;
	/** The newest event of this kind that is of the journal itself and of no intent. */
	latest(kind: string): { seq: number; content: unknown } | undefined;
	/** Decimal sums of what went out on a UTC day, by currency. */
	spent(day: string): Record<string, string>;
	setSpent(day: string, currency: string, total: string): void;
	/** The highest time of the service that was ever seen, RFC 3339 UTC. */
	highestTime(): string | undefined;
	setHighestTime(time: string): void;
	/** The number of the next look at doubts, from 1; each is given once, whatever is purged. */
	nextLook(): number;
}

/** Most duplicates that are handed to the rules: those that are open, then the newest. */
const mostDuplicates = 1_000;

/**
 * Words of SQL: a row of a batch that was begun, and that leaves yet: planned, or in a state of which the batch is being sent again.
 * Whoever sends it has held it against all others before, and does not do so once more when its turn comes. A sender that died is
 * believed to live until the batch goes on.
 */
export const stillToLeave = (intent: string): string =>
	`(${intent}.state IN ('planned', 'refused', 'not-sent', 'not-created') AND EXISTS (SELECT 1 FROM batch WHERE batch.number = ${intent}.batch
	AND batch.state = 'begun' AND (${intent}.state = 'planned' OR (batch.sender IS NOT NULL AND instr(batch.takes, '"' || ${intent}.state || '"') > 0))))`;

/** The tables in SQLite. */
export function tablesIn(transaction: WriteTransaction): Tables {
	const sql = (text: string) => transaction.sql(text);
	const { storage } = transaction;
	const one = (row: SqlRow | undefined): StoredIntent | undefined => (row === undefined ? undefined : storedIntent(storage, row));
	return {
		now: transaction.now,
		duplicates: (fingerprint, since) =>
			sql(
				`SELECT * FROM intent WHERE alike = ? AND fingerprint = ? AND (state IN ('sending', 'in-doubt')
				OR (state IN ('accepted', 'waiting') AND ${leftLately("intent", "?", "?")})
				OR ${stillToLeave("intent")})
				ORDER BY state IN ('accepted', 'waiting'), number DESC LIMIT ${mostDuplicates}`,
			)
				.all(fingerprintKey(fingerprint), fingerprint, since.untimed, since.timed)
				.map((row) => storedIntent(storage, row)),
		// A row of a batch is sent again by its batch alone.
		notCreated: (fingerprint) =>
			one(
				sql(
					"SELECT * FROM intent WHERE alike = ? AND fingerprint = ? AND state = 'not-created' AND batch IS NULL ORDER BY number DESC LIMIT 1",
				).get(fingerprintKey(fingerprint), fingerprint),
			),
		find: (number) => one(sql("SELECT * FROM intent WHERE number = ?").get(number)),
		holder: (id, except) => {
			const row = sql("SELECT number FROM intent WHERE created = ? AND created_id = ? AND number <> ?").get(
				idKey(id),
				id.toLowerCase(),
				except,
			);
			return row === undefined ? undefined : Number(row.number);
		},
		add: (stored) => {
			sql(
				"INSERT INTO intent (effect, fingerprint, alike, content, state, attempt, begun, changed, sender, created_id, created, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			).run(
				stored.intent.effect,
				stored.fingerprint ?? null,
				stored.fingerprint === undefined ? null : fingerprintKey(stored.fingerprint),
				JSON.stringify(stored.intent),
				...columns(stored),
			);
			return Number(sql("SELECT last_insert_rowid() AS number").get()?.number);
		},
		change: (stored) => {
			sql(
				"UPDATE intent SET state = ?, attempt = ?, begun = ?, changed = ?, sender = ?, created_id = ?, created = ?, result = ? WHERE number = ?",
			).run(...columns(stored), stored.number);
			// What is begun anew may say more than the time before (in spite of what).
			if (stored.batch === undefined)
				sql("UPDATE intent SET content = ? WHERE number = ?").run(JSON.stringify(stored.intent), stored.number);
		},
		append: (kind, intent, content, batch) => transaction.append(kind, intent, content, batch),
		latest: (kind) => {
			const row = sql("SELECT seq, content FROM event WHERE kind = ? AND intent IS NULL AND batch IS NULL ORDER BY seq DESC LIMIT 1").get(
				kind,
			);
			return row && { seq: Number(row.seq), content: JSON.parse(String(row.content)) as unknown };
		},
		spent: (day) =>
			Object.fromEntries(
				sql("SELECT currency, total FROM spent WHERE day = ?")
					.all(day)
					.map((row) => [String(row.currency), String(row.total)]),
			),
		setSpent: (day, currency, total) =>
			sql("INSERT INTO spent (day, currency, total) VALUES (?, ?, ?) ON CONFLICT (day, currency) DO UPDATE SET total = excluded.total").run(
				day,
				currency,
				total,
			),
		highestTime: () => text(sql("SELECT value FROM meta WHERE key = 'service-time'").get()?.value),
		setHighestTime: (time) =>
			sql("INSERT INTO meta (key, value) VALUES ('service-time', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(time),
		nextLook: () => {
			const number = Number(sql("SELECT value FROM meta WHERE key = 'looks'").get()?.value ?? 0) + 1;
			sql("INSERT INTO meta (key, value) VALUES ('looks', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(String(number));
			return number;
		},
	};
}

function columns(stored: Omit<StoredIntent, "number">) {
	const { state, attempt, begun, changed, sender, createdId, intent, result } = stored;
	const created = createdId === undefined || intent.effect !== "money" ? null : idKey(createdId);
	return [state, attempt, begun, changed, sender ?? null, createdId ?? null, created, JSON.stringify(result)] as const;
}

/** The first 48 bits of a fingerprint. */
export function fingerprintKey(fingerprint: string): number {
	return Number.parseInt(fingerprint.slice(0, 12), 16);
}

/** 53 bits of a service's id, whichever of its characters differ: ids that count up must not share a key. */
export function idKey(id: string): number {
	let [one, other] = [0xdeadbeef, 0x41c6ce57];
	for (let at = 0; at < id.length; at++) {
		const code = id.charCodeAt(at) | (id.charCodeAt(at) >= 65 && id.charCodeAt(at) <= 90 ? 32 : 0);
		one = Math.imul(one ^ code, 0x9e3779b1);
		other = Math.imul(other ^ code, 0x5f356495);
		one = (one << 13) | (one >>> 19);
		other = (other << 17) | (other >>> 15);
	}
	return (other >>> 0) * 0x200000 + (one >>> 11);
}

/** An intent from its row. */
export function storedIntent(storage: Storage, row: SqlRow): StoredIntent {
	const batch = row.batch === null || row.batch === undefined ? undefined : Number(row.batch);
	const content = JSON.parse(String(row.content)) as JournalIntent | Cells;
	return {
		number: Number(row.number),
		state: row.state as IntentState,
		attempt: Number(row.attempt),
		begun: String(row.begun),
		changed: String(row.changed),
		sender: text(row.sender),
		fingerprint: text(row.fingerprint),
		createdId: text(row.created_id),
		intent: batch === undefined ? (content as JournalIntent) : intentOfRow(storage, batch, content as Cells, text(row.sender)),
		result: JSON.parse(String(row.result)) as IntentResult,
		batch,
		row: batch === undefined ? undefined : Number(row.row),
	};
}

function intentOfRow(storage: Storage, batch: number, cells: Cells, sender: string | undefined): JournalIntent {
	return Object.assign(rowIntent(sharedOf(storage, batch), cells), { operator: operatorOfRow(storage, batch, sender) });
}

function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
