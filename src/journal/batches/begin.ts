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
import { rowOf, rowPages, transferIn, within } from "../tables/batch-row.js";
import { atService, dayOf, latest, recordServiceTime, type WindowStart, windowStartOf } from "../tables/service-time.js";
import { among, type Reading, sql } from "../tables/sql.js";
import { tablesIn } from "../tables/tables.js";
import type { WriteTransaction } from "../tables/transaction.js";
import { findDuplicates, ofThese } from "./duplicates.js";
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
export async function beginBatch(
	transaction: WriteTransaction,
	dependencies: BatchDependencies,
	name: string,
	takes: readonly IntentState[],
	{ only, ...allowed }: BatchOverrides & { only?: readonly number[] },
	skew?: number,
): Promise<readonly SettingChange[]> {
	const batch = await idleBatch(transaction, dependencies.senders, name, "this one sent nothing");
	// Another process cancelled it after the earlier check.
	if (batch.state === "abandoned") throw refusedBatch(batch, "BATCH_ABANDONED", "was cancelled; it sends nothing more");
	const { rules } = dependencies;
	const { plan } = batch;
	const tables = tablesIn(transaction);
	const times = await recordServiceTime(tables, skew);
	const first = batch.state === "planned";
	const unchecked = uncheckedStates(batch, takes);
	const asked = first ? sumsOf(rules.add, plan.totals) : await rowSums(transaction, rules, batch, unchecked, only);
	const at = transaction.now.toISOString();
	const today = dayOf(at, skew);
	const carriedOver = await carriedOverSums(transaction, rules, batch, today);
	const spent = await tables.spent(today);
	const approved = await approvedOf(transaction, batch);
	refusing(() => rules.checkDay(carriedOver, spent, approved));
	const known = {
		first,
		approved: approved.approved,
		duplicates: await duplicatesOf(transaction, dependencies, batch, {
			digest: plan.digest,
			takes,
			since: windowStartOf(rules, times),
			only,
		}),
		allowed,
		rows: allowed.rows === undefined ? undefined : await rowsWhere(transaction, batch, among(sql`state`, takes)),
		asked,
		spent: sumsOf(
			rules.add,
			Object.entries(carriedOver).map(([currency, amount]) => ({ currency, amount })),
			spent,
		),
		now: latest(times),
	};
	refusing(() => rules.checkBatch(plan, known));
	await refuseIfChanged(transaction, batch, takes, allowed.again);
	// All refusals come before the first write; a refusal after it would leave a partial change.
	const changed = await recordSettingsChanges(tables, rules.guards, allowed.operator);
	if (first) await addSpent(tables, rules, today, asked, 1);
	await addSpent(tables, rules, today, carriedOver, 1);
	if (batch.day !== undefined) await addSpent(tables, rules, batch.day, carriedOver, -1);
	const sender = await dependencies.senders.own();
	const leftRows = await leftSending(transaction, batch);
	if (leftRows.length > 0) {
		// Their sender is dead: its lock was checked above, or none was ever held.
		const moved: RowsMoved = { batch: batch.number, sender: batch.sender ?? "", begun: [], ended: [], died: rangesOf(leftRows) };
		await transaction.append("moved", undefined, moved, batch.number);
		await transaction.run(
			sql`UPDATE intent SET state = 'in-doubt', changed = ${at}, result = ${JSON.stringify({ why: diedWords })}
			WHERE ${rowOf(batch)} AND state = 'sending'`,
		);
	}
	// What a run may mark: rows in the states that it sends, and those that it gave back before they left.
	const markable = [...new Set<IntentState>([...takes, "not-sent"])];
	await transaction.run(
		sql`UPDATE batch SET state = 'begun', begun = coalesce(begun, ${at}), begun_service = coalesce(begun_service, ${atService(at, skew)}),
		day = ${today}, sender = ${sender}, takes = ${JSON.stringify(markable)} WHERE number = ${batch.number}`,
	);
	const { machine } = dependencies.senders;
	const run = { batch: batch.number, sender, takes, allowed: { ...allowed, machine }, skew };
	await transaction.append("begun-batch", undefined, run, batch.number);
	return changed;
}

/** The states whose rows must be checked and counted now: planned rows of a batch begun before already were. */
function uncheckedStates({ state }: StoredBatch, takes: readonly IntentState[]): IntentState[] {
	return takes.filter((one) => state !== "begun" || one !== "planned");
}

/** Which rows of a batch, of those in the states that are sent, are looked at for duplicates; with the senders that are alive. */
export const duplicateQuery = async (
	transaction: WriteTransaction,
	{ senders }: Pick<Dependencies, "senders">,
	batch: StoredBatch,
	takes: readonly IntentState[],
) => ({
	...batch,
	sandbox: batch.shared.sandbox,
	states: uncheckedStates(batch, takes),
	begun: batch.begunService,
	living: [...(await senders.living(await sendersIn(transaction)))],
});

/**
 * The duplicates of the rows that are to be sent.
 * @param asked `takes`: their states; `since`: the start of the duplicate window; `only`: those alone
 */
export async function duplicatesOf(
	transaction: WriteTransaction,
	dependencies: Pick<Dependencies, "senders">,
	batch: StoredBatch,
	{ digest, takes, since, only }: { digest: BatchDigest; takes: readonly IntentState[]; since: WindowStart; only?: readonly number[] },
): Promise<BatchDuplicates> {
	const query = await duplicateQuery(transaction, dependencies, batch, takes);
	if (query.states.length === 0) return { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] };
	return findDuplicates(transaction, { ...query, only, since }, digest);
}

/** All senders with rows being sent, alive or dead. */
async function sendersIn(reading: Reading): Promise<string[]> {
	const query = sql`SELECT DISTINCT sender FROM intent WHERE state = 'sending' AND state IN ('sending', 'in-doubt') AND sender IS NOT NULL`;
	return (await reading.all(query)).map(({ sender }) => String(sender));
}

/** Refuses if the rows settled as not created are no longer those for which the service's list was checked. */
async function refuseIfChanged(
	transaction: WriteTransaction,
	batch: StoredBatch,
	takes: readonly IntentState[],
	seen: BatchOverrides["again"],
): Promise<void> {
	if (seen === undefined || !takes.includes("not-created")) return;
	const row = await transaction.get(
		sql`SELECT count(*) AS rows, coalesce(sum(attempt), 0) AS attempts FROM intent WHERE ${rowOf(batch)} AND state = 'not-created'`,
	);
	if (Number(row?.rows) !== seen.rows || Number(row?.attempts) !== seen.attempts) throw new RefusedJob(changedSinceCheck(undefined));
}

/** Sums by currency of the rows in some states. */
async function rowSums(
	transaction: WriteTransaction,
	{ add }: Rules,
	batch: StoredBatch,
	states: readonly IntentState[],
	only?: readonly number[],
): Promise<Record<string, string>> {
	const where = sql`${among(sql`state`, states)} AND ${ofThese(only)}`;
	let sums: Record<string, string> = {};
	for await (const rows of rowPages(within(transaction), batch, { where, page })) sums = sumsOf(add, rows.map(transferIn), sums);
	return sums;
}

/** Sums of planned rows that were counted on an earlier day and must be counted today, because a row counts on the day it is sent. */
async function carriedOverSums(
	transaction: WriteTransaction,
	rules: Rules,
	batch: StoredBatch,
	today: string,
): Promise<Record<string, string>> {
	const stays = batch.state === "planned" || batch.day === undefined || batch.day === today;
	return stays ? {} : rowSums(transaction, rules, batch, ["planned"]);
}

/** Rows that a dead sender left as being sent. */
async function leftSending(reading: Reading, batch: StoredBatch): Promise<number[]> {
	const rows = await reading.all(sql`SELECT number FROM intent WHERE ${rowOf(batch)} AND state = 'sending' ORDER BY number`);
	return rows.map((row) => Number(row.number));
}
