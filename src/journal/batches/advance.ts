/**
 * One step of sending a batch: a single durable commit that records the outcomes of rows and marks the next rows as being sent.
 * No row is sent without being marked here, and none is marked again unless its end proves that it was not created.
 */
import type { BatchState, MarkedRow, RowOutcome } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { SqlRow } from "../../sqlite/storage.js";
import { type RowsMoved, rangesOf } from "../intents/batch-events.js";
import { idIn, resultOf, unlessIdIsHeld } from "../intents/record.js";
import { addSpent, type Dependencies, refusing } from "../intents/write.js";
import { transferIn } from "../tables/batch-row.js";
import { Contradiction } from "../tables/connection.js";
import { atService, clocksOf, dayOf, recordServiceTime } from "../tables/service-time.js";
import { among, list, sql } from "../tables/sql.js";
import { idKey, rowResult, type Tables, tablesIn } from "../tables/tables.js";
import type { WriteTransaction } from "../tables/transaction.js";
import type { BatchDependencies } from "./begin.js";
import { approvedOf, type StoredBatch, sumsOf } from "./table.js";

/** How far a run over a batch is. */
export interface Place {
	/** The states whose rows are marked. */
	takes: readonly IntentState[];
	/** The last number marked. */
	after: number;
	/** Rows to be marked before others, in ascending order. */
	again: readonly number[];
	/** The newest event when the run began. */
	since: number;
}

/** The place after a step. */
export function placeAfter(place: Place, begun: readonly MarkedRow[], ended: readonly RowOutcome[]): Place {
	const marked = new Set(begun.map(({ number }) => number));
	const again = [...place.again.filter((number) => !marked.has(number)), ...ended.flatMap((one) => (one.again ? [one.number] : []))];
	return {
		...place,
		after: begun.reduce((last, { number }) => Math.max(last, number), place.after),
		again: again.sort((one, other) => one - other),
	};
}

/** See `Batches.advance`. @param taken the batch as of the beginning of this run */
export async function advance(
	transaction: WriteTransaction,
	dependencies: BatchDependencies,
	taken: StoredBatch,
	{ ended, want, skew, ...place }: { ended: readonly RowOutcome[]; want: number; skew?: number } & Place,
): Promise<MarkedRow[]> {
	const batch = await withCurrentState(transaction, taken);
	const sender = await dependencies.senders.own();
	const tables = tablesIn(transaction);
	const today = dayOf(tables.now.toISOString(), skew);
	const next = want === 0 || batch.state !== "begun" ? [] : await nextRows(transaction, batch, want, place);
	// A row counts on the day on which it is sent; planned rows were counted on the batch's day. The others must fit into today's cap, because
	// other payments may have been made since the batch began, or midnight may have passed.
	const planned = next.filter(({ state }) => state === "planned");
	const isLater = batch.day !== undefined && batch.day !== today;
	const uncounted = isLater ? next : next.filter(({ state }) => state !== "planned");
	const sums = sumsOf(dependencies.rules.add, uncounted.map(transferIn));
	// Refuse before the first write; a refusal after it would leave a partial change.
	if (next.length > 0) refusing(() => dependencies.rules.checkClocks(clocksOf(tables.now, skew), batch.shared.sandbox));
	if (uncounted.length > 0) {
		const [spent, approved] = [await tables.spent(today), await approvedOf(transaction, batch)];
		refusing(() => dependencies.rules.checkDay(sums, spent, approved));
	}
	const recorded = await endRows(transaction, dependencies, tables, batch, { sender, ended });
	const begun = await markSending(transaction, dependencies, batch, { sender, skew }, next);
	if (uncounted.length > 0) {
		await addSpent(tables, dependencies.rules, today, sums, 1);
		if (isLater)
			await addSpent(tables, dependencies.rules, batch.day as string, sumsOf(dependencies.rules.add, planned.map(transferIn)), -1);
	}
	if (recorded.length + begun.length === 0) return [];
	const moved: RowsMoved = {
		batch: batch.number,
		sender,
		begun: rangesOf(begun.map(({ number }) => number)),
		ended: recorded,
		died: [],
		skew,
	};
	await recordServiceTime(tables, skew);
	await transaction.append("moved", undefined, moved, batch.number);
	return begun;
}

/**
 * The batch with what may have changed since this run began: a process that mistook this one for dead may have cancelled the batch, or
 * resumed it on another day.
 */
async function withCurrentState(transaction: WriteTransaction, taken: StoredBatch): Promise<StoredBatch> {
	const row = await transaction.get(sql`SELECT state, day FROM batch WHERE number = ${taken.number}`);
	return { ...taken, state: (row?.state ?? "abandoned") as BatchState, day: typeof row?.day === "string" ? row.day : taken.day };
}

type RecordedEnd = RowsMoved["ended"][number];

/** Uses one statement to look for ids that others hold and one to write all that ended alike: a statement per row would cost more than the commit. */
export async function endRows(
	transaction: WriteTransaction,
	{ rules }: Pick<Dependencies, "rules">,
	tables: Tables,
	batch: Pick<StoredBatch, "number">,
	{ sender, ended }: { sender: string; ended: readonly RowOutcome[] },
): Promise<RecordedEnd[]> {
	if (ended.length === 0) return [];
	const holders = await holdersOf(transaction, ended);
	const recorded: RecordedEnd[] = [];
	// Most rows of a step end alike. What they have in common is passed once, because each value costs time.
	const alike = new Map<string, { state: IntentState; result: string; rows: { number: number; id?: string }[] }>();
	for (const { number, outcome: given } of ended) {
		const outcome = unlessIdIsHeld(given, holders.get(number));
		recorded.push([number, outcome]);
		const state = rules.next("sending", { kind: "ended", outcome });
		const result = rowResult(resultOf(outcome));
		const group = alike.get(state + result) ?? { state, result, rows: [] };
		alike.set(state + result, group);
		group.rows.push({ number, id: idIn(outcome) });
	}
	const groups = [...alike.values()];
	const at = transaction.now.toISOString();
	let changed = 0;
	for (const { state, result, rows } of groups) {
		const each = filled(rows).map(({ number, id }) => sql`(${number}, ${id ?? null}, ${id === undefined ? null : idKey(id)})`);
		changed += await transaction.run(
			sql`UPDATE intent SET state = ${state}, changed = ${at}, created_id = coalesce(ended.column2, created_id),
			created = coalesce(CAST(ended.column3 AS BIGINT), created), result = ${result} FROM (VALUES ${list(each)}) AS ended
			WHERE intent.number = CAST(ended.column1 AS BIGINT) AND intent.batch = ${batch.number} AND intent.state = 'sending'
			AND intent.sender = ${sender}`,
		);
	}
	if (changed === ended.length) {
		for (const { state, rows } of groups) if (!rules.counts(state)) await uncount(transaction, tables, rules, rows);
		return recorded;
	}
	// Idempotent: after a commit that was reported as failed but succeeded, the same outcomes come again and are all recorded already.
	if (changed > 0)
		throw new Contradiction(`${ended.length - changed} rows of batch ${batch.number} ended, but this process was not sending them`);
	for (const { state, rows } of groups)
		for (const { number } of rows)
			if ((await tables.find(number))?.state !== state)
				throw new Contradiction(`intent ${number} of batch ${batch.number} ended, but this process was not sending it`);
	return [];
}

/** With the last one again up to a multiple of eight: each length is a statement of its own, which stays prepared with all that it holds. */
function filled<T>(values: readonly T[]): readonly T[] {
	const all = [...values];
	while (all.length % 8 > 0) all.push(values.at(-1) as T);
	return all;
}

/** By row, the other transfer that holds its id, recorded before or in the same step. */
async function holdersOf(transaction: WriteTransaction, ended: readonly RowOutcome[]): Promise<Map<number, number>> {
	const given: { number: number; id: string }[] = [];
	const keys: number[] = [];
	for (const { number, outcome } of ended) {
		const id = idIn(outcome);
		if (id === undefined) continue;
		given.push({ number, id });
		keys.push(idKey(id));
	}
	if (given.length === 0) return new Map();
	const found = await transaction.all(sql`SELECT number, created_id AS id FROM intent WHERE ${among(sql`created`, filled(keys))}`);
	const holders = new Map<number, number>();
	const first = new Map<string, number>();
	for (const { number, id } of given) {
		const holder = found.find((one) => one.id === id && Number(one.number) !== number)?.number ?? first.get(id);
		if (holder !== undefined) holders.set(number, Number(holder));
		if (!first.has(id)) first.set(id, number);
	}
	return holders;
}

/** Subtracts rows that were provably not made from the sum of the day on which they began. */
async function uncount(
	transaction: WriteTransaction,
	tables: Tables,
	rules: Dependencies["rules"],
	rows: readonly { number: number }[],
): Promise<void> {
	for (const { number } of rows) {
		const row = (await transaction.get(sql`SELECT begun, content, skew FROM intent WHERE number = ${number}`)) as SqlRow;
		const skew = typeof row.skew === "number" ? row.skew : undefined;
		await addSpent(tables, rules, dayOf(String(row.begun), skew), sumsOf(rules.add, [transferIn(row)]), -1);
	}
}

/**
 * Leaves out rows settled as not created during this run, because the list has not been checked for them again, and those of an approved
 * batch that a person had opened again: what was approved was one payment of them, so another one needs an approval of its own.
 */
async function nextRows(
	transaction: WriteTransaction,
	batch: StoredBatch,
	want: number,
	{ takes, after, again, since }: Place,
): Promise<SqlRow[]> {
	const columns = sql`number, row, attempt, state, content`;
	const first =
		again.length === 0
			? []
			: await transaction.all(
					sql`SELECT ${columns} FROM intent WHERE ${among(sql`number`, again.slice(0, want))} AND batch = ${batch.number}
					AND ${among(sql`state`, batch.takes)} ORDER BY number`,
				);
	if (first.length === want) return first;
	const approved = takes.includes("not-created") && (await approvedOf(transaction, batch)).approved;
	const next = await transaction.all(
		sql`SELECT ${columns} FROM intent WHERE number > ${after} AND number <= ${batch.last} AND batch = ${batch.number} AND ${among(sql`state`, takes)}
		AND (state <> 'not-created' OR (NOT EXISTS (SELECT 1 FROM event WHERE event.intent = intent.number AND event.seq > ${since})
		AND reopened <= ${approved ? 0 : 1})) ORDER BY number LIMIT ${want - first.length}`,
	);
	return [...first, ...next];
}

async function markSending(
	transaction: WriteTransaction,
	{ rules }: Dependencies,
	batch: StoredBatch,
	{ sender, skew }: { sender: string; skew: number | undefined },
	rows: readonly SqlRow[],
): Promise<MarkedRow[]> {
	if (rows.length === 0) return [];
	for (const row of rows) rules.next(row.state as IntentState, { kind: "begun" });
	const at = transaction.now.toISOString();
	for (const [from, to] of rangesOf(rows.map((row) => Number(row.number))))
		await transaction.run(
			sql`UPDATE intent SET state = 'sending', attempt = attempt + 1, begun = ${at}, skew = ${skew ?? null}, begun_service = ${atService(at, skew)},
			changed = ${at}, sender = ${sender}, result = '{}', reopened = 0
			WHERE number BETWEEN ${from} AND ${to} AND batch = ${batch.number} AND ${among(sql`state`, batch.takes)}`,
		);
	return rows.map((row) => ({
		number: Number(row.number),
		row: Number(row.row),
		attempt: Number(row.attempt) + 1,
		transfer: transferIn(row),
	}));
}
