/**
 * The stored form of intents, and the queries and changes that writes consist of. Implemented over SQLite here, and in memory with
 * simulated crashes by the tests' simulation.
 */
import { plainId } from "../../api/text/ids.js";
import type { Evidence, IntentState, JournalIntent } from "../../ports/intent.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";
import { type Cells, mayBeOfSandbox, partyOf, rowIntent, runOfRow, sharedOf } from "./batch-row.js";
import { atService, inDuplicateWindow, type WindowStart } from "./service-time.js";
import type { WriteTransaction } from "./transaction.js";

/** Details of the latest outcome or settlement. */
export interface IntentResult {
	status?: number;
	apiCode?: string;
	/** Of a link or a code, if the service said it. */
	validUntil?: string;
	why?: string;
	evidence?: Evidence;
	/** For a row of a batch: as known when it began; for a payment: learned from its own answer. See {@link JournalIntent}. */
	skew?: number;
	/** If it was reopened: the ids that it held before. */
	formerIds?: readonly string[];
}

/** A stored intent; derived from its events in the same transaction. */
export interface StoredIntent {
	number: number;
	state: IntentState;
	/** Number of the latest attempt, from 1. */
	attempt: number;
	/** When the latest attempt began, RFC 3339 UTC. */
	begun: string;
	/** When it last changed, RFC 3339 UTC. */
	changed: string;
	/** The name of the sending process. */
	sender?: string;
	fingerprint?: string;
	/** The service's id of what was created, as `plainId` has it. */
	createdId?: string;
	intent: JournalIntent;
	result: IntentResult;
	/** For a row of a batch: the batch's number and the row's. */
	batch?: number;
	row?: number;
}

/** The tables within one write transaction. */
export interface Tables {
	readonly now: Date;
	/**
	 * Intents with this fingerprint that are open, still to be sent by a batch, or were paid at or after `since`; open ones first, then the
	 * newest.
	 */
	duplicates(fingerprint: string, since: WindowStart, sandbox: string | undefined): StoredIntent[];
	/** The newest intent with this fingerprint that was proven not created. */
	notCreated(fingerprint: string, sandbox: string | undefined): StoredIntent | undefined;
	find(number: number): StoredIntent | undefined;
	/** The number of the transfer, other than `except`, that holds this id of the service. */
	holder(id: string, except: number): number | undefined;
	/** Adds an intent and returns its number. */
	add(stored: Omit<StoredIntent, "number">): number;
	change(stored: StoredIntent): void;
	/** Appends an event. @param batch for a row, its batch */
	append(kind: string, intent: number | undefined, content: object, batch?: number): void;
	/** The newest event of this kind that concerns the journal itself and no intent. */
	latest(kind: string): { seq: number; content: unknown } | undefined;
	/** Decimal sums of what was spent on a UTC day, by currency. */
	spent(day: string): Record<string, string>;
	setSpent(day: string, currency: string, total: string): void;
	/** The highest service time ever seen, RFC 3339 UTC. */
	highestTime(): string | undefined;
	setHighestTime(time: string): void;
	/** Takes the next number of a look, from 1; numbers are not reused. */
	nextCheck(): number;
}

/** Most duplicates passed to the rules. */
const maxDuplicates = 1_000;

/**
 * SQL: whether an intent is a row that a begun batch is still to send: planned, or in a state that the batch is sending again. Such a row
 * was checked against all others when the batch began and is not checked again when it is sent. A dead sender counts as alive until the
 * batch is resumed.
 */
export const stillToSend = (intent: string): string =>
	`(${intent}.state IN ('planned', 'refused', 'not-sent', 'not-created') AND EXISTS (SELECT 1 FROM batch WHERE batch.number = ${intent}.batch
	AND batch.state = 'begun' AND (${intent}.state = 'planned' OR (batch.sender IS NOT NULL AND instr(batch.takes, '"' || ${intent}.state || '"') > 0))))`;

/** SQL: only what may have been sent to this sandbox. Elsewhere, or where the sandbox is not known, everything counts. */
const inSandbox = (sandbox: string | undefined, parameter: string): string =>
	sandbox === undefined ? "" : ` AND ${mayBeOfSandbox("intent", parameter)}`;
const given = (sandbox: string | undefined): string[] => (sandbox === undefined ? [] : [sandbox]);

/** The tables in SQLite. */
export function tablesIn(transaction: WriteTransaction): Tables {
	const sql = (text: string) => transaction.sql(text);
	const { storage } = transaction;
	const setMeta = (key: string, value: string): void =>
		sql("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(key, value);
	const one = (row: SqlRow | undefined): StoredIntent | undefined => (row === undefined ? undefined : storedIntent(storage, row));
	return {
		now: transaction.now,
		duplicates: (fingerprint, since, sandbox) =>
			sql(
				`SELECT * FROM intent WHERE alike = ?1 AND fingerprint = ?2${inSandbox(sandbox, "?5")} AND (state IN ('sending', 'in-doubt')
				OR (state IN ('accepted', 'waiting') AND ${inDuplicateWindow("intent", "?4", "?3")})
				OR ${stillToSend("intent")})
				ORDER BY state IN ('accepted', 'waiting'), number DESC LIMIT ${maxDuplicates}`,
			)
				.all(fingerprintKey(fingerprint), fingerprint, since.untimed, since.timed, ...given(sandbox))
				.map((row) => storedIntent(storage, row)),
		// A row of a batch is resent only by its batch.
		notCreated: (fingerprint, sandbox) =>
			one(
				sql(
					`SELECT * FROM intent WHERE alike = ?1 AND fingerprint = ?2${inSandbox(sandbox, "?3")} AND state = 'not-created' AND batch IS NULL ORDER BY number DESC LIMIT 1`,
				).get(fingerprintKey(fingerprint), fingerprint, ...given(sandbox)),
			),
		find: (number) => one(sql("SELECT * FROM intent WHERE number = ?").get(number)),
		holder: (id, except) => {
			const row = sql("SELECT number FROM intent WHERE created = ? AND created_id = ? AND number <> ?").get(idKey(id), plainId(id), except);
			return row === undefined ? undefined : Number(row.number);
		},
		add: (stored) => {
			const columns = columnsOf(stored);
			const names = Object.keys(columns);
			sql(`INSERT INTO intent (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(...Object.values(columns));
			return Number(sql("SELECT last_insert_rowid() AS number").get()?.number);
		},
		change: (stored) => {
			const all = columnsOf(stored);
			// A new attempt may have other details than the one before, such as overridden duplicates; a row's cells never change.
			const { effect: _, sandbox, party, fingerprint, alike, content, ...changing } = all;
			const columns = stored.batch === undefined ? all : changing;
			const set = Object.keys(columns).map((name) => `${name} = ?`);
			sql(`UPDATE intent SET ${set.join(", ")} WHERE number = ?`).run(...Object.values(columns), stored.number);
		},
		append: (kind, intent, content, batch) => transaction.append(kind, intent, content, batch),
		latest: (kind) => {
			const row = sql(newestOwnEvents).get(kind, 1);
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
		setHighestTime: (time) => setMeta("service-time", time),
		nextCheck: () => {
			const number = Number(sql("SELECT value FROM meta WHERE key = 'checks'").get()?.value ?? 0) + 1;
			setMeta("checks", String(number));
			return number;
		},
	};
}

/** The newest events of a kind that concern the journal itself: of kind `?`, at most `?` of them. */
export const newestOwnEvents = "SELECT * FROM event WHERE kind = ? AND intent IS NULL AND batch IS NULL ORDER BY seq DESC LIMIT ?";

/** What is stored of an intent, by column. */
export function columnsOf(stored: Omit<StoredIntent, "number">) {
	const { state, attempt, begun, changed, sender, fingerprint, createdId, intent, result } = stored;
	// As known when it began, or learned from its own answer.
	const skew = intent.skew ?? result.skew;
	return {
		effect: intent.effect,
		state,
		attempt,
		begun,
		skew: skew ?? null,
		begun_service: atService(begun, skew),
		changed,
		sender: sender ?? null,
		sandbox: intent.sandbox ?? null,
		party: intent.transfer === undefined ? null : partyOf(intent.transfer),
		fingerprint: fingerprint ?? null,
		alike: fingerprint === undefined ? null : fingerprintKey(fingerprint),
		created_id: createdId ?? null,
		created: createdId === undefined || intent.effect !== "money" ? null : idKey(createdId),
		content: JSON.stringify(intent),
		result: JSON.stringify(result),
	};
}

/** A short key for the index: the first 48 bits of a fingerprint. */
export function fingerprintKey(fingerprint: string): number {
	return Number.parseInt(fingerprint.slice(0, 12), 16);
}

/** A short key for the index: a 53-bit hash of the service's id, ignoring case. Sequential ids must not collide. */
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
		result: resultIn(row),
		batch,
		row: batch === undefined ? undefined : Number(row.row),
	};
}

/** A row of a batch has its skew in a column alone. */
function resultIn({ batch, skew, result }: SqlRow): IntentResult {
	const stored = JSON.parse(String(result)) as IntentResult;
	if (batch !== null && typeof skew === "number") stored.skew = skew;
	return stored;
}

function intentOfRow(storage: Storage, batch: number, cells: Cells, sender: string | undefined): JournalIntent {
	return Object.assign(rowIntent(sharedOf(storage, batch), cells), runOfRow(storage, batch, sender));
}

function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
