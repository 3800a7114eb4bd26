/**
 * The table of batches: creates a batch, adds rows, completes the loading.
 */
import { advice, purser } from "../../api/advice.js";
import { canonicalJson } from "../../api/json.js";
import { type Advice, guard, PurserError } from "../../errors.js";
import type { Approval, BatchPlan, PlannedRow } from "../../ports/batch-plan.js";
import type { BatchOverrides, BatchShared, BatchState } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { SqlRow, SqlValue } from "../../sqlite/storage.js";
import type { Abandonment, Range } from "../intents/batch-events.js";
import { numberOf } from "../intents/record.js";
import { cellsOf, rowIntent, rowOf, runsOf } from "../tables/batch-row.js";
import type { Senders } from "../tables/connection.js";
import { atService, dayOf } from "../tables/service-time.js";
import { list, type Reading, raw, type Sql, sql } from "../tables/sql.js";
import { columnsOf, type StoredIntent, text } from "../tables/tables.js";
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
	/** Who began to send it and has not ended; one that died is among them until somebody else begins. */
	senders: readonly string[];
	/** The first and last numbers of its rows; other intents may lie between them. */
	first: number;
	last: number;
	/** The states whose rows are sent. */
	takes: readonly IntentState[];
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
		sql`INSERT INTO batch (number, state, opened, senders, takes, shared)
		VALUES (${number}, 'loading', ${transaction.now.toISOString()}, ${JSON.stringify([own])}, '[]', ${JSON.stringify(shared)})`,
	);
	return { batch: String(number), installation: await installationOf(transaction) };
}

/** Rows of one statement: a call per row would cost as much as the insert itself, and engines limit the values of a statement. */
const rowsAtOnce = 500;

/** The columns in which new rows of a batch differ. */
const ownOfRow: readonly string[] = ["row", "party", "fingerprint", "alike", "content"];

/** Adds rows, in the order of the file, with consecutive numbers. */
export async function loadRows(transaction: WriteTransaction, rules: Rules, name: string, rows: readonly PlannedRow[]): Promise<void> {
	const stored = await storedBatchNamed(transaction, name);
	if (stored.state !== "loading") throw wrongState(stored, "takes no more rows");
	for (let from = 0; from < rows.length; from += rowsAtOnce) {
		const all = rows.slice(from, from + rowsAtOnce).map((row) => columnsOf(newRow(rules, stored, row)));
		// What is the same in all rows is passed once, and what is empty not at all: each value costs time.
		const same = Object.entries(all[0] ?? {}).filter(([name, value]) => value !== null && !ownOfRow.includes(name));
		const each = all.map(({ row, party, fingerprint, alike, content }) => sql`(${row}, ${party}, ${fingerprint}, ${alike}, ${content})`);
		await transaction.run(
			sql`INSERT INTO intent (${list(ownOfRow.map(raw))}, ${list(same.map(([name]) => raw(name)))})
			SELECT CAST(column1 AS BIGINT), column2, column3, CAST(column4 AS BIGINT), column5, ${list(same.map(([, value]) => value))}
			FROM (VALUES ${list(each)}) AS added ORDER BY CAST(column1 AS BIGINT)`,
		);
		// Nobody else adds one meanwhile.
		const last = sql`(SELECT max(number) FROM intent)`;
		await transaction.run(
			sql`UPDATE batch SET first = coalesce(first, ${last} - ${all.length - 1}), last = ${last} WHERE number = ${stored.number}`,
		);
	}
}

/** A row as it is added: its times are those of its batch. */
export function newRow(
	rules: Pick<Rules, "fingerprint">,
	{ number, opened, shared }: Pick<StoredBatch, "number" | "opened" | "shared">,
	{ row, transfer }: PlannedRow,
): Omit<StoredIntent, "number"> {
	const intent = rowIntent(shared, cellsOf(transfer));
	const fingerprint = rules.fingerprint(intent);
	return { state: "planned", attempt: 0, begun: opened, changed: opened, fingerprint, intent, result: {}, batch: number, row };
}

/**
 * Completes the loading of a batch: stores its plan, after which no row is added.
 * @param rows the numbers of its rows in the file
 * @throws RefusedJob, if it is planned already
 */
export async function sealBatch(transaction: WriteTransaction, name: string, plan: BatchPlan, rows: readonly Range[]): Promise<void> {
	const batch = await storedBatchNamed(transaction, name);
	if (batch.state !== "loading") throw wrongState(batch, "is planned already");
	const { opened, first, last, shared } = batch;
	// In the order of the text that is signed, whose digest a team's approvals name.
	const signed = JSON.parse(canonicalJson(plan)) as BatchPlan;
	await recordBatch(transaction, batch, "planned", { opened, first, last, rows, shared, plan: signed });
}

/** What the events of a batch itself hold. */
export interface BatchEvents {
	planned: Pick<StoredBatch, "opened" | "first" | "last" | "shared"> & { plan: BatchPlan; rows: readonly Range[] };
	"begun-batch": {
		sender: string;
		/** Other senders that were at work. */
		beside: readonly string[];
		takes: readonly IntentState[];
		allowed: BatchOverrides;
		skew?: number;
	};
	released: { sender: string };
	abandoned: Abandonment;
	discarded: object;
}

/** A batch after one of its events: what is stored of it, and what verification replays. @param at when, RFC 3339 UTC */
export function batchAfter<Kind extends keyof BatchEvents>(
	batch: Pick<StoredBatch, "number"> & Partial<StoredBatch>,
	kind: Kind,
	content: BatchEvents[Kind],
	at: string,
): StoredBatch {
	const known = batch as StoredBatch;
	switch (kind) {
		case "planned": {
			const { opened, first, last, shared, plan } = content as BatchEvents["planned"];
			return { number: batch.number, state: "planned", opened, senders: [], first, last, takes: [], shared, plan };
		}
		case "begun-batch": {
			const { sender, beside, takes, skew } = content as BatchEvents["begun-batch"];
			const { begun = at, begunService = atService(at, skew) } = known;
			// What a run may mark: rows in the states that it sends, and those that it gave back before they left.
			const markable = new Set<IntentState>([...(beside.length > 0 ? known.takes : []), ...takes, "not-sent"]);
			return { ...known, state: "begun", begun, begunService, day: dayOf(at, skew), senders: [...beside, sender], takes: [...markable] };
		}
		case "released":
			return { ...known, senders: known.senders.filter((one) => one !== (content as BatchEvents["released"]).sender) };
		default:
			return { ...known, state: kind === "abandoned" ? "abandoned" : "loading", senders: [] };
	}
}

/** Appends an event of a batch, and stores what the batch is after it. */
export async function recordBatch<Kind extends keyof BatchEvents>(
	transaction: WriteTransaction,
	batch: StoredBatch,
	kind: Kind,
	content: BatchEvents[Kind],
): Promise<void> {
	const { number } = batch;
	// Until it is planned, a batch without rows has no first one.
	const before: Readonly<Record<string, SqlValue>> = {
		...batchColumns(batch),
		...(batch.state === "loading" && { first: null, last: null }),
	};
	const after = Object.entries(batchColumns(batchAfter(batch, kind, content, transaction.now.toISOString())));
	// Who sends may not write what was planned, not even as it is.
	const set = after.filter(([name, value]) => before[name] !== value).map(([name, value]) => sql`${raw(name)} = ${value}`);
	if (set.length > 0) await transaction.run(sql`UPDATE batch SET ${list(set)} WHERE number = ${number}`);
	await transaction.append(kind, undefined, { batch: number, ...content }, number);
}

/** What is stored of a batch, by column. */
export function batchColumns({ number, state, opened, begun, begunService, day, senders, first, last, takes, shared, plan }: StoredBatch) {
	return {
		number,
		state,
		opened,
		begun: begun ?? null,
		begun_service: begunService ?? null,
		day: day ?? null,
		senders: JSON.stringify(senders),
		first,
		last,
		takes: JSON.stringify(takes),
		rows_digest: plan?.digest.rows ?? null,
		shared: JSON.stringify(shared),
		plan: plan === undefined ? null : JSON.stringify(plan),
	};
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
		senders: JSON.parse(String(row.senders)) as string[],
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

/** The batch of that number. @throws RefusedJob, if it was not planned to its end */
export async function plannedBatch(reading: Reading, name: string): Promise<StoredBatch & { plan: BatchPlan }> {
	const batch = await storedBatchNamed(reading, name);
	const { plan } = batch;
	if (batch.state === "loading" || plan === undefined) throw wrongState(batch, "was never planned to the end");
	return { ...batch, plan };
}

/** Its senders that live. */
export async function sendersAtWork(batch: StoredBatch, senders: Pick<Senders, "living">): Promise<readonly string[]> {
	const alive = batch.senders.length === 0 ? new Set() : await senders.living(batch.senders);
	return batch.senders.filter((one) => alive.has(one));
}

/** The refusal because another process sends it. @param nothing what this run has done by then, in words: `nothing was cancelled` */
export function busyBatch(batch: StoredBatch, nothing: string): RefusedJob {
	const then = advice`\nStop it with Ctrl-C where it runs, or wait until it has ended: what it has marked may be on its way already`;
	return refusedBatch(batch, "BATCH_BUSY", `is being sent right now by another purser; ${nothing}`, then);
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
