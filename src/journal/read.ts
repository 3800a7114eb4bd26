/**
 * What is read of the journal. Every answer comes from the file: another process may have written a moment ago.
 */
import type { IntentRecord, IntentState, JournalEvent, JournalFilter, Look } from "../context.js";
import { eventOf, numberOf, recordOf } from "./record.js";
import type { Storage, Value } from "./storage.js";
import { keptOf } from "./tables.js";
import { statement } from "./transaction.js";

/** Events of one page. */
const page = 1_000;

const open: ReadonlySet<IntentState> = new Set(["sending", "in-doubt", "planned"]);

type Lives = (sender: string) => boolean;

/** Intents, newest first. */
export function list(storage: Storage, filter: JournalFilter, lives: Lives): IntentRecord[] {
	const { states, effect, fingerprint, limit } = filter;
	const wanted = states && new Set(states);
	// What is being sent may turn out to be in doubt: it is read for both.
	const stored = wanted && new Set([...wanted, ...(wanted.has("in-doubt") ? ["sending" as const] : [])]);
	const conditions: string[] = [];
	const values: Value[] = [];
	if (stored) {
		conditions.push(`state IN (${[...stored].map(() => "?").join(", ")})`);
		values.push(...stored);
	}
	// Word for word the condition of the index: few are open, and a journal may have a million rows.
	if (stored && [...stored].every((state) => open.has(state))) conditions.push("state IN ('sending', 'in-doubt', 'planned')");
	if (effect !== undefined) {
		conditions.push("effect = ?");
		values.push(effect);
	}
	if (fingerprint !== undefined) {
		conditions.push("fingerprint = ?");
		values.push(fingerprint);
	}
	const found: IntentRecord[] = [];
	for (let below = Number.MAX_SAFE_INTEGER; ; ) {
		const where = [...conditions, "number < ?"].join(" AND ");
		const rows = statement(storage, `SELECT * FROM intent WHERE ${where} ORDER BY number DESC LIMIT ${page}`).all(...values, below);
		for (const row of rows) {
			const record = recordOf(keptOf(row), lives);
			if (wanted === undefined || wanted.has(record.state)) found.push(record);
			if (found.length === limit) return found;
		}
		if (rows.length < page) return found;
		below = Number(rows.at(-1)?.number);
	}
}

export function show(storage: Storage, intent: string, lives: Lives): { record: IntentRecord; events: JournalEvent[] } | undefined {
	const number = numberOf(intent);
	const row = number === undefined ? undefined : statement(storage, "SELECT * FROM intent WHERE number = ?").get(number);
	if (row === undefined) return undefined;
	const events = statement(storage, "SELECT * FROM event WHERE intent = ? ORDER BY seq").all(number as number);
	return { record: recordOf(keptOf(row), lives), events: events.map(eventOf) };
}

export function holders(storage: Storage, ids: readonly string[]): Map<string, string> {
	const holder = statement(storage, "SELECT number FROM intent WHERE created_id = ? AND effect = 'money'");
	const found = new Map<string, string>();
	for (const id of ids) {
		const row = holder.get(id.toLowerCase());
		if (row) found.set(id, String(row.number));
	}
	return found;
}

export function looks(storage: Storage, intent: string): Look[] {
	const shown = show(storage, intent, () => true);
	if (shown === undefined) return [];
	return shown.events
		.filter(({ kind, content }) => kind === "looked" && content.attempt === shown.record.attempt)
		.map(({ content }) => content.look as Look);
}

/** Every event after number `start`, oldest first, a page at a time. */
export async function* events(storage: Storage, start: number): AsyncGenerator<JournalEvent> {
	for (let after = start; ; ) {
		const rows = statement(storage, `SELECT * FROM event WHERE seq > ? ORDER BY seq LIMIT ${page}`).all(after);
		for (const row of rows) yield eventOf(row);
		if (rows.length < page) return;
		after = Number(rows.at(-1)?.seq);
	}
}
