/**
 * The table of batches: creates a batch, adds rows, completes the loading.
 */
import { advice, purser } from "../../api/advice.js";
import { type Advice, guard, PurserError } from "../../errors.js";
import type { Approval, BatchPlan, PlannedRow } from "../../ports/batch-plan.js";
import type { BatchOverrides, BatchShared, BatchState } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import { numberOf } from "../intents/record.js";
import { cellsOf, partyOf, rowIntent } from "../sqlite/batch-row.js";
import { fingerprintKey } from "../sqlite/tables.js";
import { metaOf, type WriteTransaction } from "../sqlite/transaction.js";

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
export function openBatch(transaction: WriteTransaction, own: string, shared: BatchShared): { batch: string; installation: string } {
	const at = transaction.now.toISOString();
	transaction
		.sql("INSERT INTO batch (state, opened, sender, takes, shared) VALUES ('loading', ?, ?, '[]', ?)")
		.run(at, own, JSON.stringify(shared));
	const batch = String(transaction.sql("SELECT last_insert_rowid() AS number").get()?.number);
	return { batch, installation: metaOf(transaction.storage, "installation") };
}

/** Adds rows with consecutive numbers. One statement for all of them, because a call per row would cost as much as the insert itself. */
export function loadRows(transaction: WriteTransaction, rules: Rules, name: string, rows: readonly PlannedRow[]): void {
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state !== "loading") throw wrongState(batch, "takes no more rows");
	if (rows.length === 0) return;
	const values = rows.map(({ row, transfer }) => {
		const cells = cellsOf(transfer);
		const fingerprint = rules.fingerprint(rowIntent(batch.shared, cells)) as string;
		return [row, fingerprint, fingerprintKey(fingerprint), JSON.stringify(cells), partyOf(transfer)];
	});
	const at = transaction.now.toISOString();
	transaction
		.sql(
			`INSERT INTO intent (effect, state, attempt, begun, begun_service, changed, sandbox, party, fingerprint, alike, content, result, batch, row)
			SELECT 'money', 'planned', 0, ?1, ?1, ?1, ?4, value->>4, value->>1, value->>2, value->>3, '{}', ?2, value->>0 FROM json_each(?3) ORDER BY key`,
		)
		.run(at, batch.number, JSON.stringify(values), batch.shared.sandbox ?? null);
	const last = Number(transaction.sql("SELECT last_insert_rowid() AS number").get()?.number);
	transaction.sql("UPDATE batch SET first = coalesce(first, ?), last = ? WHERE number = ?").run(last - rows.length + 1, last, batch.number);
}

/** Completes the loading of a batch: stores its plan, after which no row is added. @throws RefusedJob, if it is planned already */
export function sealBatch(transaction: WriteTransaction, name: string, plan: BatchPlan): void {
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state !== "loading") throw wrongState(batch, "is planned already");
	transaction
		.sql("UPDATE batch SET state = 'planned', sender = NULL, plan = ?, rows_digest = ? WHERE number = ?")
		.run(JSON.stringify(plan), plan.digest.rows, batch.number);
	transaction.append("planned", undefined, { batch: batch.number, first: batch.first, last: batch.last, plan }, batch.number);
}

/** @throws RefusedJob, if there is no batch of this number */
export function storedBatchNamed(storage: Storage, name: string): StoredBatch {
	const number = numberOf(name);
	const row = number === undefined ? undefined : statement(storage, "SELECT * FROM batch WHERE number = ?").get(number);
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
	const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
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
export function approvalsOf(storage: Storage, { number }: StoredBatch): readonly Approval[] | undefined {
	const row = statement(storage, "SELECT content FROM event WHERE batch = ? AND kind = 'begun-batch' ORDER BY seq LIMIT 1").get(number);
	return row && (JSON.parse(String(row.content)) as { allowed: BatchOverrides }).allowed.approvals;
}

/** The batch in the form that the rules per day need. */
export function approvedOf(storage: Storage, batch: StoredBatch): { batch: string; approved: boolean } {
	return { batch: String(batch.number), approved: (approvalsOf(storage, batch)?.length ?? 0) > 0 };
}

/** The refusal of what a batch does not allow; `what` continues after its number. Its status is what to look at, and then perhaps `then`. */
export function refusedBatch({ number }: StoredBatch, code: string, what: string, then: Advice = ""): RefusedJob {
	const fix = advice`Check its status: ${purser`pay batch status ${number}`}${then}`;
	return new RefusedJob(guard({ code, message: `Batch ${number} ${what}`, fix }));
}

/** The refusal because of its state; `why` continues after its number: `is planned already`. */
export const wrongState = (batch: StoredBatch, why: string): RefusedJob => refusedBatch(batch, "BATCH_STATE", `${why}; nothing was sent`);

/**
 * The batch of that number, planned to its end, that no living process sends.
 * @param nothing what this run has done by then, in words: `nothing was cancelled`
 * @throws RefusedJob otherwise
 */
export function idleBatch(
	storage: Storage,
	lives: (sender: string) => boolean,
	name: string,
	nothing: string,
): StoredBatch & { plan: BatchPlan } {
	const batch = storedBatchNamed(storage, name);
	const { plan } = batch;
	if (batch.state === "loading" || plan === undefined) throw wrongState(batch, "was never planned to the end");
	if (batch.sender === undefined || !lives(batch.sender)) return { ...batch, plan };
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

/** How many rows of a batch are so. @param where SQL */
export function rowsWhere(storage: Storage, { first, last, number }: StoredBatch, where: string): number {
	const sql = `SELECT count(*) AS rows FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND ${where}`;
	return Number(statement(storage, sql).get(first, last, number)?.rows);
}
