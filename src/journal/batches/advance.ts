/**
 * One step of sending a batch: a single durable commit that records the outcomes of rows and marks the next rows as being sent.
 * No row is sent without being marked here, and none is marked again unless its end proves that it was not created.
 */
import { plainId } from "../../api/text/ids.js";
import type { BatchState, MarkedRow, RowOutcome } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { SqlRow } from "../../sqlite/storage.js";
import { type RowsMoved, rangesOf } from "../intents/batch-events.js";
import { resultOf, unlessIdIsHeld } from "../intents/record.js";
import { addSpent, type Dependencies, refusing } from "../intents/write.js";
import { transferIn } from "../sqlite/batch-row.js";
import { atService, dayOf, recordServiceTime } from "../sqlite/service-time.js";
import { idKey, type Tables, tablesIn } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import { Contradiction } from "../sqlite/trouble.js";
import type { BatchDependencies } from "./begin.js";
import { sqlList } from "./duplicates.js";
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

/**
 * @param taken the batch as of the beginning of this run
 */
export function advance(
	transaction: WriteTransaction,
	dependencies: BatchDependencies,
	taken: StoredBatch,
	{ ended, want, skew, ...place }: { ended: readonly RowOutcome[]; want: number; skew?: number } & Place,
): MarkedRow[] {
	const batch = withCurrentState(transaction, taken);
	const sender = dependencies.own();
	const tables = tablesIn(transaction);
	recordServiceTime(tables, skew);
	const today = dayOf(tables.now.toISOString(), skew);
	const next = want === 0 || batch.state !== "begun" ? [] : nextRows(transaction, batch, want, place);
	const uncounted = uncountedOf(batch, today, next);
	const sums = sumsOf(dependencies.rules.add, uncounted.map(transferIn));
	// Refuse before the first write; a refusal after it would leave a partial change.
	if (uncounted.length > 0) {
		const approved = approvedOf(transaction.storage, batch);
		refusing(() => dependencies.rules.checkDay(sums, tables.spent(today), approved));
	}
	const recorded = endRows(transaction, dependencies, tables, batch, { sender, ended });
	const begun = markSending(transaction, dependencies, batch, { sender, skew }, next);
	if (uncounted.length > 0) {
		addSpent(tables, dependencies.rules, today, sums, 1);
		uncountPlanned(tables, dependencies.rules, batch, today, next);
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
	transaction.append("moved", undefined, moved, batch.number);
	return begun;
}

/**
 * The batch with what may have changed since this run began: a process that mistook this one for dead may have cancelled the batch, or
 * resumed it on another day.
 */
function withCurrentState(transaction: WriteTransaction, taken: StoredBatch): StoredBatch {
	const row = transaction.sql("SELECT state, day FROM batch WHERE number = ?").get(taken.number);
	return { ...taken, state: (row?.state ?? "abandoned") as BatchState, day: typeof row?.day === "string" ? row.day : taken.day };
}

type RecordedEnd = RowsMoved["ended"][number];

/** Uses one statement to look for ids that others hold and one to write all ends: a statement per row would cost more than the commit. */
function endRows(
	transaction: WriteTransaction,
	{ rules }: Dependencies,
	tables: Tables,
	batch: StoredBatch,
	{ sender, ended }: { sender: string; ended: readonly RowOutcome[] },
): RecordedEnd[] {
	if (ended.length === 0) return [];
	const holders = holdersOf(transaction, ended);
	const recorded = ended.map(({ number, outcome }): RecordedEnd => [number, unlessIdIsHeld(outcome, holders.get(number))]);
	const ends = recorded.map(([number, outcome]) => {
		const state = rules.next("sending", { kind: "ended", outcome });
		const id = outcome.state === "accepted" && outcome.id !== undefined ? plainId(outcome.id) : undefined;
		return [number, state, id ?? null, id === undefined ? null : idKey(id), JSON.stringify(resultOf(outcome))] as const;
	});
	const at = transaction.now.toISOString();
	transaction
		.sql(
			`UPDATE intent SET state = ended.value->>1, changed = ?1, created_id = coalesce(ended.value->>2, created_id),
			created = coalesce(ended.value->>3, created), result = ended.value->>4 FROM json_each(?2) AS ended
			WHERE intent.number = ended.value->>0 AND intent.batch = ?3 AND intent.state = 'sending' AND intent.sender = ?4`,
		)
		.run(at, JSON.stringify(ends), batch.number, sender);
	const changed = Number(transaction.sql("SELECT changes() AS rows").get()?.rows);
	const uncounted = ends.filter(([, state]) => !rules.counts(state)).map(([number]) => number);
	if (changed === ended.length) {
		uncount(transaction, tables, rules, uncounted);
		return recorded;
	}
	// Idempotent: after a commit that was reported as failed but succeeded, the same outcomes come again and are all recorded already.
	if (changed > 0)
		throw new Contradiction(`${ended.length - changed} rows of batch ${batch.number} ended, but this process was not sending them`);
	for (const [number, state] of ends)
		if (tables.find(number)?.state !== state)
			throw new Contradiction(`intent ${number} of batch ${batch.number} ended, but this process was not sending it`);
	return [];
}

/** By row, the other transfer that holds its id, recorded before or in the same step. */
function holdersOf(transaction: WriteTransaction, ended: readonly RowOutcome[]): Map<number, number> {
	const given = ended.flatMap(({ number, outcome }) =>
		outcome.state === "accepted" && outcome.id !== undefined ? [{ number, id: plainId(outcome.id) }] : [],
	);
	const rows = transaction
		.sql(
			`SELECT given.value->>0 AS number, intent.number AS holder FROM json_each(?) AS given
			JOIN intent ON intent.created = given.value->>1 AND intent.created_id = given.value->>2 AND intent.number <> given.value->>0`,
		)
		.all(JSON.stringify(given.map(({ number, id }) => [number, idKey(id), id])));
	const holders = new Map(rows.map(({ number, holder }) => [Number(number), Number(holder)]));
	const first = new Map<string, number>();
	for (const { number, id } of given) {
		const earlier = first.get(id);
		if (earlier === undefined) first.set(id, number);
		else if (!holders.has(number)) holders.set(number, earlier);
	}
	return holders;
}

/** Subtracts rows that were provably not made from the sum of the day on which they began. */
function uncount(transaction: WriteTransaction, tables: Tables, rules: Dependencies["rules"], numbers: readonly number[]): void {
	for (const number of numbers) {
		const row = transaction.sql("SELECT begun, content, skew FROM intent WHERE number = ?").get(number) as SqlRow;
		const skew = typeof row.skew === "number" ? row.skew : undefined;
		addSpent(tables, rules, dayOf(String(row.begun), skew), sumsOf(rules.add, [transferIn(row)]), -1);
	}
}

/**
 * Leaves out rows settled as not created during this run, because the list has not been checked for them again, and those of an approved
 * batch that a person had opened again: what was approved was one payment of them, so another one needs an approval of its own.
 */
function nextRows(transaction: WriteTransaction, batch: StoredBatch, want: number, { takes, after, again, since }: Place): SqlRow[] {
	const columns = "number, row, attempt, state, content";
	const first =
		again.length === 0
			? []
			: transaction
					.sql(
						`SELECT ${columns} FROM intent WHERE number IN (SELECT value FROM json_each(?)) AND batch = ? AND state IN (${sqlList(batch.takes)}) ORDER BY number`,
					)
					.all(JSON.stringify(again.slice(0, want)), batch.number);
	if (first.length === want) return first;
	const approved = takes.includes("not-created") && approvedOf(transaction.storage, batch).approved ? 1 : 0;
	const next = transaction
		.sql(
			`SELECT ${columns} FROM intent WHERE number > ? AND number <= ? AND batch = ? AND state IN (${sqlList(takes)})
			AND (state <> 'not-created' OR (NOT EXISTS (SELECT 1 FROM event WHERE event.intent = intent.number AND event.seq > ?)
			AND NOT (? AND result->>'$.formerIds' IS NOT NULL))) ORDER BY number LIMIT ?`,
		)
		.all(after, batch.last, batch.number, since, approved, want - first.length);
	return [...first, ...next];
}

/**
 * The rows not yet counted today. A row counts on the day on which it is sent; planned rows were counted on the batch's day. The others
 * must fit into today's cap, because other payments may have been made since the batch began, or midnight may have passed.
 */
function uncountedOf({ day }: StoredBatch, today: string, rows: readonly SqlRow[]): readonly SqlRow[] {
	return day !== undefined && day !== today ? rows : rows.filter(({ state }) => state !== "planned");
}

/** Subtracts planned rows that are sent today from the sum of the day on which the batch began. */
function uncountPlanned(tables: Tables, rules: Dependencies["rules"], { day }: StoredBatch, today: string, rows: readonly SqlRow[]): void {
	if (day === undefined || day === today) return;
	const planned = rows.filter(({ state }) => state === "planned");
	addSpent(tables, rules, day, sumsOf(rules.add, planned.map(transferIn)), -1);
}

function markSending(
	transaction: WriteTransaction,
	{ rules }: Dependencies,
	batch: StoredBatch,
	{ sender, skew }: { sender: string; skew: number | undefined },
	rows: readonly SqlRow[],
): MarkedRow[] {
	if (rows.length === 0) return [];
	for (const row of rows) rules.next(row.state as IntentState, { kind: "begun" });
	const at = transaction.now.toISOString();
	const mark = transaction.sql(
		`UPDATE intent SET state = 'sending', attempt = attempt + 1, begun = ?, skew = ?, begun_service = ?, changed = ?, sender = ?, result = '{}'
		WHERE number BETWEEN ? AND ? AND batch = ? AND state IN (${sqlList(batch.takes)})`,
	);
	for (const [from, to] of rangesOf(rows.map((row) => Number(row.number))))
		mark.run(at, skew ?? null, atService(at, skew), at, sender, from, to, batch.number);
	return rows.map((row) => ({
		number: Number(row.number),
		row: Number(row.row),
		attempt: Number(row.attempt) + 1,
		transfer: transferIn(row),
	}));
}
