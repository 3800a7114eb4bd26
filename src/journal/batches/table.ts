/**
 * The table of batches: creates a batch, adds rows, completes the loading.
 */
import { advice, purser } from "../../api/advice.js";
import { canonicalJson } from "../../api/json.js";
import { type Advice, guard, PurserError } from "../../errors.js";
import type { Approval, BatchPlan, PlannedRow } from "../../ports/batch-plan.js";
import type { BatchShared, BatchState } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { SqlRow } from "../../sqlite/storage.js";
import { numberOf } from "../intents/record.js";
import { cellsOf, partyOf, rowIntent, rowOf, runsOf } from "../tables/batch-row.js";
import type { Senders } from "../tables/connection.js";
import { list, type Reading, type Sql, sql } from "../tables/sql.js";
import { fingerprintKey, text } from "../tables/tables.js";
import { installationOf, type WriteTransaction } from "../tables/transaction.js";

/** A stored batch. */
export interface StoredBatch {
	number: number;
	state: BatchState;
	opened: string;
	begun?: string;
	/** The same by the service's clock, as far as it was known then. */
	begunService?: string;
	/** The UTC day on which its planned rows are counted. */
	day?: string;
	sender?: string;
	/** The first and last numbers of its rows; other intents may lie between them. */
	first: number;
	last: number;
	/** The states whose rows are sent. */
	takes: IntentState[];
	shared: BatchShared;
	plan?: BatchPlan;
}

/** Creates a batch to be loaded by this process. @param own this process's name as a sender; the batch is its own while it lives */
export async function openBatch(
	transaction: WriteTransaction,
	own: string,
	shared: BatchShared,
): Promise<{ batch: string; installation: string }> {
	// A number that has an event stays used; what was never planned to its end gives it back.
	const last = await transaction.get(
		sql`SELECT max(number) AS number FROM (SELECT number FROM batch UNION ALL SELECT max(batch) FROM event) AS used`,
	);
	const number = Number(last?.number ?? 0) + 1;
	await transaction.run(
		sql`INSERT INTO batch (number, state, opened, sender, takes, shared)
		VALUES (${number}, 'loading', ${transaction.now.toISOString()}, ${own}, '[]', ${JSON.stringify(shared)})`,
	);
	return { batch: String(number), installation: await installationOf(transaction) };
}

/** Rows of one statement: a call per row would cost as much as the insert itself, and engines limit the values of a statement. */
const rowsAtOnce = 100;

/** Adds rows with consecutive numbers. */
export async function loadRows(transaction: WriteTransaction, rules: Rules, name: string, rows: readonly PlannedRow[]): Promise<void> {
	const { number, state, shared } = await storedBatchNamed(transaction, name);
	if (state !== "loading") throw wrongState({ number }, "takes no more rows");
	const [at, sandbox] = [transaction.now.toISOString(), shared.sandbox ?? null];
	for (let from = 0; from < rows.length; from += rowsAtOnce) {
		const values = rows.slice(from, from + rowsAtOnce).map(({ row, transfer }) => {
			const cells = cellsOf(transfer);
			const fingerprint = rules.fingerprint(rowIntent(shared, cells)) as string;
			return sql`('money', 'planned', 0, ${at}, ${at}, ${at}, ${sandbox}, ${partyOf(transfer)}, ${fingerprint}, ${fingerprintKey(fingerprint)},
			${JSON.stringify(cells)}, '{}', ${number}, ${row})`;
		});
		const added = await transaction.all(
			sql`INSERT INTO intent (effect, state, attempt, begun, begun_service, changed, sandbox, party, fingerprint, alike, content, result, batch, row)
			VALUES ${list(values)} RETURNING number`,
		);
		const last = Number(added.at(-1)?.number);
		await transaction.run(
			sql`UPDATE batch SET first = coalesce(first, ${last - values.length + 1}), last = ${last} WHERE number = ${number}`,
		);
	}
}

/** Completes the loading of a batch: stores its plan, after which no row is added. @throws RefusedJob, if it is planned already */
export async function sealBatch(transaction: WriteTransaction, name: string, plan: BatchPlan): Promise<void> {
	const { number, first, last, ...batch } = await storedBatchNamed(transaction, name);
	if (batch.state !== "loading") throw wrongState({ number }, "is planned already");
	// The text that is signed, whose digest a team's approvals name.
	const kept = canonicalJson(plan);
	await transaction.run(
		sql`UPDATE batch SET state = 'planned', sender = NULL, plan = ${kept}, rows_digest = ${plan.digest.rows} WHERE number = ${number}`,
	);
	await transaction.append("planned", undefined, { batch: number, first, last, plan: JSON.parse(kept) }, number);
}

/** @throws RefusedJob, if there is no batch of this number */
export async function storedBatchNamed(reading: Reading, name: string): Promise<StoredBatch> {
	const row = await reading.get(sql`SELECT * FROM batch WHERE number = ${numberOf(name) ?? -1}`);
	if (row) return storedBatch(row);
	throw new RefusedJob(
		new PurserError("usage", {
			code: "BATCH_UNKNOWN",
			message: `There is no batch ${JSON.stringify(name)} in this profile's journal`,
			fix: advice`List them: ${purser`pay batch list`}`,
		}),
	);
}

/** A batch from its row. */
export function storedBatch(row: SqlRow): StoredBatch {
	const plan = text(row.plan);
	return {
		number: Number(row.number),
		state: row.state as BatchState,
		opened: String(row.opened),
		begun: text(row.begun),
		begunService: text(row.begun_service),
		day: text(row.day),
		sender: text(row.sender),
		first: Number(row.first ?? 1),
		last: Number(row.last ?? 0),
		takes: JSON.parse(String(row.takes)) as IntentState[],
		shared: JSON.parse(String(row.shared)) as BatchShared,
		plan: plan === undefined ? undefined : (JSON.parse(plan) as BatchPlan),
	};
}

/** The valid approvals, from the event with which the batch was first begun. */
export async function approvalsOf(reading: Reading, { number }: Pick<StoredBatch, "number">): Promise<readonly Approval[] | undefined> {
	return (await runsOf(reading, number)).at(-1)?.allowed.approvals;
}

/** The batch in the form that the rules per day need. */
export async function approvedOf(reading: Reading, batch: StoredBatch): Promise<{ batch: string; approved: boolean }> {
	return { batch: String(batch.number), approved: ((await approvalsOf(reading, batch))?.length ?? 0) > 0 };
}

/** The refusal of what a batch does not allow; `what` continues after its number. Its status is what to look at, and then perhaps `then`. */
export function refusedBatch({ number }: Pick<StoredBatch, "number">, code: string, what: string, then: Advice = ""): RefusedJob {
	const fix = advice`Check its status: ${purser`pay batch status ${number}`}${then}`;
	return new RefusedJob(guard({ code, message: `Batch ${number} ${what}`, fix }));
}

/** The refusal because of its state; `why` continues after its number: `is planned already`. */
export const wrongState = (batch: Pick<StoredBatch, "number">, why: string): RefusedJob =>
	refusedBatch(batch, "BATCH_STATE", `${why}; nothing was sent`);

/**
 * The batch of that number, planned to its end, that no living process sends.
 * @param nothing what this run has done by then, in words: `nothing was cancelled`
 * @throws RefusedJob otherwise
 */
export async function idleBatch(
	reading: Reading,
	senders: Pick<Senders, "living">,
	name: string,
	nothing: string,
): Promise<StoredBatch & { plan: BatchPlan }> {
	const batch = await storedBatchNamed(reading, name);
	const { plan } = batch;
	if (batch.state === "loading" || plan === undefined) throw wrongState(batch, "was never planned to the end");
	if (batch.sender === undefined || !(await senders.living([batch.sender])).has(batch.sender)) return { ...batch, plan };
	const then = advice`\nStop it with Ctrl-C where it runs, or wait until it has ended: what it has marked may be on its way already`;
	throw refusedBatch(batch, "BATCH_BUSY", `is being sent right now by another purser; ${nothing}`, then);
}

/** Sums by currency (`""`: not known), added to those of `before`. */
export function sumsOf(
	add: Rules["add"],
	amounts: Iterable<{ amount: string; currency?: string }>,
	before: Readonly<Record<string, string>> = {},
): Record<string, string> {
	const sums = { ...before };
	for (const { amount, currency = "" } of amounts) sums[currency] = add(sums[currency] ?? "0", amount, 1);
	return sums;
}

/** How many rows of a batch meet a condition. */
export async function rowsWhere(reading: Reading, batch: StoredBatch, where: Sql): Promise<number> {
	return Number((await reading.get(sql`SELECT count(*) AS rows FROM intent WHERE ${rowOf(batch)} AND ${where}`))?.rows);
}
