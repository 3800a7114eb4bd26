/**
 * Implements the port `Batches` over the journal's database.
 */

import type { BatchDigest } from "../../ports/batch-plan.js";
import type { Batches, BatchPause, BatchRecord, BatchRow, Refusal } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Storage } from "../../sqlite/storage.js";
import { statement } from "../../sqlite/storage.js";
import type { Anchoring } from "../anchor/anchoring.js";
import { refuseRestored } from "../anchor/restored.js";
import { recordOf } from "../intents/record.js";
import { settingsChangesWarning } from "../intents/settings-record.js";
import type { Dependencies } from "../intents/write.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import { highestTime, windowStartOf } from "../sqlite/service-time.js";
import { storedIntent } from "../sqlite/tables.js";
import type { CommitQueue, WriteTransaction } from "../sqlite/transaction.js";
import { Contradiction, type Guarded } from "../sqlite/trouble.js";
import { abandon, abandonedOf, type Rest, restOf } from "./abandon.js";
import { advance, type Place, placeAfter } from "./advance.js";
import { type BatchDependencies, beginBatch, duplicateQuery, duplicatesOf } from "./begin.js";
import { notMade, rowsToCheck, sqlList } from "./duplicates.js";
import { approvalsOf, loadRows, openBatch, type StoredBatch, sealBatch, storedBatch, storedBatchNamed, wrongState } from "./table.js";

/** Rows of one page. Longer pages outlive V8's young generation and raise peak memory (by 10 MB at 1,000 rows). */
const page = 250;

/** Rows after which the journal's anchor is advanced. */
const anchorEvery = 1_000;

/**
 * Batches of one open journal.
 * @param guarded turns storage errors into PurserErrors
 * @param anchoringOf returns the comparison with the journal's anchor, if it has one
 */
export function batchesOver(
	storage: Storage,
	queue: CommitQueue,
	dependencies: BatchDependencies,
	guarded: Guarded,
	anchoringOf: () => Promise<Anchoring | undefined> = async () => undefined,
): Omit<Batches, "close"> {
	/** Batches that this process sends: how far it is, and the rows marked since the anchor advanced. */
	const sendingBatches = new Map<string, { batch: StoredBatch; place: Place; unanchored: number; anchoring?: Anchoring }>();
	let writeFailure: unknown;
	// Adding or sending a million rows touches index pages at random; with a smaller cache every step would write to the file.
	const enlargeCache = (): void => storage.exec("PRAGMA cache_size = -6144");
	const run = <T>(job: (transaction: WriteTransaction) => T): Promise<T> => guarded(() => queue.run(job));
	const clear = async (batch: number): Promise<void> => {
		while (!(await run((transaction) => clearSome(transaction, batch))));
	};
	/** Outside a transaction. @throws the reason of a refusal itself */
	const named = (batch: string): StoredBatch => {
		try {
			return storedBatchNamed(storage, batch);
		} catch (error) {
			throw error instanceof RefusedJob ? error.reason : error;
		}
	};
	const rest = (batch: string): Promise<Rest> => guarded(() => restOf(storage, dependencies.rules, named(batch)));
	return {
		open: async (shared) => {
			enlargeCache();
			for (const left of await guarded(async () => abandonedLoads(storage, dependencies.lives))) await clear(left);
			return run((transaction) => openBatch(transaction, dependencies.own(), shared));
		},
		load: (batch, rows) => run((transaction) => loadRows(transaction, dependencies.rules, batch, rows)),
		duplicates: (batch, digest: BatchDigest, takes, skew) =>
			run((transaction) => {
				const since = windowStartOf(dependencies.rules, displayTimes(transaction, skew));
				return duplicatesOf(transaction, dependencies, storedBatchNamed(storage, batch), { digest, takes, since });
			}),
		notMade: (batch, takes) =>
			run((transaction) => {
				// A day at least: what an answer refused wrongly is listed by then.
				const duplicateWindowStart = (now: Date): Date =>
					new Date(Math.min(dependencies.rules.duplicateWindowStart(now).getTime(), now.getTime() - 86_400_000));
				const since = windowStartOf({ duplicateWindowStart }, { now: transaction.now, highest: highestTime(storage) });
				return notMade(storage, storedBatchNamed(storage, batch), takes, since);
			}),
		toCheck: (batch, asked) =>
			run((transaction) => {
				const since = windowStartOf(dependencies.rules, displayTimes(transaction, asked.skew));
				return rowsToCheck(
					transaction,
					duplicateQuery(transaction, dependencies, storedBatchNamed(storage, batch), asked.takes),
					since,
					asked,
				);
			}),
		seal: (batch, plan) => run((transaction) => sealBatch(transaction, batch, plan)),
		discard: async (batch) => clear(await run((transaction) => discardBatch(transaction, batch))),
		begin: async (batch, takes, allowed, skew) => {
			enlargeCache();
			await guarded(() => refuseRestored(storage));
			const anchoring = await guarded(anchoringOf);
			await guarded(async () => anchoring?.allow(false));
			const { changed, since } = await run((transaction) => {
				const changed = beginBatch(transaction, dependencies, batch, takes, allowed, skew);
				return { changed, since: Number(transaction.sql("SELECT max(seq) AS seq FROM event").get()?.seq) };
			});
			// If this fails, no row was marked yet and the batch can be resumed.
			await guarded(() => anchoring?.renew());
			const stored = storedBatchNamed(storage, batch);
			const { only } = allowed;
			const place = { takes, since, after: only === undefined ? stored.first - 1 : stored.last, again: only ?? [] };
			sendingBatches.set(batch, { batch: stored, place, unanchored: 0, anchoring });
			return { ...recordOfBatch(storage, stored, dependencies), warning: settingsChangesWarning(changed) };
		},
		advance: async (batch, ended, want, skew) => {
			const sending = sendingBatches.get(batch);
			if (sending === undefined) throw new Contradiction(`batch ${batch} was not begun by this process`);
			// After a failed write it is unknown what the disk holds, so this process sends nothing more.
			if (writeFailure !== undefined && want > 0) throw writeFailure;
			try {
				// Before rows are marked, so that a failure leaves none in doubt.
				if (want > 0 && sending.unanchored >= anchorEvery) {
					await guarded(() => sending.anchoring?.renew());
					sending.unanchored = 0;
				}
				const { place } = sending;
				const begun = await run((transaction) => advance(transaction, dependencies, sending.batch, { ended, want, skew, ...place }));
				sending.place = placeAfter(place, begun, ended);
				sending.unanchored += begun.length;
				return begun;
			} catch (error) {
				writeFailure = error;
				throw error;
			}
		},
		pause: (batch, pause) =>
			run((transaction) => transaction.append("paused", undefined, pause, storedBatchNamed(transaction.storage, batch).number)),
		release: async (batch) => {
			const anchoring = sendingBatches.get(batch)?.anchoring;
			sendingBatches.delete(batch);
			await run((transaction) => {
				const { number, sender } = storedBatchNamed(storage, batch);
				if (sender === dependencies.own()) transaction.sql("UPDATE batch SET sender = NULL WHERE number = ?").run(number);
			});
			await guarded(() => anchoring?.renew());
		},
		rest: async (batch) => {
			const { rows, totals } = await rest(batch);
			return { rows, totals };
		},
		abandon: async (batch, asked) => {
			enlargeCache();
			const found = await rest(batch);
			await run((transaction) => abandon(transaction, dependencies, batch, { ...asked, found }));
			return recordOfBatch(storage, storedBatchNamed(storage, batch), dependencies);
		},
		list: () =>
			guarded(async () =>
				statement(storage, "SELECT * FROM batch WHERE state <> 'loading' ORDER BY number DESC")
					.all()
					.map((row) => recordOfBatch(storage, storedBatch(row), dependencies)),
			),
		show: (batch) =>
			guarded(async () => {
				const row = statement(storage, "SELECT * FROM batch WHERE number = ? AND state <> 'loading'").get(Number(batch) || 0);
				if (row === undefined) return undefined;
				const stored = storedBatch(row);
				const record = recordOfBatch(storage, stored, dependencies);
				return record.counts.refused === 0 ? record : { ...record, refusals: refusalsOf(storage, stored) };
			}),
		rows: (batch, states) => rowsOf(storage, named(batch), dependencies, states),
		planned: (batch) => plannedOf(storage, named(batch)),
	};
}

/** For display only, so this machine's time is good enough if the service's is not known. */
const displayTimes = ({ now }: WriteTransaction, skew = 0) => ({ now, service: new Date(now.getTime() + skew) });

/** The states of a row. */
export const states: readonly IntentState[] = [
	"planned",
	"sending",
	"accepted",
	"waiting",
	"refused",
	"not-sent",
	"in-doubt",
	"not-created",
	"abandoned",
];
/** One sum per state instead of GROUP BY, which would make SQLite sort a million rows in memory. */
const countStates = `SELECT ${states.map((state) => `total(state = '${state}') AS "${state}"`).join(", ")} FROM intent WHERE number BETWEEN ? AND ? AND batch = ?`;

function recordOfBatch(storage: Storage, batch: StoredBatch, { lives }: Pick<Dependencies, "lives">): BatchRecord {
	if (batch.plan === undefined) throw wrongState(batch, "was never planned to the end").reason;
	const sending = batch.sender !== undefined && lives(batch.sender);
	const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<IntentState, number>;
	const found = statement(storage, countStates).get(batch.first, batch.last, batch.number) ?? {};
	for (const state of states) {
		// Rows of a dead sender without an outcome are in doubt.
		const known = state === "sending" && !sending ? "in-doubt" : state;
		counts[known] += Number(found[state]);
	}
	const { number, state, plan, begun } = batch;
	const approvals = begun === undefined ? undefined : approvalsOf(storage, batch);
	return {
		batch: String(number),
		state,
		plan,
		service: batch.shared.service,
		sandbox: batch.shared.sandbox,
		begun,
		approvals,
		abandoned: abandonedOf(storage, batch),
		sending,
		...(sending ? pauseIn(storage, batch) : {}),
		counts,
	};
}

/** Most reasons for refusals that are told apart, and most rows that one names. */
const [mostReasons, mostRowsNamed] = [100, 8];

/** Why rows were refused. Page by page, because SQLite would sort a million rows in memory to group them. */
function refusalsOf(storage: Storage, batch: StoredBatch): Refusal[] {
	const reasons = new Map<string, Refusal & { first: number[] }>();
	for (const found of rowPages(storage, batch, { columns: "number, row, result", where: "state = 'refused'", page }))
		for (const { row, result } of found) {
			const { status, apiCode } = JSON.parse(String(result)) as Pick<Refusal, "status" | "apiCode">;
			const own = `${status} ${apiCode ?? ""}`;
			const key = reasons.has(own) || reasons.size < mostReasons ? own : "others";
			const reason = reasons.get(key) ?? { ...(key === own && { status, apiCode }), rows: 0, first: [] };
			reasons.set(key, reason);
			reason.rows += 1;
			if (reason.first.length < mostRowsNamed) reason.first.push(Number(row));
		}
	return [...reasons.values()].sort((one, other) => other.rows - one.rows);
}

/** The pause of a living sender: rows that it marks after it say that it is over. */
function pauseIn(storage: Storage, { number }: StoredBatch): { paused?: BatchPause } {
	const row = statement(
		storage,
		`SELECT kind, content FROM event WHERE batch = ? AND (kind IN ('paused', 'begun-batch')
		OR (kind = 'moved' AND content->>'$.begun[0]' IS NOT NULL)) ORDER BY seq DESC LIMIT 1`,
	).get(number);
	return row?.kind === "paused" ? { paused: JSON.parse(String(row.content)) as BatchPause } : {};
}

async function* rowsOf(
	storage: Storage,
	batch: StoredBatch,
	{ lives }: Dependencies,
	states?: readonly IntentState[],
): AsyncGenerator<BatchRow[]> {
	const wanted = states && new Set(states);
	// A row stored as "sending" is in doubt if its sender is dead, so read those too.
	const read = states && sqlList([...states, ...(states.includes("in-doubt") ? ["sending" as const] : [])]);
	for (const found of rowPages(storage, batch, { columns: "*", where: read && `state IN (${read})`, page })) {
		const rows = found.map((row) => recordOf(storedIntent(storage, row), lives) as BatchRow);
		const matching = wanted ? rows.filter(({ state }) => wanted.has(state)) : rows;
		if (matching.length > 0) yield matching;
	}
}

/** Reads only the transfers, as fast as possible: they are compared with the approved digest before the first row is sent. */
async function* plannedOf(storage: Storage, batch: StoredBatch) {
	for (const found of rowPages(storage, batch, { page })) yield found.map(transferIn);
}

/** Rows of one step, which takes some tenths of a second. */
const step = 20_000;

/** Marks a batch for removal by {@link clearSome}. @returns its number @throws RefusedJob, if it was begun */
function discardBatch(transaction: WriteTransaction, name: string): number {
	const batch = storedBatchNamed(transaction.storage, name);
	if (batch.state === "begun" || batch.state === "abandoned")
		throw wrongState(batch, `was ${batch.state === "begun" ? "begun" : "cancelled"}, and stays on record`);
	transaction.sql("UPDATE batch SET state = 'loading', sender = NULL WHERE number = ?").run(batch.number);
	if (batch.state === "planned") transaction.append("discarded", undefined, { batch: batch.number }, batch.number);
	return batch.number;
}

/** Batches that are `loading` although no living process loads them. */
function abandonedLoads(storage: Storage, lives: (sender: string) => boolean): number[] {
	return statement(storage, "SELECT number, sender FROM batch WHERE state = 'loading'")
		.all()
		.filter(({ sender }) => typeof sender !== "string" || !lives(sender))
		.map(({ number }) => Number(number));
}

/** Removes the next rows of a batch, and with the last ones the batch. @returns whether it is gone; another process may do steps too */
function clearSome(transaction: WriteTransaction, number: number): boolean {
	const found = transaction.sql("SELECT first, last FROM batch WHERE number = ? AND state = 'loading'").get(number);
	if (found === undefined) return true;
	const [first, last] = [Number(found.first ?? 1), Number(found.last ?? 0)];
	const next = first + step;
	transaction.sql("DELETE FROM intent WHERE number >= ? AND number < ? AND number <= ? AND batch = ?").run(first, next, last, number);
	if (next <= last) {
		transaction.sql("UPDATE batch SET first = ? WHERE number = ?").run(next, number);
		return false;
	}
	transaction.sql("DELETE FROM batch WHERE number = ?").run(number);
	// What was never planned to its end gives its number back, unless a later batch has one by now.
	transaction
		.sql("UPDATE sqlite_sequence SET seq = ?1 - 1 WHERE name = 'batch' AND seq = ?1 AND NOT EXISTS (SELECT 1 FROM event WHERE batch = ?1)")
		.run(number);
	return true;
}
