/**
 * The stored form of intents, and the queries and changes that writes consist of. Implemented over SQL here, and in memory with
 * simulated crashes by the tests' simulation.
 */

import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { IntentResult, IntentState, JournalIntent } from "../../ports/intent.js";
import type { Head } from "../../ports/journal.js";
import type { SqlRow, SqlValue } from "../../sqlite/storage.js";
import { type Cells, cellsOf, mayBeOfSandbox, partyOf, rowIntent, sharedOf } from "./batch-row.js";
import { atService, inDuplicateWindow, type WindowStart } from "./service-time.js";
import { list, type Reading, raw, type Sql, sql } from "./sql.js";
import { metaOf, setMeta, type WriteTransaction } from "./transaction.js";

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
	/** Of one that was carried over into a team's journal: the machine and its number there, like `laptop:17`. */
	carried?: string;
}

/** The tables within one write transaction. */
export interface Tables {
	readonly now: Date;
	/**
	 * Intents with this fingerprint that are open, still to be sent by a batch, or were paid at or after `since`; open ones first, then the
	 * newest.
	 */
	duplicates(fingerprint: string, since: WindowStart, sandbox: string | undefined): Promise<StoredIntent[]>;
	/** The newest intent with this fingerprint that was proven not created. */
	notCreated(fingerprint: string, sandbox: string | undefined): Promise<StoredIntent | undefined>;
	find(number: number): Promise<StoredIntent | undefined>;
	/** The number of the transfer, other than `except`, that holds this id of the service. */
	holder(id: string, except: number): Promise<number | undefined>;
	/** Adds an intent and returns its number. */
	add(stored: Omit<StoredIntent, "number">): Promise<number>;
	change(stored: StoredIntent): Promise<void>;
	/** Appends an event. @param batch for a row, its batch */
	append(kind: string, intent: number | undefined, content: object, batch?: number): Promise<void>;
	/** The newest event, with those of this transaction. */
	head(): Head;
	/** The content of the newest event of this kind that concerns the journal itself and no intent, and that machine of a team. */
	latest(kind: string, machine: string | undefined): Promise<unknown>;
	/** Decimal sums of what was spent on a UTC day, by currency. */
	spent(day: string): Promise<Record<string, string>>;
	setSpent(day: string, currency: string, total: string): Promise<void>;
	/** The highest service time ever seen, RFC 3339 UTC. */
	highestTime(): Promise<string | undefined>;
	setHighestTime(time: string): Promise<void>;
	/** Takes the next number of a look, from 1; numbers are not reused. */
	nextCheck(): Promise<number>;
}

/** Most duplicates passed to the rules. */
const maxDuplicates = 1_000;

/**
 * SQL: whether an intent is a row that a begun batch is still to send: planned, or in a state that the batch is sending again. Such a row
 * was checked against all others when the batch began and is not checked again when it is sent. A dead sender counts as alive until the
 * batch is resumed.
 * @param intent the name of `intent` in the statement
 */
export const stillToSend = (intent: string): Sql =>
	raw(`(${intent}.state IN ('planned', 'refused', 'not-sent', 'not-created') AND EXISTS (SELECT 1 FROM batch WHERE batch.number = ${intent}.batch
	AND batch.state = 'begun' AND (${intent}.state = 'planned' OR (batch.senders <> '[]' AND batch.takes LIKE '%"' || ${intent}.state || '"%'))))`);

/** SQL: of this fingerprint. */
export const alikeTo = (fingerprint: string): Sql => sql`alike = ${fingerprintKey(fingerprint)} AND fingerprint = ${fingerprint}`;

/** The tables within a transaction of a database. */
export function tablesIn(transaction: WriteTransaction): Tables {
	const intents = async (query: Sql): Promise<StoredIntent[]> => storedIntents(transaction, await transaction.all(query));
	return {
		now: transaction.now,
		duplicates: (fingerprint, since, sandbox) =>
			intents(
				sql`SELECT * FROM intent WHERE ${alikeTo(fingerprint)} AND ${mayBeOfSandbox("intent", sandbox)} AND (state IN ('sending', 'in-doubt')
				OR (state IN ('accepted', 'waiting') AND ${inDuplicateWindow("intent", since)}) OR ${stillToSend("intent")})
				ORDER BY state IN ('accepted', 'waiting'), number DESC LIMIT ${maxDuplicates}`,
			),
		// A row of a batch is resent only by its batch.
		notCreated: async (fingerprint, sandbox) =>
			(
				await intents(
					sql`SELECT * FROM intent WHERE ${alikeTo(fingerprint)} AND ${mayBeOfSandbox("intent", sandbox)} AND state = 'not-created'
					AND batch IS NULL ORDER BY number DESC LIMIT 1`,
				)
			)[0],
		find: async (number) => (await intents(sql`SELECT * FROM intent WHERE number = ${number}`))[0],
		async holder(id, except) {
			const row = await transaction.get(sql`SELECT number FROM intent WHERE ${holdsId(id)} AND number <> ${except}`);
			return row && Number(row.number);
		},
		async add(stored) {
			const columns = columnsOf(stored);
			const names = list(Object.keys(columns).map(raw));
			const row = await transaction.get(sql`INSERT INTO intent (${names}) VALUES (${list(Object.values(columns))}) RETURNING number`);
			return Number(row?.number);
		},
		async change(stored) {
			// A new attempt may have other details than the one before, such as overridden duplicates; a row's cells never change.
			const { effect: _, carried: __, batch, row, ...all } = columnsOf(stored);
			const { sandbox, party, fingerprint, alike, content, ...changing } = all;
			const columns = Object.entries(stored.batch === undefined ? all : changing);
			const set = list(columns.map(([name, value]) => sql`${raw(name)} = ${value}`));
			await transaction.run(sql`UPDATE intent SET ${set} WHERE number = ${stored.number}`);
		},
		append: (kind, intent, content, batch) => transaction.append(kind, intent, content, batch),
		head: () => transaction.head,
		async latest(kind, machine) {
			const own = machine === undefined ? sql`1 = 1` : sql`content LIKE ${`%"machine":"${machine}"%`}`;
			const row = await transaction.get(
				sql`SELECT content FROM event WHERE kind = ${kind} AND intent IS NULL AND batch IS NULL AND ${own} ORDER BY seq DESC LIMIT 1`,
			);
			return row && JSON.parse(String(row.content));
		},
		async spent(day) {
			const rows = await transaction.all(sql`SELECT currency, total FROM spent WHERE day = ${day}`);
			return Object.fromEntries(rows.map((row) => [String(row.currency), String(row.total)]));
		},
		async setSpent(day, currency, total) {
			await transaction.run(
				sql`INSERT INTO spent (day, currency, total) VALUES (${day}, ${currency}, ${total})
				ON CONFLICT (day, currency) DO UPDATE SET total = excluded.total`,
			);
		},
		highestTime: () => metaOf(transaction, "service-time"),
		async setHighestTime(time) {
			await setMeta(transaction, { "service-time": time });
		},
		async nextCheck() {
			const number = Number((await metaOf(transaction, "checks")) ?? 0) + 1;
			await setMeta(transaction, { checks: String(number) });
			return number;
		},
	};
}

/** SQL: a transfer that holds this id of the service. */
export const holdsId = (id: string): Sql => sql`created = ${idKey(id)} AND created_id = ${plainId(id)}`;

/** What is stored of an intent, by column. */
export function columnsOf(stored: Omit<StoredIntent, "number">) {
	const { state, attempt, begun, changed, sender, fingerprint, createdId, intent, result, batch, row, carried } = stored;
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
		content: JSON.stringify(batch === undefined ? intent : cellsOf(intent.transfer as Transfer)),
		result: batch === undefined ? JSON.stringify(result) : rowResult(result),
		reopened: result.formerIds === undefined ? 0 : 1,
		batch: batch ?? null,
		row: row ?? null,
		carried: carried ?? null,
	};
}

/** The stored result of a batch's row, which has its skew in a column alone. */
export const rowResult = (result: IntentResult): string => JSON.stringify({ ...result, skew: undefined });

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

/** The intents of these rows of table `intent`. What the rows of a batch have in common is read once for each batch. */
export async function storedIntents(reading: Reading, rows: readonly SqlRow[]): Promise<StoredIntent[]> {
	const batches = new Map<number, Awaited<ReturnType<typeof sharedOf>>>();
	for (const { batch } of rows)
		if (batch !== null && !batches.has(Number(batch))) batches.set(Number(batch), await sharedOf(reading, Number(batch)));
	return rows.map((row) => {
		const content = JSON.parse(String(row.content)) as JournalIntent | Cells;
		const of = row.batch === null ? undefined : batches.get(Number(row.batch));
		return {
			number: Number(row.number),
			state: row.state as IntentState,
			attempt: Number(row.attempt),
			begun: String(row.begun),
			changed: String(row.changed),
			sender: text(row.sender),
			fingerprint: text(row.fingerprint),
			createdId: text(row.created_id),
			intent: of === undefined ? (content as JournalIntent) : intentOfRow(of, content as Cells, row.sender),
			result: { ...(JSON.parse(String(row.result)) as IntentResult), ...(of && typeof row.skew === "number" && { skew: row.skew }) },
			batch: of && Number(row.batch),
			row: of && Number(row.row),
			carried: text(row.carried),
		};
	});
}

/** With who asked for the run that last sent it, from which machine, and the mapping that it sent with. */
function intentOfRow({ shared, runs }: Awaited<ReturnType<typeof sharedOf>>, cells: Cells, sender: SqlValue | undefined) {
	const { operator, machine, mapping } = (sender !== null && runs.find((run) => run.sender === sender)?.allowed) || {};
	return Object.assign(rowIntent(shared, cells), { operator, machine, mapping });
}

/** A column that holds a text or nothing. */
export function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
