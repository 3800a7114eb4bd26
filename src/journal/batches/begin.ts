/**
 * Begins or resumes a batch: one transaction that checks its rows against all others and makes this process its sender; where a team sends,
 * beside others.
 */
import { advice, purser } from "../../api/advice.js";
import type { BatchDigest } from "../../ports/batch-plan.js";
import type { BatchDuplicates, BatchOverrides, BatchRules } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Rules, SettingChange } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import { type RowsMoved, rangesOf } from "../intents/batch-events.js";
import { diedReason } from "../intents/record.js";
import { changedSinceCheck } from "../intents/refusals.js";
import { recordSettingsChanges } from "../intents/settings-record.js";
import { addSpent, type Dependencies, refusing } from "../intents/write.js";
import { rowOf, rowPages, runsOf, transferIn } from "../tables/batch-row.js";
import { dayOf, latest, recordServiceTime, timesOf, type WindowStart, windowStartOf } from "../tables/service-time.js";
import { among, type Reading, sql, within } from "../tables/sql.js";
import { tablesIn } from "../tables/tables.js";
import type { WriteTransaction } from "../tables/transaction.js";
import { findDuplicates, ofThese } from "./duplicates.js";
import {
	approvedOf,
	type BatchEvents,
	busyBatch,
	plannedBatch,
	recordBatch,
	refusedBatch,
	rowsWhere,
	type StoredBatch,
	sendersAtWork,
	sumsOf,
} from "./table.js";

/** Rows of one page. */
const page = 2_000;

/** The dependencies of batches. */
export interface BatchDependencies extends Dependencies {
	rules: BatchRules;
}

/**
 * @returns the settings that were changed without purser since money last moved, and the states whose rows are sent: beside others it is
 *   the planned ones alone, because what was sent before is theirs to look for
 * @throws RefusedJob, if a rule holds it back, or another process is sending the batch
 */
export async function beginBatch(
	transaction: WriteTransaction,
	dependencies: BatchDependencies,
	name: string,
	wanted: readonly IntentState[],
	{ only, ...allowed }: BatchOverrides & { only?: readonly number[] },
	skew?: number,
): Promise<{ changed: readonly SettingChange[]; takes: readonly IntentState[] }> {
	const batch = await plannedBatch(transaction, name);
	await refuseUnlessAsPlanned(transaction, batch);
	const beside = await sendersAtWork(batch, dependencies.senders);
	if (beside.length > 0) await refuseUnlessShared(transaction, dependencies, batch, beside, allowed);
	const takes = beside.length > 0 && only === undefined ? wanted.filter((state) => state === "planned") : wanted;
	// Another process cancelled it after the earlier check.
	if (batch.state === "abandoned") throw refusedBatch(batch, "BATCH_ABANDONED", "was cancelled; it sends nothing more");
	const tables = tablesIn(transaction);
	const times = await timesOf(tables, skew);
	const { rules } = dependencies;
	refusing(() => rules.checkClocks(times, batch.shared.sandbox));
	const { plan } = batch;
	const first = batch.state === "planned";
	const unchecked = uncheckedStates(batch, takes);
	const asked = first ? sumsOf(rules.add, plan.totals) : await rowSums(transaction, rules, batch, unchecked, only);
	const at = transaction.now.toISOString();
	const today = dayOf(at, skew);
	// Planned rows that were counted on an earlier day must be counted today, because a row counts on the day it is sent.
	const isLater = !first && batch.day !== undefined && batch.day !== today;
	const carriedOver = isLater ? await rowSums(transaction, rules, batch, ["planned"]) : {};
	const spent = await tables.spent(today);
	const approved = await approvedOf(transaction, batch);
	refusing(() => rules.checkDay(carriedOver, spent, approved));
	const since = windowStartOf(rules, times);
	const known = {
		first,
		approved: approved.approved,
		duplicates: await duplicatesOf(transaction, batch, { digest: plan.digest, takes, since, only }),
		allowed,
		// Beside other senders there may be fewer by now than were shown.
		rows:
			allowed.rows === undefined
				? undefined
				: Math.max(beside.length > 0 ? allowed.rows : 0, await rowsWhere(transaction, batch, among(sql`state`, takes))),
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
	await recordServiceTime(tables, skew);
	const { machine } = dependencies.senders;
	const changed = await recordSettingsChanges(tables, rules.guards, { operator: allowed.operator, machine });
	if (first) await addSpent(tables, rules, today, asked, 1);
	await addSpent(tables, rules, today, carriedOver, 1);
	if (batch.day !== undefined) await addSpent(tables, rules, batch.day, carriedOver, -1);
	const sender = await dependencies.senders.own();
	await doubtLeftRows(transaction, batch, beside);
	await recordBatch(transaction, batch, "begun-batch", { sender, beside, takes, allowed: { ...allowed, machine }, skew });
	return { changed, takes };
}

/** @throws RefusedJob, if what is stored of it, against which its rows and its service are checked, is not what was planned */
async function refuseUnlessAsPlanned(reading: Reading, batch: StoredBatch): Promise<void> {
	const event = await reading.get(sql`SELECT content FROM event WHERE batch = ${batch.number} AND kind = 'planned' AND kind <> 'moved'`);
	const planned = JSON.parse(String(event?.content)) as BatchEvents["planned"];
	const partsOf = ({ first, last, shared, plan }: Partial<StoredBatch>): string => JSON.stringify([first, last, shared, plan]);
	if (partsOf(planned) === partsOf(batch)) return;
	const then = advice`\nCheck the journal: ${purser`history verify`}`;
	throw refusedBatch(batch, "PLAN_CHANGED", "is not kept in the journal as it was planned; nothing was sent", then);
}

/** @throws RefusedJob, unless others may send it beside those who do: on a team's journal, and as these send it */
async function refuseUnlessShared(
	transaction: WriteTransaction,
	{ senders }: BatchDependencies,
	batch: StoredBatch,
	beside: readonly string[],
	{ mapping }: BatchOverrides,
): Promise<void> {
	if (senders.several !== true || beside.includes(await senders.own())) throw busyBatch(batch, "this one sent nothing");
	const runs = await runsOf(transaction, batch.number);
	if (runs.some(({ sender, allowed }) => beside.includes(sender) && allowed.mapping !== mapping))
		throw refusedBatch(batch, "BATCH_BUSY", "is being sent right now with another mapping than this profile's; this one sent nothing");
}

/** Puts the rows in doubt that were left as being sent: nobody who sends the batch is sending them. */
async function doubtLeftRows(transaction: WriteTransaction, batch: StoredBatch, beside: readonly string[]): Promise<void> {
	const isLeft = sql`${rowOf(batch)} AND state = 'sending' AND NOT ${among(sql`sender`, beside)}`;
	const left = await transaction.all(sql`SELECT number, sender FROM intent WHERE ${isLeft} ORDER BY number`);
	for (const sender of new Set(left.map((row) => String(row.sender)))) {
		const died = rangesOf(left.flatMap((row) => (row.sender === sender ? [Number(row.number)] : [])));
		const moved: RowsMoved = { batch: batch.number, sender, begun: [], ended: [], died };
		await transaction.append("moved", undefined, moved, batch.number);
	}
	if (left.length === 0) return;
	const at = transaction.now.toISOString();
	await transaction.run(
		sql`UPDATE intent SET state = 'in-doubt', changed = ${at}, result = ${JSON.stringify({ why: diedReason })} WHERE ${isLeft}`,
	);
}

/** The states whose rows must be checked and counted now: planned rows of a batch begun before already were. */
function uncheckedStates({ state }: StoredBatch, takes: readonly IntentState[]): IntentState[] {
	return takes.filter((one) => state !== "begun" || one !== "planned");
}

/** Which rows of a batch, of those in the states that are sent, are looked at for duplicates. */
export const duplicateQuery = (batch: StoredBatch, takes: readonly IntentState[]) => ({
	...batch,
	sandbox: batch.shared.sandbox,
	states: uncheckedStates(batch, takes),
	begun: batch.begunService,
});

/**
 * The duplicates of the rows that are to be sent.
 * @param asked `takes`: their states; `since`: the start of the duplicate window; `only`: those alone
 */
export async function duplicatesOf(
	transaction: WriteTransaction,
	batch: StoredBatch,
	{ digest, takes, since, only }: { digest: BatchDigest; takes: readonly IntentState[]; since: WindowStart; only?: readonly number[] },
): Promise<BatchDuplicates> {
	const query = duplicateQuery(batch, takes);
	if (query.states.length === 0) return { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] };
	return findDuplicates(transaction, { ...query, only, since }, digest);
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
