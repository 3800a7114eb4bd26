/**
 * Begins or resumes a batch: one transaction that checks its rows against all others and makes this process its only sender.
 */
import type { BatchDigest } from "../../ports/batch-plan.js";
import type { BatchDuplicates, BatchOverrides, BatchRules } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Rules, SettingChange } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import { type RowsMoved, rangesOf } from "../intents/batch-events.js";
import { diedReason as diedWords } from "../intents/record.js";
import { changedSinceCheck } from "../intents/refusals.js";
import { recordSettingsChanges } from "../intents/settings-record.js";
import { addSpent, type Dependencies, refusing } from "../intents/write.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import { atService, dayOf, latest, recordServiceTime, type WindowStart, windowStartOf } from "../sqlite/service-time.js";
import { tablesIn } from "../sqlite/tables.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import { findDuplicates, sqlList } from "./duplicates.js";
import { approvedOf, idleBatch, refusedBatch, rowsWhere, type StoredBatch, sumsOf } from "./table.js";

/** Rows of one page. */
const page = 2_000;

/** The dependencies of batches. */
export interface BatchDependencies extends Dependencies {
	rules: BatchRules;
}

/**
 * @returns the settings that were changed without purser since money last moved
 * @throws RefusedJob, if a rule holds it back, or another process is sending the batch
 */
export function beginBatch(
	transaction: WriteTransaction,
	dependencies: BatchDependencies,
	name: string,
	takes: readonly IntentState[],
	{ only, ...allowed }: BatchOverrides & { only?: readonly number[] },
	skew?: number,
): readonly SettingChange[] {
	const batch = idleBatch(transaction.storage, dependencies.lives, name, "this one sent nothing");
	// Another process cancelled it after the earlier check.
	if (batch.state === "abandoned") throw refusedBatch(batch, "BATCH_ABANDONED", "was cancelled; it sends nothing more");
	const { rules } = dependencies;
	const { plan } = batch;
	const tables = tablesIn(transaction);
	const times = recordServiceTime(tables, skew);
	const first = batch.state === "planned";
	const unchecked = uncheckedStates(batch, takes);
	noteOnly(transaction, only);
	const asked = first ? sumsOf(rules.add, plan.totals) : rowSums(transaction, rules, batch, unchecked, only !== undefined);
	const today = dayOf(transaction.now.toISOString(), skew);
	const carriedOver = carriedOverSums(transaction, rules, batch, today);
	const spent = tables.spent(today);
	const approved = approvedOf(transaction.storage, batch);
	refusing(() => rules.checkDay(carriedOver, spent, approved));
	const known = {
		first,
		approved: approved.approved,
		duplicates: duplicatesOf(transaction, dependencies, batch, {
			digest: plan.digest,
			takes,
			since: windowStartOf(rules, times),
			only: only !== undefined,
		}),
		allowed,
		rows: allowed.rows === undefined ? undefined : rowsWhere(transaction.storage, batch, `state IN (${sqlList(takes)})`),
		asked,
		spent: sumsOf(
			rules.add,
			Object.entries(carriedOver).map(([currency, amount]) => ({ currency, amount })),
			spent,
		),
		now: latest(times),
	};
	refusing(() => rules.checkBatch(plan, known));
	refuseIfChanged(transaction, batch, takes, allowed.again);
	// All refusals come before the first write; a refusal after it would leave a partial change.
	const changed = recordSettingsChanges(tables, rules.guards, allowed.operator);
	if (first) addSpent(tables, rules, today, asked, 1);
	addSpent(tables, rules, today, carriedOver, 1);
	if (batch.day !== undefined) addSpent(tables, rules, batch.day, carriedOver, -1);
	const sender = dependencies.own();
	const leftRows = leftSending(transaction, batch);
	if (leftRows.length > 0) {
		// Their sender is dead: its lock was checked above, or none was ever held.
		const moved: RowsMoved = { batch: batch.number, sender: batch.sender ?? "", begun: [], ended: [], died: rangesOf(leftRows) };
		transaction.append("moved", undefined, moved, batch.number);
		transaction
			.sql(
				`UPDATE intent SET state = 'in-doubt', changed = ?1, result = ?2 WHERE number BETWEEN ?3 AND ?4 AND batch = ?5 AND state = 'sending'`,
			)
			.run(transaction.now.toISOString(), JSON.stringify({ why: diedWords }), batch.first, batch.last, batch.number);
	}
	// What a run may mark: rows in the states that it sends, and those that it gave back before they left.
	const markable = [...new Set<IntentState>([...takes, "not-sent"])];
	transaction
		.sql(
			"UPDATE batch SET state = 'begun', begun = coalesce(begun, ?), begun_service = coalesce(begun_service, ?), day = ?, sender = ?, takes = ? WHERE number = ?",
		)
		.run(
			transaction.now.toISOString(),
			atService(transaction.now.toISOString(), skew),
			today,
			sender,
			JSON.stringify(markable),
			batch.number,
		);
	transaction.append("begun-batch", undefined, { batch: batch.number, sender, takes, allowed, skew }, batch.number);
	return changed;
}

/** The rows that are sent, where not all in their states are. */
function noteOnly(transaction: WriteTransaction, only: readonly number[] | undefined): void {
	if (only === undefined) return;
	transaction.sql("CREATE TEMP TABLE IF NOT EXISTS only_rows (number INTEGER PRIMARY KEY)").run();
	transaction.sql("DELETE FROM temp.only_rows").run();
	transaction.sql("INSERT INTO temp.only_rows SELECT value FROM json_each(?)").run(JSON.stringify(only));
}

/** The states whose rows must be checked and counted now: planned rows of a batch begun before already were. */
function uncheckedStates({ state }: StoredBatch, takes: readonly IntentState[]): IntentState[] {
	return takes.filter((one) => state !== "begun" || one !== "planned");
}

/** Which rows of a batch, of those in the states that are sent, are looked at for duplicates. */
export const duplicateQuery = (
	transaction: WriteTransaction,
	{ lives }: Pick<Dependencies, "lives">,
	batch: StoredBatch,
	takes: readonly IntentState[],
) => ({
	...batch,
	sandbox: batch.shared.sandbox,
	states: uncheckedStates(batch, takes),
	begun: batch.begunService,
	senders: sendersOf(transaction).filter(lives),
});

/**
 * The duplicates of the rows that are to be sent.
 * @param asked `takes`: their states; `since`: the start of the duplicate window; `only`: those alone that {@link noteOnly} noted
 */
export function duplicatesOf(
	transaction: WriteTransaction,
	dependencies: Pick<Dependencies, "lives">,
	batch: StoredBatch,
	{ digest, takes, since, only }: { digest: BatchDigest; takes: readonly IntentState[]; since: WindowStart; only?: boolean },
): BatchDuplicates {
	const query = duplicateQuery(transaction, dependencies, batch, takes);
	if (query.states.length === 0) return { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] };
	return findDuplicates(transaction, { ...query, only }, digest, since);
}

/** All senders with rows being sent, alive or dead. */
function sendersOf(transaction: WriteTransaction): string[] {
	const sql = "SELECT DISTINCT sender FROM intent WHERE state = 'sending' AND state IN ('sending', 'in-doubt') AND sender IS NOT NULL";
	return transaction
		.sql(sql)
		.all()
		.map(({ sender }) => String(sender));
}

/** Refuses if the rows settled as not created are no longer those for which the service's list was checked. */
function refuseIfChanged(
	transaction: WriteTransaction,
	batch: StoredBatch,
	takes: readonly IntentState[],
	seen: BatchOverrides["again"],
): void {
	if (seen === undefined || !takes.includes("not-created")) return;
	const row = transaction
		.sql(
			"SELECT count(*) AS rows, total(attempt) AS attempts FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND state = 'not-created'",
		)
		.get(batch.first, batch.last, batch.number);
	if (Number(row?.rows) !== seen.rows || Number(row?.attempts) !== seen.attempts) throw new RefusedJob(changedSinceCheck(undefined));
}

/** Sums by currency of the rows in some states. */
function rowSums(
	{ storage }: WriteTransaction,
	{ add }: Rules,
	batch: StoredBatch,
	states: readonly IntentState[],
	only = false,
): Record<string, string> {
	const where = `state IN (${sqlList(states)})${only ? " AND number IN temp.only_rows" : ""}`;
	let sums: Record<string, string> = {};
	if (states.length > 0) for (const rows of rowPages(storage, batch, { where, page })) sums = sumsOf(add, rows.map(transferIn), sums);
	return sums;
}

/** Sums of planned rows that were counted on an earlier day and must be counted today, because a row counts on the day it is sent. */
function carriedOverSums(transaction: WriteTransaction, rules: Rules, batch: StoredBatch, today: string): Record<string, string> {
	const stays = batch.state === "planned" || batch.day === undefined || batch.day === today;
	return stays ? {} : rowSums(transaction, rules, batch, ["planned"]);
}

/** Rows that a dead sender left as being sent. */
function leftSending(transaction: WriteTransaction, { first, last, number }: StoredBatch): number[] {
	return transaction
		.sql("SELECT number FROM intent WHERE state = 'sending' AND number BETWEEN ? AND ? AND batch = ? ORDER BY number")
		.all(first, last, number)
		.map((row) => Number(row.number));
}
