/**
 * Reads from the journal. Nothing is cached, because other processes may write at any time.
 */

import type { Check, IntentRecord, IntentState } from "../../ports/intent.js";
import type { JournalEvent, JournalFilter } from "../../ports/journal.js";
import { mayBeOfSandbox } from "../tables/batch-row.js";
import type { Connection, Senders } from "../tables/connection.js";
import { among, every, type Reading, type Sql, sql } from "../tables/sql.js";
import { alikeTo, holdsId, storedIntents } from "../tables/tables.js";
import { eventPages } from "../tables/transaction.js";
import { rowEvents } from "./batch-events.js";
import { eventOf, livingOf, numberOf, recordOf, recordsOf } from "./record.js";

/** Events of one page. */
const page = 1_000;

const open: ReadonlySet<IntentState> = new Set(["sending", "in-doubt"]);

type Living = Pick<Senders, "living">;

/** Intents, newest first. */
export async function listIntents(connection: Connection, filter: JournalFilter, senders: Living): Promise<IntentRecord[]> {
	const { limit } = filter;
	const wanted = filter.states && new Set(filter.states);
	const conditions = conditionsOf(filter);
	const found: IntentRecord[] = [];
	for (let below = numberOf(filter.below ?? "") ?? Number.MAX_SAFE_INTEGER; ; ) {
		const query = sql`SELECT * FROM intent WHERE ${every([...conditions, sql`number < ${below}`])} ORDER BY number DESC LIMIT ${page}`;
		const stored = await connection.read(async (reading) => storedIntents(reading, await reading.all(query)));
		for (const record of await recordsOf(stored, senders)) {
			if (wanted === undefined || wanted.has(record.state)) found.push(record);
			if (found.length === limit) return found;
		}
		if (stored.length < page) return found;
		below = Number(stored.at(-1)?.number);
	}
}

function conditionsOf({ states, effect, fingerprint, sandbox, batch, since, until }: JournalFilter): Sql[] {
	// A row stored as "sending" is in doubt if its sender is dead, so read those too.
	const stored = states && [...states, ...(states.includes("in-doubt") ? ["sending" as const] : [])];
	return [
		// Rows that were never sent, planned or cancelled, are only listed on request.
		stored === undefined ? sql`state NOT IN ('planned', 'abandoned')` : among(sql`state`, stored),
		// Repeats the condition of index `intent_open` literally, so that it is used: few of a million rows are open.
		...(stored?.every((state) => open.has(state)) ? [sql`state IN ('sending', 'in-doubt')`] : []),
		...(effect === undefined ? [] : [sql`effect = ${effect}`]),
		...(fingerprint === undefined ? [] : [alikeTo(fingerprint)]),
		mayBeOfSandbox("intent", sandbox),
		...(batch === undefined ? [] : [sql`batch = ${numberOf(batch) ?? -1}`]),
		...(since === undefined ? [] : [sql`begun >= ${since}`]),
		...(until === undefined ? [] : [sql`begun <= ${until}`]),
	];
}

/** One intent with its events, including those of its batch that concern it, oldest first; undefined if there is no such intent. */
export async function showIntent(
	reading: Reading,
	intent: string,
	senders: Living,
): Promise<{ record: IntentRecord; events: JournalEvent[] } | undefined> {
	// What was carried over into a team's journal is known by its old number too.
	const named = intent.includes(":") ? sql`carried = ${intent}` : sql`number = ${numberOf(intent) ?? -1}`;
	const [stored] = await storedIntents(reading, await reading.all(sql`SELECT * FROM intent WHERE ${named}`));
	if (stored === undefined) return undefined;
	const own = (await reading.all(sql`SELECT * FROM event WHERE intent = ${stored.number} ORDER BY seq`)).map(eventOf);
	const shared = stored.batch === undefined ? [] : await rowEvents(reading, stored.batch, stored.number);
	const record = recordOf(stored, await livingOf([stored], senders));
	return { record, events: [...shared, ...own].sort((one, other) => one.seq - other.seq) };
}

/** The intents that hold these ids of the service, by id. */
export async function holders(reading: Reading, ids: readonly string[], senders: Living): Promise<Map<string, IntentRecord>> {
	const found = new Map<string, IntentRecord>();
	for (const id of ids) {
		const stored = await storedIntents(reading, await reading.all(sql`SELECT * FROM intent WHERE ${holdsId(id)}`));
		for (const record of await recordsOf(stored, senders)) found.set(id, record);
	}
	return found;
}

/** The looks at an intent's latest attempt, oldest first; empty if there is no such intent. */
export async function checksOf(reading: Reading, intent: string): Promise<Check[]> {
	const number = numberOf(intent) ?? -1;
	const attempt = Number((await reading.get(sql`SELECT attempt FROM intent WHERE number = ${number}`))?.attempt);
	return (await reading.all(sql`SELECT * FROM event WHERE intent = ${number} AND kind = 'checked' ORDER BY seq`))
		.map(eventOf)
		.filter(({ content }) => content.attempt === attempt)
		.map(({ content }) => content.check as Check);
}

/** Every event after number `after`, oldest first. */
export async function* events(connection: Connection, after: number): AsyncGenerator<JournalEvent> {
	for await (const rows of eventPages(connection.read, { after, page })) yield* rows.map(eventOf);
}
