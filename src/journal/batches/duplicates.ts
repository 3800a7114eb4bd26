/**
 * Finds duplicate rows of a batch: of each other, of payments in doubt or within the duplicate window, or of rows in a begun batch.
 * One pass over the rows with an index look-up each; the index has short keys, and matches are compared in full.
 */

import type { Transfer } from "../../api/operations/transfer.js";
import { isSandboxIdentity } from "../../api/service-address.js";
import type { BatchDigest, PlannedRow } from "../../ports/batch-plan.js";
import type { BatchDuplicates, Batches, RowsToCheck } from "../../ports/batches.js";
import type { IntentRecord, IntentState } from "../../ports/intent.js";
import { type SqlRow, type Storage, statement } from "../../sqlite/storage.js";
import { recordOf } from "../intents/record.js";
import { mayBeOfSandbox, partyOf, rowPages, transferIn } from "../sqlite/batch-row.js";
import { inDuplicateWindow, type WindowStart } from "../sqlite/service-time.js";
import { stillToSend, storedIntent } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
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
	/** The living senders. */
	senders: readonly string[];
	/** Only the rows in the temporary table `only_rows`. */
	only?: boolean;
	/** The identity of the batch's sandbox: what is known to have been sent to another one is no duplicate. */
	sandbox?: string;
}

/** SQL conditions on `other`, a row with the same fingerprint; `?n` are the statement's parameters. */
const open = "other.state IN ('sending', 'in-doubt')";
/** Open rows are either being sent by a living process or in doubt. @param senders SQL for the living senders as a JSON list */
const underWay = (senders: string): string =>
	`(other.state = 'sending' AND coalesce(other.sender, '') IN (SELECT value FROM json_each(${senders})))`;
const doubtful = (senders: string): string => `(${open} AND NOT ${underWay(senders)})`;
/** `begun` (empty: not yet) and `last` are those of the checked batch; earlier payments were checked when it began. */
const paidOrStillToSend = ({ since, begun, last }: { since: WindowStart; begun: string; last: string }): string =>
	`((other.state IN ('accepted', 'waiting') AND ${inDuplicateWindow("other", since.timed, since.untimed)} AND (other.begun_service >= ${begun} OR other.number > ${last}))
	OR ${stillToSend("other")})`;
const foreign = (number: string, sandbox: string | undefined): string =>
	`other.batch IS NOT ${number}${sandbox === undefined ? "" : ` AND ${mayBeOfSandbox("other", identityLiteral(sandbox))}`}`;
/** As a literal, because the statements have parameters of their own. @throws TypeError, if it is not of the form of an identity */
function identityLiteral(sandbox: string): string {
	if (!isSandboxIdentity(sandbox)) throw new TypeError("not the identity of a sandbox");
	return `'${sandbox}'`;
}
const sameFingerprint = "intent AS other INDEXED BY intent_alike ON other.alike = mine.alike AND other.fingerprint = mine.fingerprint";
const twin = sameFingerprint.replace(" ON ", " WHERE ");

/**
 * Equal rows of the batch are looked up once, by the first of them with their count; otherwise two files with many equal rows would be
 * compared each with each.
 * @param since the start of the duplicate window
 */
export function findDuplicates(
	transaction: WriteTransaction,
	query: DuplicateQuery,
	digest: BatchDigest,
	since: WindowStart,
): BatchDuplicates {
	const { number, last, begun = "", sandbox } = query;
	noteMatches(transaction, query, since);
	const out = paidOrStillToSend({ since: { timed: "?2", untimed: "?5" }, begun: "?3", last: "?4" });
	const countMatches = (sql: string, ...given: (string | number)[]): number =>
		Number(
			transaction
				.sql(
					`SELECT total(met.rows) AS rows FROM temp.met AS met CROSS JOIN intent AS mine ON mine.number = met.number
					WHERE EXISTS (SELECT 1 FROM ${twin} AND ${foreign("?1", sandbox)} AND ${sql})`,
				)
				.get(number, ...given)?.rows,
		);
	const senders = JSON.stringify(query.senders);
	const [doubts, sending] = [countMatches(doubtful("?2"), senders), countMatches(underWay("?2"), senders)];
	const found: BatchDuplicates = {
		inside: begun === "" ? duplicatesWithin(transaction, query) : 0,
		earlier: countMatches(out, since.timed, begun, last, since.untimed),
		doubts: { rows: doubts, intents: doubts === 0 ? [] : intentsWhere(transaction, query, doubtful("?2"), senders) },
		...(sending > 0 ? { sending: { rows: sending, intents: intentsWhere(transaction, query, underWay("?2"), senders) } } : {}),
		batches: transaction
			.sql(
				`SELECT batch, total(rows) AS rows, (SELECT rows_digest FROM batch WHERE number = pair.batch) AS digest,
				(SELECT state FROM batch WHERE number = pair.batch) AS state FROM (
					SELECT DISTINCT met.number, met.rows AS rows, other.batch AS batch FROM temp.met AS met
					CROSS JOIN intent AS mine ON mine.number = met.number CROSS JOIN ${sameFingerprint}
					WHERE other.batch <> ?1 AND ${foreign("?1", sandbox)} AND (${out} OR ${open})
				) AS pair GROUP BY batch ORDER BY batch`,
			)
			.all(number, since.timed, begun, last, since.untimed)
			.map((row) => ({
				batch: String(row.batch),
				rows: Number(row.rows),
				same: row.digest === digest.rows,
				...(row.state === "abandoned" ? { abandoned: true as const } : {}),
			})),
	};
	transaction.sql("DELETE FROM temp.met").run();
	return found;
}

/**
 * The first rows that look the same as others, each with one of those.
 * @param most most rows of each list
 */
function duplicateRows(
	transaction: WriteTransaction,
	query: DuplicateQuery,
	since: WindowStart,
	most: number,
): Pick<RowsToCheck, "inside" | "earlier"> {
	const { number, first, last, sandbox, begun = "" } = query;
	if (query.states.length === 0) return { inside: [], earlier: [] };
	const isBegun = begun !== "";
	const inside = transaction
		.sql(
			`SELECT mine.row AS row, mine.content AS content,
			(SELECT other.row FROM ${twin} AND other.number BETWEEN ?1 AND mine.number - 1 AND other.batch = ?3 ORDER BY other.number LIMIT 1) AS same
			FROM intent AS mine WHERE ${mine(query)} AND same IS NOT NULL ORDER BY mine.number LIMIT ?4`,
		)
		.all(first, last, number, isBegun ? 0 : most);
	noteMatches(transaction, query, since);
	const paid = paidOrStillToSend({ since: { timed: "?2", untimed: "?4" }, begun: "?6", last: "?3" });
	const earlier = transaction
		.sql(
			`SELECT here.row AS row, here.content AS content, here.rows AS rows, known.number AS number, known.batch AS batch, known.row AS known,
			known.state AS state, known.sender AS sender, known.changed AS changed, known.created_id AS id FROM (
				SELECT mine.number AS place, mine.row AS row, mine.content AS content, met.rows AS rows, (SELECT other.number FROM ${twin}
				AND ${foreign("?1", sandbox)} AND (${open} OR ${paid}) ORDER BY other.number DESC LIMIT 1) AS same
				FROM temp.met AS met CROSS JOIN intent AS mine ON mine.number = met.number WHERE met.rows > 0 ORDER BY met.number LIMIT ?5
			) AS here JOIN intent AS known ON known.number = here.same ORDER BY here.place`,
		)
		.all(number, since.timed, last, since.untimed, most, begun);
	transaction.sql("DELETE FROM temp.met").run();
	return {
		inside: inside.map((row) => ({ ...plannedRow(row), same: Number(row.same) })),
		earlier: earlier.map((row) => ({
			...plannedRow(row),
			rows: Number(row.rows),
			intent: String(row.number),
			...(row.id === null ? {} : { id: String(row.id) }),
			...(row.batch === null ? {} : { batch: String(row.batch), batchRow: Number(row.known) }),
			// What a sender that died was sending is in doubt.
			state: row.state === "sending" && !query.senders.includes(String(row.sender)) ? "in-doubt" : (row.state as IntentState),
			at: String(row.changed),
		})),
	};
}

const plannedRow = (row: SqlRow): PlannedRow => ({ row: Number(row.row), transfer: transferIn(row) });

/** Counts rows that duplicate an earlier row of the file. */
function duplicatesWithin(transaction: WriteTransaction, query: DuplicateQuery): number {
	const found = transaction
		.sql(
			`SELECT count(*) AS rows FROM intent AS mine WHERE ${mine(query)}
			AND EXISTS (SELECT 1 FROM ${twin} AND other.number BETWEEN ?1 AND mine.number - 1 AND other.batch = ?3)`,
		)
		.get(query.first, query.last, query.number);
	return Number(found?.rows);
}

const mine = ({ states, only }: Pick<DuplicateQuery, "states" | "only">): string =>
	`mine.number BETWEEN ?1 AND ?2 AND mine.batch = ?3 AND mine.state IN (${sqlList(states)})${only ? " AND mine.number IN temp.only_rows" : ""}`;

/** Stores in a temporary table the first of each set of equal rows that has a duplicate elsewhere, with the size of the set. */
function noteMatches(transaction: WriteTransaction, query: DuplicateQuery, since: WindowStart): void {
	transaction.sql("CREATE TEMP TABLE IF NOT EXISTS met (number INTEGER PRIMARY KEY, rows INTEGER NOT NULL)").run();
	transaction.sql("DELETE FROM temp.met").run();
	const equal = `SELECT 1 FROM ${twin} AND other.batch = ?3 AND other.state IN (${sqlList(query.states)})`;
	// CASE evaluates the expensive look-up only for the first of equal rows.
	transaction
		.sql(
			`INSERT INTO temp.met SELECT mine.number, (SELECT count(*) FROM (${equal} AND other.number BETWEEN ?1 AND ?2)) FROM intent AS mine
			WHERE ${mine(query)} AND CASE
			WHEN (${equal} AND other.number BETWEEN ?1 AND mine.number - 1 ORDER BY other.number DESC LIMIT 1) IS NOT NULL THEN 0
			ELSE EXISTS (SELECT 1 FROM ${twin} AND ${foreign("?3", query.sandbox)} AND (${open} OR ${paidOrStillToSend({ since: { timed: "?4", untimed: "?6" }, begun: "?5", last: "?2" })})) END`,
		)
		.run(query.first, query.last, query.number, since.timed, query.begun ?? "", since.untimed);
}

/** Names the intents that meet a condition. @param sql a condition on `other` with `senders` as ?2 */
function intentsWhere(transaction: WriteTransaction, { number, sandbox }: DuplicateQuery, sql: string, senders: string): string[] {
	return transaction
		.sql(
			`SELECT DISTINCT other.number AS number FROM temp.met AS met CROSS JOIN intent AS mine ON mine.number = met.number
			CROSS JOIN ${sameFingerprint} WHERE ${foreign("?1", sandbox)} AND ${sql} ORDER BY other.number LIMIT ${mostNamed}`,
		)
		.all(number, senders)
		.map((row) => String(row.number));
}

/** A list for SQL's IN. Safe, because states are constants of ours and never input. */
export function sqlList(states: readonly IntentState[]): string {
	return states.map((state) => `'${state}'`).join(", ");
}

const page = 250;

/**
 * The first rows of each kind that a person should see before a batch is sent.
 * @param query the rows that are looked at for duplicates @param asked `takes`: the states whose rows are sent; `to`: parties of whom it is asked
 */
export function rowsToCheck(
	transaction: WriteTransaction,
	query: DuplicateQuery,
	since: WindowStart,
	{ takes, most, alike, to }: Parameters<Batches["toCheck"]>[1],
): RowsToCheck {
	const { number, first, last } = query;
	const ofBatch = `number BETWEEN ?1 AND ?2 AND batch = ?3 AND state IN (${sqlList(takes)})`;
	const table = (name: string, sql: string, ...given: (string | number)[]): void => {
		transaction.sql(`CREATE TEMP TABLE IF NOT EXISTS ${name} (party TEXT PRIMARY KEY) WITHOUT ROWID`).run();
		transaction.sql(`DELETE FROM temp.${name}`).run();
		transaction.sql(`INSERT INTO temp.${name} ${sql}`).run(...given);
	};
	const paid = "SELECT party FROM intent WHERE effect = 'money' AND state IN ('accepted', 'waiting')";
	table("newcomer", `SELECT party FROM intent WHERE ${ofBatch} EXCEPT ${paid}`, first, last, number);
	table("named", "SELECT DISTINCT value FROM json_each(?)", JSON.stringify(to.map(partyOf)));
	const count = (sql: string, ...given: (string | number)[]): number => Number(transaction.sql(sql).get(...given)?.count);
	const newOf = (kind: Transfer["kind"]): number => count("SELECT count(*) AS count FROM temp.newcomer WHERE party LIKE ?", `${kind} %`);
	const [ledgers, beneficiaries] = [newOf("ledger"), newOf("beneficiary")];
	const isNamed = `${ofBatch} AND party IN (SELECT party FROM temp.named)`;
	const found: RowsToCheck = {
		first: firstRows(transaction, `SELECT row, content FROM intent WHERE ${ofBatch} ORDER BY number LIMIT ?4`, query, most),
		...(alike ? duplicateRows(transaction, query, since, most) : { inside: [], earlier: [] }),
		newPayees: { ledgers, beneficiaries, first: firstToEach(transaction, query, takes, Math.min(most, ledgers + beneficiaries)) },
		to: {
			rows: to.length === 0 ? 0 : count(`SELECT count(*) AS count FROM intent WHERE ${isNamed}`, first, last, number),
			first:
				to.length === 0
					? []
					: firstRows(transaction, `SELECT row, content FROM intent WHERE ${isNamed} ORDER BY number LIMIT ?4`, query, most),
		},
	};
	for (const name of ["newcomer", "named"]) transaction.sql(`DELETE FROM temp.${name}`).run();
	return found;
}

type Place = Pick<StoredBatch, "number" | "first" | "last">;

const firstRows = (transaction: WriteTransaction, sql: string, { first, last, number }: Place, most: number): PlannedRow[] =>
	transaction.sql(sql).all(first, last, number, most).map(plannedRow);

/** The first row to each of the first new parties; reading ends with the last of them, so that nothing is sorted. */
function firstToEach(transaction: WriteTransaction, batch: Place, takes: readonly IntentState[], most: number): PlannedRow[] {
	const found = new Map<string, PlannedRow>();
	if (most === 0) return [];
	const where = `state IN (${sqlList(takes)}) AND party IN (SELECT party FROM temp.newcomer)`;
	for (const rows of rowPages(transaction.storage, batch, { columns: "number, row, content, party", where, page }))
		for (const row of rows) {
			if (found.size === most) return [...found.values()];
			if (!found.has(String(row.party))) found.set(String(row.party), plannedRow(row));
		}
	return [...found.values()];
}

/**
 * What a person said was not created has no time limit, because this machine's clock may have been wrong then or may be wrong now. What an
 * answer refused has that of duplicates: older payments may be repeated, also where they were made.
 * @param takes the states whose rows are sent
 * @param since the start of that time
 * @returns own rows first, each in the order of their numbers
 */
export function notMade(
	storage: Storage,
	{ number, first, last, shared }: StoredBatch,
	takes: readonly IntentState[],
	since: WindowStart,
): IntentRecord[] {
	const { sandbox } = shared;
	const again = takes.filter((state) => state === "not-created" || state === "refused" || state === "not-sent");
	const ofBatch = `SELECT * FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND state IN (${sqlList(again)}) ORDER BY number`;
	const own = again.length === 0 ? [] : statement(storage, ofBatch).all(first, last, number);
	const mine = `SELECT 1 FROM intent AS mine INDEXED BY intent_alike WHERE mine.alike = other.alike AND mine.fingerprint = other.fingerprint
		AND mine.batch = ?1 AND mine.state IN (${sqlList(takes)})`;
	const others = statement(
		storage,
		`SELECT * FROM intent AS other WHERE (state = 'not-created' OR (state = 'refused' AND ${inDuplicateWindow("other", "?2", "?3")}))
		AND effect = 'money' AND alike IS NOT NULL
		AND batch IS NOT ?1 AND EXISTS (${mine})${sandbox === undefined ? "" : ` AND ${mayBeOfSandbox("other", "?4")}`} ORDER BY number`,
	).all(number, since.timed, since.untimed, ...(sandbox === undefined ? [] : [sandbox]));
	// None of them is being sent, so it does not matter whether their senders are alive.
	return [...own, ...others].map((row) => recordOf(storedIntent(storage, row), () => true));
}
