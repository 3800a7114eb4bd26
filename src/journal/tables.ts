/**
 * What the journal keeps of an intent, and the few questions and changes that its writes are made of. SQLite stands behind
 * them in the tool; the simulation of the tests puts a memory that forgets there.
 */
import type { Evidence, IntentState, JournalIntent } from "../context.js";
import type { Row } from "./storage.js";
import type { Transaction } from "./transaction.js";

/** What the latest outcome or settlement told, as kept beside the state. */
export interface Result {
	status?: number;
	apiCode?: string;
	why?: string;
	evidence?: Evidence;
}

/** An intent as it is kept: derived from its events, in the same transaction. */
export interface Kept {
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
	result: Result;
}

/** The tables within one write transaction. */
export interface Tables {
	readonly now: Date;
	/** Intents with this fingerprint that are open, or went out at or after `since`; the newest first. */
	alike(fingerprint: string, since: Date): Kept[];
	/** The newest with this fingerprint that was proven not created. */
	notCreated(fingerprint: string): Kept | undefined;
	find(number: number): Kept | undefined;
	/** The number of the transfer, other than `except`, that holds this id of the service. */
	holder(id: string, except: number): number | undefined;
	/** Adds an intent and gives its number. */
	add(kept: Omit<Kept, "number">): number;
	change(kept: Kept): void;
	/** Appends to the record. */
	append(kind: string, intent: number | undefined, content: object): void;
	/** Decimal sums of what went out on a UTC day, by currency. */
	spent(day: string): Record<string, string>;
	setSpent(day: string, currency: string, total: string): void;
}

/** Most intents alike that are told to the rules, the newest. */
const mostAlike = 1_000;

/** The tables in SQLite. */
export function tablesIn(transaction: Transaction): Tables {
	const sql = (text: string) => transaction.sql(text);
	const one = (row: Row | undefined): Kept | undefined => (row === undefined ? undefined : keptOf(row));
	return {
		now: transaction.now,
		alike: (fingerprint, since) =>
			sql(
				`SELECT * FROM intent WHERE fingerprint = ? AND (state IN ('sending', 'in-doubt', 'planned') OR (state IN ('accepted', 'waiting') AND begun >= ?))
				ORDER BY number DESC LIMIT ${mostAlike}`,
			)
				.all(fingerprint, since.toISOString())
				.map(keptOf),
		notCreated: (fingerprint) =>
			one(sql("SELECT * FROM intent WHERE fingerprint = ? AND state = 'not-created' ORDER BY number DESC LIMIT 1").get(fingerprint)),
		find: (number) => one(sql("SELECT * FROM intent WHERE number = ?").get(number)),
		holder: (id, except) => {
			const row = sql("SELECT number FROM intent WHERE created_id = ? AND effect = 'money' AND number <> ?").get(id.toLowerCase(), except);
			return row === undefined ? undefined : Number(row.number);
		},
		add: (kept) => {
			sql(
				"INSERT INTO intent (effect, state, attempt, begun, changed, sender, fingerprint, created_id, content, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			).run(kept.intent.effect, ...columns(kept));
			return Number(sql("SELECT last_insert_rowid() AS number").get()?.number);
		},
		change: (kept) =>
			sql(
				"UPDATE intent SET state = ?, attempt = ?, begun = ?, changed = ?, sender = ?, fingerprint = ?, created_id = ?, content = ?, result = ? WHERE number = ?",
			).run(...columns(kept), kept.number),
		append: (kind, intent, content) => transaction.append(kind, intent, content),
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
	};
}

function columns(kept: Omit<Kept, "number">) {
	const { state, attempt, begun, changed, sender, fingerprint, createdId, intent, result } = kept;
	const texts = [JSON.stringify(intent), JSON.stringify(result)] as const;
	return [state, attempt, begun, changed, sender ?? null, fingerprint ?? null, createdId ?? null, ...texts] as const;
}

/** An intent from its row. */
export function keptOf(row: Row): Kept {
	return {
		number: Number(row.number),
		state: row.state as IntentState,
		attempt: Number(row.attempt),
		begun: String(row.begun),
		changed: String(row.changed),
		sender: text(row.sender),
		fingerprint: text(row.fingerprint),
		createdId: text(row.created_id),
		intent: JSON.parse(String(row.content)) as JournalIntent,
		result: JSON.parse(String(row.result)) as Result,
	};
}

function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
