/**
 * Which rows of a batch are duplicates: of each other, of payments in doubt or within the duplicate window, or of rows in a batch under way.
 * One walk over the rows, each a look into the index of short keys; what a key finds is compared in full.
 */

import type { BatchDigest } from "../../ports/batch-plan.js";
import type { BatchDuplicates } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import { leftAt, leftLately, type Since } from "../sqlite/service-time.js";
import { stillToLeave } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";

/** Doubts that are named. */
const mostNamed = 20;

/** The batch's extent, and which of its rows are asked about. */
export interface DuplicateQuery {
	number: number;
	first: number;
	last: number;
	states: readonly IntentState[];
	/** When it was first begun, RFC 3339 UTC, by the service's clock where that was known: it goes on, and what its rows had in common with others until then was allowed. */
	begun?: string;
	/** Who is sending and lives. */
	senders: readonly string[];
}

/** SQL conditions on `other`, a row with the same fingerprint; `?n` are the statement's parameters. */
const open = "other.state IN ('sending', 'in-doubt')";
/** Of what is open: what a living process sends, and the rest, of which nobody knows what became. @param senders a list as JSON */
const underWay = (senders: string): string =>
	`(other.state = 'sending' AND coalesce(other.sender, '') IN (SELECT value FROM json_each(${senders})))`;
const doubtful = (senders: string): string => `(${open} AND NOT ${underWay(senders)})`;
/** `begun` (empty: not yet) and `last` are of the batch asked about: what went out before it was begun was held against it then. */
const goneOut = ({ since, begun, last }: { since: Since; begun: string; last: string }): string =>
	`((other.state IN ('accepted', 'waiting') AND ${leftLately("other", since.timed, since.untimed)} AND (${leftAt("other")} >= ${begun} OR other.number > ${last}))
	OR ${stillToLeave("other")})`;
const foreign = (number: string): string => `other.batch IS NOT ${number}`;
const sameFingerprint = "intent AS other INDEXED BY intent_alike ON other.alike = mine.alike AND other.fingerprint = mine.fingerprint";
const twin = sameFingerprint.replace(" ON ", " WHERE ");

/**
 * What equal rows of the batch have in common with others is looked up once, by the first of them with their count beside: a file of
 * many equal rows, held against another one of them, would else be compared each with each.
 * @param since what went out before then is no repetition
 */
export function findDuplicates(transaction: WriteTransaction, asked: DuplicateQuery, digest: BatchDigest, since: Since): BatchDuplicates {
	const { number, last, begun = "" } = asked;
	noteMatches(transaction, asked, since);
	const out = goneOut({ since: { timed: "?2", untimed: "?5" }, begun: "?3", last: "?4" });
	const met = (sql: string, ...given: (string | number)[]): number =>
		Number(
			transaction
				.sql(
					`SELECT total(met.rows) AS rows FROM temp.met AS met CROSS JOIN intent AS mine ON mine.number = met.number
					WHERE EXISTS (SELECT 1 FROM ${twin} AND ${foreign("?1")} AND ${sql})`,
				)
				.get(number, ...given)?.rows,
		);
	const senders = JSON.stringify(asked.senders);
	const [doubts, sending] = [met(doubtful("?2"), senders), met(underWay("?2"), senders)];
	const found: BatchDuplicates = {
		inside: begun === "" ? inside(transaction, asked) : 0,
		earlier: met(out, since.timed, begun, last, since.untimed),
		doubts: { rows: doubts, intents: doubts === 0 ? [] : named(transaction, number, doubtful("?2"), senders) },
		...(sending > 0 ? { sending: { rows: sending, intents: named(transaction, number, underWay("?2"), senders) } } : {}),
		batches: transaction
			.sql(
				`SELECT batch, total(rows) AS rows, (SELECT rows_digest FROM batch WHERE number = pair.batch) AS digest,
				(SELECT state FROM batch WHERE number = pair.batch) AS state FROM (
					SELECT DISTINCT met.number, met.rows AS rows, other.batch AS batch FROM temp.met AS met
					CROSS JOIN intent AS mine ON mine.number = met.number CROSS JOIN ${sameFingerprint}
					WHERE other.batch <> ?1 AND (${out} OR ${open})
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

/** Rows that are the same as one before them in the file. */
function inside(transaction: WriteTransaction, asked: DuplicateQuery): number {
	const found = transaction
		.sql(
			`SELECT count(*) AS rows FROM intent AS mine WHERE ${mine(asked)}
			AND EXISTS (SELECT 1 FROM ${twin} AND other.number BETWEEN ?1 AND mine.number - 1 AND other.batch = ?3)`,
		)
		.get(asked.first, asked.last, asked.number);
	return Number(found?.rows);
}

const mine = ({ states }: DuplicateQuery): string =>
	`mine.number BETWEEN ?1 AND ?2 AND mine.batch = ?3 AND mine.state IN (${sqlList(states)})`;

/** Notes each row that something elsewhere is like, where it is the first of its equals, with how many they are. */
function noteMatches(transaction: WriteTransaction, asked: DuplicateQuery, since: Since): void {
	transaction.sql("CREATE TEMP TABLE IF NOT EXISTS met (number INTEGER PRIMARY KEY, rows INTEGER NOT NULL)").run();
	transaction.sql("DELETE FROM temp.met").run();
	const equal = `SELECT 1 FROM ${twin} AND other.batch = ?3 AND other.state IN (${sqlList(asked.states)})`;
	// The nearest equal before it is looked for first, and the others only where there is none: CASE does not look at both.
	transaction
		.sql(
			`INSERT INTO temp.met SELECT mine.number, (SELECT count(*) FROM (${equal} AND other.number BETWEEN ?1 AND ?2)) FROM intent AS mine
			WHERE ${mine(asked)} AND CASE
			WHEN (${equal} AND other.number BETWEEN ?1 AND mine.number - 1 ORDER BY other.number DESC LIMIT 1) IS NOT NULL THEN 0
			ELSE EXISTS (SELECT 1 FROM ${twin} AND ${foreign("?3")} AND (${open} OR ${goneOut({ since: { timed: "?4", untimed: "?6" }, begun: "?5", last: "?2" })})) END`,
		)
		.run(asked.first, asked.last, asked.number, since.timed, asked.begun ?? "", since.untimed);
}

/** @param sql about `other`; `senders` stands in its place ?2 */
function named(transaction: WriteTransaction, number: number, sql: string, senders: string): string[] {
	return transaction
		.sql(
			`SELECT DISTINCT other.number AS number FROM temp.met AS met CROSS JOIN intent AS mine ON mine.number = met.number
			CROSS JOIN ${sameFingerprint} WHERE ${foreign("?1")} AND ${sql} ORDER BY other.number LIMIT ${mostNamed}`,
		)
		.all(number, senders)
		.map((row) => String(row.number));
}

/** States are words of ours, never text from outside. */
export function sqlList(states: readonly IntentState[]): string {
	return states.map((state) => `'${state}'`).join(", ");
}
