/**
 * Which rows of a batch are like others: among themselves, in doubt, paid lately, planned by a batch that is under way.
 * One walk over the rows, each a look into the index of short keys; what a key finds is compared in full.
 */
import type { Alikeness, BatchDigest } from "../batches.js";
import type { IntentState } from "../context.js";
import type { Transaction } from "./transaction.js";

/** Doubts that are named. */
const mostNamed = 20;

/** The batch's extent, and which of its rows are asked about. */
export interface Asked {
	number: number;
	first: number;
	last: number;
	states: readonly IntentState[];
}

/** @param since what went out before then is no repetition (RFC 3339 UTC) */
export function alikeness(transaction: Transaction, asked: Asked, digest: BatchDigest, since: string): Alikeness {
	const { number, first, last } = asked;
	const mine = `mine.number BETWEEN ? AND ? AND mine.batch = ? AND mine.state IN (${listed(asked.states)})`;
	const twin = "other.alike = mine.alike AND other.fingerprint = mine.fingerprint";
	const foreign = "(other.batch IS NULL OR other.batch <> mine.batch)";
	const out = `(other.state IN ('accepted', 'waiting') AND other.begun >= ?) OR (other.state = 'planned' AND other.batch IN (SELECT number FROM batch WHERE state = 'begun'))`;
	const count = (sql: string, ...more: string[]): number =>
		Number(transaction.sql(`SELECT count(*) AS rows FROM intent AS mine WHERE ${mine} AND ${sql}`).get(first, last, number, ...more)?.rows);
	const doubtful = `EXISTS (SELECT 1 FROM intent AS other WHERE ${twin} AND ${foreign} AND other.state IN ('sending', 'in-doubt'))`;
	const doubts = count(doubtful);
	return {
		inside: count(`EXISTS (SELECT 1 FROM intent AS other WHERE ${twin} AND other.batch = mine.batch AND other.number < mine.number)`),
		earlier: count(`EXISTS (SELECT 1 FROM intent AS other WHERE ${twin} AND ${foreign} AND (${out}))`, since),
		doubts: { rows: doubts, intents: doubts === 0 ? [] : namedDoubts(transaction, asked, mine, `${twin} AND ${foreign}`) },
		batches: transaction
			.sql(
				`SELECT other.batch AS batch, count(DISTINCT mine.number) AS rows, (SELECT rows_digest FROM batch WHERE number = other.batch) AS digest
				FROM intent AS mine JOIN intent AS other ON ${twin} WHERE ${mine} AND other.batch <> mine.batch
				AND ((${out}) OR other.state IN ('sending', 'in-doubt')) GROUP BY other.batch ORDER BY other.batch`,
			)
			.all(first, last, number, since)
			.map((row) => ({ batch: String(row.batch), rows: Number(row.rows), same: row.digest === digest.rows })),
	};
}

function namedDoubts(transaction: Transaction, { number, first, last }: Asked, mine: string, twin: string): string[] {
	return transaction
		.sql(
			`SELECT DISTINCT other.number AS number FROM intent AS mine JOIN intent AS other ON ${twin}
			WHERE ${mine} AND other.state IN ('sending', 'in-doubt') ORDER BY other.number LIMIT ${mostNamed}`,
		)
		.all(first, last, number)
		.map((row) => String(row.number));
}

/** States are words of ours, never text from outside. */
export function listed(states: readonly IntentState[]): string {
	return states.map((state) => `'${state}'`).join(", ");
}
