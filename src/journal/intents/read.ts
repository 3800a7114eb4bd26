/**
 * Reads from the journal. Nothing is cached, because other processes may write at any time.
 */

import { plainId } from "../../api/text/ids.js";
import type { Check, IntentRecord, IntentState } from "../../ports/intent.js";
import type { JournalEvent, JournalFilter } from "../../ports/journal.js";
import type { SqlValue, Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import { mayBeOfSandbox } from "../sqlite/batch-row.js";
import { fingerprintKey, idKey, newestOwnEvents, storedIntent } from "../sqlite/tables.js";
import { rowEvents } from "./batch-events.js";
import { eventOf, numberOf, recordOf } from "./record.js";

/** Events of one page. */
const page = 1_000;

const open: ReadonlySet<IntentState> = new Set(["sending", "in-doubt"]);

type Lives = (sender: string) => boolean;

/** Intents, newest first. */
export function listIntents(storage: Storage, filter: JournalFilter, lives: Lives): IntentRecord[] {
	const { limit } = filter;
	const wanted = filter.states && new Set(filter.states);
	const { conditions, values } = conditionsOf(filter);
	const found: IntentRecord[] = [];
	for (let below = numberOf(filter.below ?? "") ?? Number.MAX_SAFE_INTEGER; ; ) {
		const where = [...conditions, "number < ?"].join(" AND ");
		const rows = statement(storage, `SELECT * FROM intent WHERE ${where} ORDER BY number DESC LIMIT ${page}`).all(...values, below);
		for (const row of rows) {
			const record = recordOf(storedIntent(storage, row), lives);
			if (wanted === undefined || wanted.has(record.state)) found.push(record);
			if (found.length === limit) return found;
		}
		if (rows.length < page) return found;
		below = Number(rows.at(-1)?.number);
	}
}

function conditionsOf({ states, effect, fingerprint, sandbox, batch, since, until }: JournalFilter): {
	conditions: string[];
	values: SqlValue[];
} {
	const conditions: string[] = [];
	const values: SqlValue[] = [];
	const add = (condition: string, ...given: SqlValue[]): void => {
		conditions.push(condition);
		values.push(...given);
	};
	if (states !== undefined) {
		// A row stored as "sending" is in doubt if its sender is dead, so read those too.
		const stored = [...states, ...(states.includes("in-doubt") ? ["sending" as const] : [])];
		add(`state IN (${stored.map(() => "?").join(", ")})`, ...stored);
		// Repeats the condition of index `intent_open` literally, so that SQLite uses it: few of a million rows are open.
		if (stored.every((state) => open.has(state))) add("state IN ('sending', 'in-doubt')");
	}
	// Rows that were never sent, planned or cancelled, are only listed on request.
	if (states === undefined) add("state NOT IN ('planned', 'abandoned')");
	if (effect !== undefined) add("effect = ?", effect);
	if (fingerprint !== undefined) add("alike = ? AND fingerprint = ?", fingerprintKey(fingerprint), fingerprint);
	if (sandbox !== undefined) add(mayBeOfSandbox("intent", "?"), sandbox);
	if (batch !== undefined) add("batch = ?", numberOf(batch) ?? -1);
	if (since !== undefined) add("begun >= ?", since);
	if (until !== undefined) add("begun <= ?", until);
	return { conditions, values };
}

/**
 * One intent with its events, including those of its batch that concern it, oldest first; undefined if there is no such intent.
 */
export function showIntent(storage: Storage, intent: string, lives: Lives): { record: IntentRecord; events: JournalEvent[] } | undefined {
	const number = numberOf(intent);
	const row = number === undefined ? undefined : statement(storage, "SELECT * FROM intent WHERE number = ?").get(number);
	if (row === undefined) return undefined;
	const stored = storedIntent(storage, row);
	const own = statement(storage, "SELECT * FROM event WHERE intent = ? ORDER BY seq").all(stored.number).map(eventOf);
	const shared = stored.batch === undefined ? [] : rowEvents(storage, stored.batch, stored.number);
	return { record: recordOf(stored, lives), events: [...shared, ...own].sort((one, other) => one.seq - other.seq) };
}

/** The intents that hold these ids of the service, by id. */
export function holders(storage: Storage, ids: readonly string[], lives: Lives): Map<string, IntentRecord> {
	const holder = statement(storage, "SELECT * FROM intent WHERE created = ? AND created_id = ?");
	const found = new Map<string, IntentRecord>();
	for (const id of ids) {
		const row = holder.get(idKey(id), plainId(id));
		if (row) found.set(id, recordOf(storedIntent(storage, row), lives));
	}
	return found;
}

/** The looks at an intent's latest attempt, oldest first; empty if there is no such intent. */
export function checksOf(storage: Storage, intent: string): Check[] {
	const number = numberOf(intent) ?? -1;
	const attempt = Number(statement(storage, "SELECT attempt FROM intent WHERE number = ?").get(number)?.attempt);
	return statement(storage, "SELECT * FROM event WHERE intent = ? AND kind = 'checked' ORDER BY seq")
		.all(number)
		.map(eventOf)
		.filter(({ content }) => content.attempt === attempt)
		.map(({ content }) => content.check as Check);
}

/** The newest events of a kind that concern the journal itself, newest first. */
export function ownEvents(storage: Storage, kind: string, limit: number): JournalEvent[] {
	return statement(storage, newestOwnEvents).all(kind, limit).map(eventOf);
}

/** Every event after number `start`, oldest first. */
export async function* events(storage: Storage, start: number): AsyncGenerator<JournalEvent> {
	for (let after = start; ; ) {
		const rows = statement(storage, `SELECT * FROM event WHERE seq > ? ORDER BY seq LIMIT ${page}`).all(after);
		for (const row of rows) yield eventOf(row);
		if (rows.length < page) return;
		after = Number(rows.at(-1)?.seq);
	}
}
