/**
 * Finds duplicate rows of a batch: of each other, of payments in doubt or within the duplicate window, or of rows in a begun batch.
 * One pass over the rows with an index look-up each; the index has short keys, and matches are compared in full.
 */

import type { Transfer } from "../../api/operations/transfer.js";
import type { BatchDigest, PlannedRow } from "../../ports/batch-plan.js";
import type { BatchDuplicates, Batches, RowsToCheck } from "../../ports/batches.js";
import type { IntentRecord, IntentState } from "../../ports/intent.js";
import type { SqlRow } from "../../sqlite/storage.js";
import { recordOf } from "../intents/record.js";
import { mayBeOfSandbox, partyOf, rowOf, transferIn } from "../tables/batch-row.js";
import { inDuplicateWindow, type WindowStart } from "../tables/service-time.js";
import { among, type Reading, raw, type Sql, sql } from "../tables/sql.js";
import { stillToSend, storedIntents } from "../tables/tables.js";
import type { StoredBatch } from "./table.js";

/** Most doubts that are named. */
const mostNamed = 20;

/** The batch, and which of its rows to check. */
interface DuplicateQuery {
	number: number;
	first: number;
	last: number;
	states: readonly IntentState[];
	/** When it was first begun, RFC 3339 UTC, by the service's clock if known; earlier duplicates were allowed then. */
	begun?: string;
	/** The start of the duplicate window. */
	since: WindowStart;
	/** Only these of the rows. */
	only?: readonly number[];
	/** The identity of the batch's sandbox: what is known to have been sent to another one is no duplicate. */
	sandbox?: string;
}

/** SQL: the checked row is `mine`, one with the same fingerprint is `other`. */
const twin = raw("other.alike = mine.alike AND other.fingerprint = mine.fingerprint");
const foreign = ({ number, sandbox }: DuplicateQuery): Sql =>
	sql`other.batch IS DISTINCT FROM ${number} AND ${mayBeOfSandbox("other", sandbox)}`;
const open = raw("other.state IN ('sending', 'in-doubt')");
/** Earlier payments were checked when the batch began. */
const paidOrStillToSend = ({ since, begun = "", last }: DuplicateQuery): Sql =>
	sql`((other.state IN ('accepted', 'waiting') AND ${inDuplicateWindow("other", since)} AND (other.begun_service >= ${begun} OR other.number > ${last}))
	OR ${stillToSend("other")})`;

/** SQL: those of these rows alone, where not all in their states are sent. */
export const ofThese = (only: readonly number[] | undefined, row = "intent"): Sql =>
	only === undefined ? sql`1 = 1` : among(sql`${raw(row)}.number`, only);

const mine = (query: DuplicateQuery): Sql =>
	sql`${rowOf(query, "mine")} AND ${among(sql`mine.state`, query.states)} AND ${ofThese(query.only, "mine")}`;
/** An equal row of the batch before this one. */
const earlierTwin = ({ first, number }: DuplicateQuery): Sql =>
	sql`FROM intent AS other WHERE ${twin} AND other.number >= ${first} AND other.number < mine.number AND other.batch = ${number}`;

const isChecked = ({ states }: DuplicateQuery): Sql => among(sql`other.state`, states);

/**
 * SQL: the first of each set of equal rows that has a duplicate elsewhere. Equal rows are looked up once, by the
 * first of them; otherwise two files with many equal rows would be compared each with each. The row before is looked for from the end, where
 * it is found at once.
 */
const matches = (query: DuplicateQuery): Sql =>
	sql`(SELECT mine.number, mine.row, mine.content, mine.alike, mine.fingerprint FROM intent AS mine WHERE ${mine(query)} AND CASE WHEN (SELECT 1 ${earlierTwin(query)} AND ${isChecked(query)} ORDER BY other.number DESC LIMIT 1) = 1 THEN 0 = 1
		ELSE EXISTS (SELECT 1 FROM intent AS other WHERE ${twin} AND ${foreign(query)} AND (${open} OR ${paidOrStillToSend(query)})) END)`;

/** SQL: the size of that set. */
const setSize = (query: DuplicateQuery): Sql =>
	sql`(SELECT count(*) FROM intent AS other WHERE ${twin} AND ${rowOf(query, "other")} AND ${isChecked(query)})`;

export async function findDuplicates(reading: Reading, query: DuplicateQuery, digest: BatchDigest): Promise<BatchDuplicates> {
	const within = sql`SELECT count(*) AS rows FROM intent AS mine WHERE ${mine(query)} AND EXISTS (SELECT 1 ${earlierTwin(query)})`;
	const others = sql`FROM intent AS other WHERE ${twin} AND ${foreign(query)} AND`;
	const out = paidOrStillToSend(query);
	const rowsWith = (condition: Sql): Sql =>
		sql`coalesce(sum(CASE WHEN EXISTS (SELECT 1 ${others} ${condition}) THEN ${setSize(query)} END), 0)`;
	const counted = await reading.get(sql`SELECT ${rowsWith(open)} AS doubts, ${rowsWith(out)} AS earlier FROM ${matches(query)} AS mine`);
	const [doubts, earlier] = [Number(counted?.doubts), Number(counted?.earlier)];
	const joined = sql`FROM ${matches(query)} AS mine JOIN intent AS other ON ${twin} WHERE ${foreign(query)}`;
	const named = sql`SELECT DISTINCT other.number AS number ${joined} AND ${open} ORDER BY other.number LIMIT ${mostNamed}`;
	const batches = sql`SELECT mine.batch AS batch, sum(${setSize(query)}) AS rows, batch.rows_digest AS digest, batch.state AS state FROM (
		SELECT DISTINCT mine.number, mine.alike, mine.fingerprint, other.batch AS batch ${joined} AND other.batch IS NOT NULL AND (${out} OR ${open})
		) AS mine JOIN batch ON batch.number = mine.batch GROUP BY mine.batch, batch.rows_digest, batch.state ORDER BY mine.batch`;
	return {
		inside: query.begun === undefined ? Number((await reading.get(within))?.rows) : 0,
		earlier,
		doubts: { rows: doubts, intents: doubts === 0 ? [] : (await reading.all(named)).map(({ number }) => String(number)) },
		batches:
			doubts + earlier === 0
				? []
				: (await reading.all(batches)).map((row) => ({
						batch: String(row.batch),
						rows: Number(row.rows),
						same: row.digest === digest.rows,
						...(row.state === "abandoned" ? { abandoned: true as const } : {}),
					})),
	};
}

/**
 * The first rows that look the same as others, each with one of those.
 * @param most most rows of each list
 */
async function duplicateRows(reading: Reading, query: DuplicateQuery, most: number): Promise<Pick<RowsToCheck, "inside" | "earlier">> {
	if (query.states.length === 0) return { inside: [], earlier: [] };
	const inside = await reading.all(
		sql`SELECT * FROM (SELECT mine.number, mine.row, mine.content, (SELECT other.row ${earlierTwin(query)} ORDER BY other.number LIMIT 1) AS same
		FROM intent AS mine WHERE ${mine(query)}) AS own WHERE same IS NOT NULL ORDER BY number LIMIT ${query.begun === undefined ? most : 0}`,
	);
	const newest = sql`(SELECT other.number FROM intent AS other WHERE ${twin} AND ${foreign(query)}
		AND (${open} OR ${paidOrStillToSend(query)}) ORDER BY other.number DESC LIMIT 1)`;
	const earlier = await reading.all(
		sql`SELECT here.row AS row, here.content AS content, here.rows AS rows, known.number AS number, known.batch AS batch, known.row AS known,
		known.state AS state, known.changed AS changed, known.created_id AS id FROM (
			SELECT mine.number AS place, mine.row, mine.content, ${setSize(query)} AS rows, ${newest} AS same
			FROM ${matches(query)} AS mine ORDER BY mine.number LIMIT ${most}
		) AS here JOIN intent AS known ON known.number = here.same ORDER BY here.place`,
	);
	return {
		inside: inside.map((row) => ({ ...plannedRow(row), same: Number(row.same) })),
		earlier: earlier.map((row) => ({
			...plannedRow(row),
			rows: Number(row.rows),
			intent: String(row.number),
			...(row.id === null ? {} : { id: String(row.id) }),
			...(row.batch === null ? {} : { batch: String(row.batch), batchRow: Number(row.known) }),
			state: row.state as IntentState,
			at: String(row.changed),
		})),
	};
}

const plannedRow = (row: SqlRow): PlannedRow => ({ row: Number(row.row), transfer: transferIn(row) });

const paid = raw("SELECT party FROM intent WHERE effect = 'money' AND state IN ('accepted', 'waiting') AND party IS NOT NULL");

/** Most parties whose rows are looked for. */
const mostParties = 10_000;

/**
 * The first rows of each kind that a person should see before a batch is sent.
 * @param query the rows that are looked at for duplicates @param asked `takes`: the states whose rows are sent; `to`: parties of whom it is asked
 */
export async function rowsToCheck(
	reading: Reading,
	query: DuplicateQuery,
	{ takes, most, alike, to }: Parameters<Batches["toCheck"]>[1],
): Promise<RowsToCheck> {
	const sent = sql`${rowOf(query)} AND ${among(sql`state`, takes)}`;
	const first = async (where: Sql): Promise<PlannedRow[]> =>
		(await reading.all(sql`SELECT row, content FROM intent WHERE ${where} ORDER BY number LIMIT ${most}`)).map(plannedRow);
	const count = async (from: Sql): Promise<number> => Number((await reading.get(sql`SELECT count(*) AS count FROM ${from}`))?.count);
	const newOf = (kind: Transfer["kind"]): Promise<number> =>
		count(sql`(SELECT party FROM intent WHERE ${sent} AND party LIKE ${`${kind} %`} EXCEPT ${paid}) AS unpaid`);
	const [ledgers, beneficiaries] = [await newOf("ledger"), await newOf("beneficiary")];
	const isNamed = sql`${sent} AND ${among(sql`party`, to.slice(0, mostParties).map(partyOf))}`;
	return {
		first: await first(sent),
		...(alike ? await duplicateRows(reading, query, most) : { inside: [], earlier: [] }),
		newPayees: { ledgers, beneficiaries, first: await firstToEach(reading, sent, Math.min(most, ledgers + beneficiaries)) },
		to: { rows: to.length === 0 ? 0 : await count(sql`intent WHERE ${isNamed}`), first: to.length === 0 ? [] : await first(isNamed) },
	};
}

/** The first row to each of the first new parties; each is looked for by itself, so that nothing is sorted. */
async function firstToEach(reading: Reading, sent: Sql, most: number): Promise<PlannedRow[]> {
	const found: PlannedRow[] = [];
	const parties: string[] = [];
	while (found.length < most) {
		const known = among(sql`party`, parties);
		const row = await reading.get(
			sql`SELECT row, content, party FROM intent WHERE ${sent} AND party NOT IN (${paid}) AND NOT ${known} ORDER BY number LIMIT 1`,
		);
		if (row === undefined) break;
		found.push(plannedRow(row));
		parties.push(String(row.party));
	}
	return found;
}

/**
 * What a person said was not created has no time limit, because this machine's clock may have been wrong then or may be wrong now. What an
 * answer refused has that of duplicates: older payments may be repeated, also where they were made.
 * @param takes the states whose rows are sent
 * @param since the start of that time
 * @returns own rows first, each in the order of their numbers
 */
export async function notMade(
	reading: Reading,
	batch: StoredBatch,
	takes: readonly IntentState[],
	since: WindowStart,
): Promise<IntentRecord[]> {
	const again = takes.filter((state) => state === "not-created" || state === "refused" || state === "not-sent");
	const own =
		again.length === 0
			? []
			: await reading.all(sql`SELECT * FROM intent WHERE ${rowOf(batch)} AND ${among(sql`state`, again)} ORDER BY number`);
	const twins = sql`SELECT 1 FROM intent AS mine WHERE ${twin} AND mine.batch = ${batch.number} AND ${among(sql`mine.state`, takes)}`;
	const others = await reading.all(
		sql`SELECT * FROM intent AS other WHERE (state = 'not-created' OR (state = 'refused' AND ${inDuplicateWindow("other", since)}))
		AND effect = 'money' AND alike IS NOT NULL AND batch IS DISTINCT FROM ${batch.number} AND EXISTS (${twins})
		AND ${mayBeOfSandbox("other", batch.shared.sandbox)} ORDER BY number`,
	);
	// None of them is being sent, so it does not matter whether their senders are alive.
	return (await storedIntents(reading, [...own, ...others])).map((stored) => recordOf(stored, new Set()));
}
