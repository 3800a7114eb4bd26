/**
 * Adopts a journal: a person says that it is the one to pay by. Of a restored backup, what may have been sent after it becomes in doubt in the
 * same step, so that nothing sends it again before a person has settled it.
 */
import { plainId } from "../api/text/ids.js";
import type { IntentState, JournalOutcome } from "../ports/intent.js";
import type { Adoption, Rules, SentSince } from "../ports/journal.js";
import type { SqlRow } from "../sqlite/storage.js";
import type { Anchoring } from "./anchor/anchoring.js";
import { notGuarded, restoredBackup } from "./anchor/refusals.js";
import { adoptedKind, marksOf } from "./anchor/unfit.js";
import { abandon, restOf } from "./batches/abandon.js";
import { storedBatchNamed } from "./batches/table.js";
import type { RowsMoved } from "./intents/batch-events.js";
import { resultOf, unlessIdIsHeld } from "./intents/record.js";
import { addSpent, type Dependencies } from "./intents/write.js";
import { runsOf, transferIn } from "./tables/batch-row.js";
import type { Connection } from "./tables/connection.js";
import { dayOf } from "./tables/service-time.js";
import { sql, within } from "./tables/sql.js";
import { type StoredIntent, tablesIn } from "./tables/tables.js";
import { headOf, installationOf, type WriteTransaction } from "./tables/transaction.js";

/** See `Journal.adopt`. @param fill records what else this journal lacks */
export async function adopt(
	{
		connection,
		senders,
		anchoring,
	}: { connection: Connection; anchoring(): Promise<Anchoring | undefined> } & Pick<Dependencies, "senders">,
	rules: Rules,
	reason: string,
	since?: readonly SentSince[],
	fill: (transaction: WriteTransaction) => Promise<void> = async () => {},
): Promise<Adoption> {
	const { restored: mark } = await connection.read(marksOf);
	const anchored = await anchoring();
	if (mark === undefined && anchored === undefined) throw notGuarded();
	if (mark !== undefined && since === undefined) throw restoredBackup(mark);
	const record = async (transaction: WriteTransaction): Promise<{ inDoubt?: number }> => {
		await fill(transaction);
		return mark === undefined ? {} : { inDoubt: await recordSentSince(transaction, { rules, senders }, since ?? []) };
	};
	if (anchored !== undefined) return anchored.adopt(reason, record);
	const adoption = await connection.write(async (transaction) => {
		const own = { reason, found: "restored" as const, ...(await record(transaction)) };
		await transaction.append(adoptedKind, undefined, own);
		return own;
	});
	return connection.read(async (reading) => ({ ...adoption, installation: await installationOf(reading), head: await headOf(reading) }));
}

/** The states from which a batch sends a row. */
export const sendable: readonly IntentState[] = ["planned", "refused", "not-sent", "not-created"];

const why =
	"the journal was restored from a backup, and the service lists a payment that may be this row: it may have been sent after the backup";

/**
 * Records an attempt that nobody knows the outcome of for each row that a batch could still send. A batch that was not begun is cancelled.
 * @returns how many rows became in doubt
 */
async function recordSentSince(transaction: WriteTransaction, dependencies: Dependencies, rows: readonly SentSince[]): Promise<number> {
	const byBatch = new Map<number, SentRow[]>();
	for (const { intent, at } of rows) {
		const row = await transaction.get(sql`SELECT number, batch, state, content FROM intent WHERE number = ${Number(intent)}`);
		if (row === undefined || row.batch === null || !sendable.includes(row.state as IntentState)) continue;
		const own = byBatch.get(Number(row.batch)) ?? [];
		byBatch.set(Number(row.batch), own);
		own.push({ row, at });
	}
	let count = 0;
	for (const [number, own] of byBatch) {
		await recordAttempts(transaction, dependencies, number, own, why);
		count += own.length;
		const reason = `restored from a backup: the service lists payments that may be ${own.length} of its rows`;
		await cancelUnbegun(transaction, dependencies, number, reason);
	}
	return count;
}

/** A row that was sent: when, RFC 3339 UTC, and what became of it, if that is known. */
export interface SentRow {
	row: SqlRow;
	at: string;
	outcome?: JournalOutcome | undefined;
}

/**
 * Records an attempt, of which this journal does not know, of rows that their batch could still send.
 * @param why the outcome is not known, for people
 */
export async function recordAttempts(
	transaction: WriteTransaction,
	{ rules }: Pick<Dependencies, "rules">,
	number: number,
	rows: readonly SentRow[],
	why: string,
): Promise<void> {
	const tables = tablesIn(transaction);
	const batch = await storedBatchNamed(transaction, String(number));
	// The run that sent them is not in this journal; the last one that is tells how the service was described.
	const sender = (await runsOf(transaction, number))[0]?.sender;
	const ended: [number, JournalOutcome][] = [];
	for (const { row, at, outcome } of [...rows].sort((one, other) => Number(one.row.number) - Number(other.row.number))) {
		const intent = Number(row.number);
		const id = outcome?.state === "accepted" ? outcome.id : undefined;
		const holder = id === undefined ? undefined : await tables.holder(id, intent);
		const known = outcome === undefined ? ({ state: "in-doubt", reason: why } as const) : unlessIdIsHeld(outcome, holder);
		const state = rules.next("sending", { kind: "ended", outcome: known });
		const { amount, currency = "" } = transferIn(row);
		// A planned row of a begun batch was counted on the batch's day.
		if (row.state === "planned" && batch.day !== undefined) await addSpent(tables, rules, batch.day, { [currency]: amount }, -1);
		if (rules.counts(state)) await addSpent(tables, rules, dayOf(at, undefined), { [currency]: amount }, 1);
		const { createdId: _, ...stored } = (await tables.find(intent)) as StoredIntent;
		const attempt = stored.attempt + 1;
		const created = known.state === "accepted" && known.id !== undefined ? { createdId: plainId(known.id) } : {};
		const changed = transaction.now.toISOString();
		const { skew: __, ...result } = resultOf(known);
		await tables.change({ ...stored, ...created, state, attempt, begun: at, changed, sender, result });
		await tables.append("begun", intent, { attempt, sender, sent: at }, number);
		ended.push([intent, known]);
	}
	const moved: RowsMoved = { batch: number, sender: sender ?? "", begun: [], ended, died: [] };
	await transaction.append("moved", undefined, moved, number);
}

/** Cancels a batch that was not begun: its plan was made before, and what else of it was sent is for a person to compare. */
export async function cancelUnbegun(
	transaction: WriteTransaction,
	dependencies: Dependencies,
	number: number,
	reason: string,
): Promise<void> {
	const batch = await storedBatchNamed(transaction, String(number));
	if (batch.state !== "planned") return;
	const found = await restOf(within(transaction), dependencies.rules, batch);
	await abandon(transaction, dependencies, String(number), { reason, found });
}
