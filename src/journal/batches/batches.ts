/**
 * Implements the port `Batches` over the journal's database.
 */

import { intentStates } from "../../api/operations/transfer.js";
import type { BatchDigest } from "../../ports/batch-plan.js";
import type { Batches, BatchRecord, BatchRow, BatchRules, Refusal, RowOutcome } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Anchoring } from "../anchor/anchoring.js";
import { rangesOf } from "../intents/batch-events.js";
import { recordsOf } from "../intents/record.js";
import { outcomeKept } from "../intents/refusals.js";
import { settingsChangesWarning } from "../intents/settings-record.js";
import type { LoggedAttempts } from "../postgres/logged.js";
import { cellsOf, rowOf, rowPages, transferIn } from "../tables/batch-row.js";
import { type Connection, Contradiction, type Deed, type Trouble } from "../tables/connection.js";
import { timesOf, windowStartOf } from "../tables/service-time.js";
import { among, list, type Reading, raw, sql, within } from "../tables/sql.js";
import { storedIntents, tablesIn } from "../tables/tables.js";
import type { WriteTransaction } from "../tables/transaction.js";
import { abandon, abandonedOf, type Rest, restOf } from "./abandon.js";
import { advance, type Place, placeAfter } from "./advance.js";
import { type BatchDependencies, beginBatch, duplicateQuery, duplicatesOf } from "./begin.js";
import { notMade, rowsToCheck } from "./duplicates.js";
import {
	approvalsOf,
	loadRows,
	openBatch,
	recordBatch,
	rowsWhere,
	type StoredBatch,
	sealBatch,
	sendersAtWork,
	storedBatch,
	storedBatchNamed,
	wrongState,
} from "./table.js";

/** Rows of one page. Longer pages outlive V8's young generation and raise peak memory (by 10 MB at 1,000 rows). */
const page = 250;

/** Rows after which the journal's anchor is advanced. */
const anchorEvery = 1_000;

/** A batch that this process sends: how far it is, and the rows marked since the anchor advanced. */
interface SendingBatch {
	batch: StoredBatch;
	place: Place;
	unanchored: number;
	anchoring?: Anchoring;
	mapping?: string;
}

/** An open journal, for its batches; see `Engine`. */
interface Opened extends Pick<BatchDependencies, "senders">, Pick<Batches, "team" | "close"> {
	connection: Connection;
	trouble: Trouble;
	logged?: LoggedAttempts;
	guard(fresh: boolean): Promise<unknown>;
	anchoring(): Promise<Anchoring | undefined>;
}

/** The batches of an open journal, which they close. */
export function batchesOver(engine: Opened, rules: BatchRules): Batches {
	const { connection, logged, senders, anchoring, team } = engine;
	const dependencies = { rules, senders };
	const { guarded } = engine.trouble;
	const sendingBatches = new Map<string, SendingBatch>();
	/** Batches that this process loads: the numbers of their rows in the file. */
	const loading = new Map<string, [number, number][]>();
	let writeFailure: unknown;
	const run = <T>(job: (transaction: WriteTransaction) => Promise<T>, deed?: Deed): Promise<T> =>
		guarded(() => connection.write(job), deed);
	/** @throws the reason of a refusal itself */
	const read = <T>(job: (reading: Reading) => Promise<T>): Promise<T> =>
		guarded(() =>
			connection.read(job).catch((error) => {
				throw error instanceof RefusedJob ? error.reason : error;
			}),
		);
	const named = (batch: string): Promise<StoredBatch> => read((reading) => storedBatchNamed(reading, batch));
	const record = (batch: string): Promise<BatchRecord> =>
		read(async (reading) => recordOfBatch(reading, await storedBatchNamed(reading, batch), dependencies));
	const rest = async (batch: string): Promise<Rest> => {
		const stored = await named(batch);
		return guarded(() => restOf(connection.read, rules, stored));
	};
	return {
		...(team && { team }),
		close: engine.close,
		async open(shared) {
			for (const left of await read((reading) => abandonedLoads(reading, dependencies)))
				await run((transaction) => clear(transaction, left));
			const opened = await run(async (transaction) => openBatch(transaction, await senders.own(), shared), "plan");
			loading.set(opened.batch, []);
			return opened;
		},
		async load(batch, rows) {
			await run((transaction) => loadRows(transaction, rules, batch, rows));
			rangesOf(
				rows.map(({ row }) => row),
				loading.get(batch),
			);
		},
		duplicates: (batch, digest: BatchDigest, takes, skew) =>
			run(async (transaction) => {
				const since = windowStartOf(rules, displayTimes(transaction, skew));
				return duplicatesOf(transaction, await storedBatchNamed(transaction, batch), { digest, takes, since });
			}),
		notMade: (batch, takes) =>
			run(async (transaction) => {
				// A day at least: what an answer refused wrongly is listed by then.
				const duplicateWindowStart = (now: Date): Date =>
					new Date(Math.min(rules.duplicateWindowStart(now).getTime(), now.getTime() - 86_400_000));
				const since = windowStartOf({ duplicateWindowStart }, await timesOf(tablesIn(transaction), undefined));
				return notMade(transaction, await storedBatchNamed(transaction, batch), takes, since);
			}),
		toCheck: (batch, asked) =>
			run(async (transaction) => {
				const since = windowStartOf(rules, displayTimes(transaction, asked.skew));
				const query = duplicateQuery(await storedBatchNamed(transaction, batch), asked.takes);
				return rowsToCheck(transaction, { ...query, since }, asked);
			}),
		seal: (batch, plan) => run((transaction) => sealBatch(transaction, batch, plan, loading.get(batch) ?? []), "plan"),
		discard: (batch) => run(async (transaction) => clear(transaction, await discardBatch(transaction, batch))),
		async begin(batch, states, allowed, skew) {
			await guarded(() => engine.guard(false));
			const anchor = await guarded(anchoring);
			const { changed, takes, since } = await run(async (transaction) => {
				const begun = await beginBatch(transaction, dependencies, batch, states, allowed, skew);
				return { ...begun, since: Number((await transaction.get(sql`SELECT max(seq) AS seq FROM event`))?.seq) };
			}, "send");
			// If this fails, no row was marked yet and the batch can be resumed.
			await guarded(async () => anchor?.renew());
			const stored = await named(batch);
			const { only } = allowed;
			const place = { takes, since, after: only === undefined ? stored.first - 1 : stored.last, again: only ?? [] };
			sendingBatches.set(batch, { batch: stored, place, unanchored: 0, anchoring: anchor, mapping: allowed.mapping });
			return { ...(await record(batch)), warning: settingsChangesWarning(changed) };
		},
		async advance(batch, ended, want, skew) {
			const sending = sendingBatches.get(batch);
			if (sending === undefined) throw new Contradiction(`batch ${batch} was not begun by this process`);
			// After a failed write it is unknown what the disk holds, so this process sends nothing more.
			if (writeFailure !== undefined && want > 0) throw writeFailure;
			// The log first: what the service answered must not depend on the way to a database.
			const isKept = await logged?.keep(ended);
			try {
				// Before rows are marked, so that a failure leaves none in doubt.
				if (want > 0 && sending.unanchored >= anchorEvery) {
					await guarded(async () => sending.anchoring?.renew());
					sending.unanchored = 0;
				}
				const { place, mapping } = sending;
				const step = (ends: readonly RowOutcome[], want: number) =>
					run(async (transaction) => {
						const begun = await advance(transaction, dependencies, sending.batch, { ended: ends, want, skew, ...place });
						return { begun, head: transaction.head, at: transaction.now.toISOString() };
					});
				const { begun, head, at } = await step(ended, want);
				const { number, shared } = sending.batch;
				const rows = begun.map(({ number, attempt, row, transfer }) => [number, attempt, row, cellsOf(transfer)] as const);
				await logged?.recorded(head, ended, begun, { is: "mark", at, batch: number, shared, mapping, skew, rows }).catch(async (error) => {
					const outcome = { state: "not-sent", reason: "this machine's log could not be written" } as const;
					await step(
						begun.map(({ number }) => ({ number, outcome })),
						0,
					);
					throw error;
				});
				sending.place = placeAfter(place, begun, ended);
				sending.unanchored += begun.length;
				return begun;
			} catch (error) {
				writeFailure = error;
				throw isKept ? outcomeKept(error) : error;
			}
		},
		async release(batch) {
			const anchor = sendingBatches.get(batch)?.anchoring;
			sendingBatches.delete(batch);
			await run(async (transaction) => {
				const [stored, sender] = [await storedBatchNamed(transaction, batch), await senders.own()];
				if (stored.senders.includes(sender)) await recordBatch(transaction, stored, "released", { sender });
			});
			await guarded(async () => anchor?.renew());
		},
		async rest(batch) {
			const { rows, totals } = await rest(batch);
			return { rows, totals };
		},
		async abandon(batch, asked) {
			const found = await rest(batch);
			await run((transaction) => abandon(transaction, dependencies, batch, { ...asked, found }));
			return record(batch);
		},
		list: () =>
			read(async (reading) => {
				const records: BatchRecord[] = [];
				for (const row of await reading.all(sql`SELECT * FROM batch WHERE state <> 'loading' ORDER BY number DESC`))
					records.push(await recordOfBatch(reading, storedBatch(row), dependencies));
				return records;
			}),
		show: (batch) =>
			read(async (reading) => {
				const row = await reading.get(sql`SELECT * FROM batch WHERE number = ${Number(batch) || 0} AND state <> 'loading'`);
				if (row === undefined) return undefined;
				const stored = storedBatch(row);
				const record = await recordOfBatch(reading, stored, dependencies);
				return record.counts.refused === 0 ? record : { ...record, refusals: await refusalsOf(reading, stored) };
			}),
		async *rows(batch, states) {
			yield* rowsOf(connection, await named(batch), dependencies, states);
		},
		/** Reads only the transfers, as fast as possible: they are compared with the approved digest before the first row is sent. */
		async *planned(batch) {
			for await (const found of rowPages(connection.read, await named(batch), { page })) yield found.map(transferIn);
		},
	};
}

/** For display only, so this machine's time is good enough if the service's is not known. */
const displayTimes = ({ now }: WriteTransaction, skew = 0) => ({ now, service: new Date(now.getTime() + skew) });

/** One sum per state instead of GROUP BY, which would make SQLite sort a million rows in memory. */
const sumsByState = list(intentStates.map((state) => raw(`count(CASE WHEN state = '${state}' THEN 1 END) AS "${state}"`)));

async function recordOfBatch(reading: Reading, batch: StoredBatch, { senders }: Pick<BatchDependencies, "senders">): Promise<BatchRecord> {
	if (batch.plan === undefined) throw wrongState(batch, "was never planned to the end").reason;
	const found = (await reading.get(sql`SELECT ${sumsByState} FROM intent WHERE ${rowOf(batch)}`)) ?? {};
	const { number, state, plan, begun } = batch;
	const atWork = await sendersAtWork(batch, senders);
	const counts = Object.fromEntries(intentStates.map((state) => [state, Number(found[state])])) as Record<IntentState, number>;
	// Rows of a dead sender without an outcome are in doubt.
	const isLeft = sql`state = 'sending' AND state IN ('sending', 'in-doubt') AND NOT ${among(sql`sender`, atWork)}`;
	const left = counts.sending === 0 ? 0 : await rowsWhere(reading, batch, isLeft);
	counts.sending -= left;
	counts["in-doubt"] += left;
	return {
		batch: String(number),
		state,
		plan,
		service: batch.shared.service,
		sandbox: batch.shared.sandbox,
		begun,
		approvals: begun === undefined ? undefined : await approvalsOf(reading, batch),
		abandoned: await abandonedOf(reading, batch),
		sending: atWork.length > 0,
		counts,
	};
}

/** Most reasons for refusals that are told apart, and most rows that one names. */
const [mostReasons, mostRowsNamed] = [100, 8];

/** Why rows were refused. Page by page, because SQLite would sort a million rows in memory to group them. */
async function refusalsOf(reading: Reading, batch: StoredBatch): Promise<Refusal[]> {
	const reasons = new Map<string, Refusal & { first: number[] }>();
	const [columns, where] = [sql`number, row, result`, sql`state = 'refused'`];
	for await (const found of rowPages(within(reading), batch, { columns, where, page }))
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

async function* rowsOf(
	connection: Connection,
	batch: StoredBatch,
	{ senders }: Pick<BatchDependencies, "senders">,
	states?: readonly IntentState[],
): AsyncGenerator<BatchRow[]> {
	const wanted = states && new Set(states);
	// A row stored as "sending" is in doubt if its sender is dead, so read those too.
	const read = states && [...states, ...(states.includes("in-doubt") ? ["sending" as const] : [])];
	const where = read && among(sql`state`, read);
	for await (const found of rowPages(connection.read, batch, { columns: sql`*`, where, page })) {
		const stored = await connection.read((reading) => storedIntents(reading, found));
		const rows = (await recordsOf(stored, senders)) as BatchRow[];
		const matching = wanted ? rows.filter(({ state }) => wanted.has(state)) : rows;
		if (matching.length > 0) yield matching;
	}
}

/** Marks a batch for removal by {@link clear}. @returns its number @throws RefusedJob, if it was begun */
async function discardBatch(transaction: WriteTransaction, name: string): Promise<number> {
	const batch = await storedBatchNamed(transaction, name);
	if (batch.state === "begun" || batch.state === "abandoned")
		throw wrongState(batch, `was ${batch.state === "begun" ? "begun" : "cancelled"}, and stays on record`);
	if (batch.state === "planned") await recordBatch(transaction, batch, "discarded", {});
	return batch.number;
}

/** Batches that are `loading` although no living process loads them. */
async function abandonedLoads(reading: Reading, { senders }: Pick<BatchDependencies, "senders">): Promise<number[]> {
	const loading = (await reading.all(sql`SELECT * FROM batch WHERE state = 'loading'`)).map(storedBatch);
	const left: number[] = [];
	for (const batch of loading) if ((await sendersAtWork(batch, senders)).length === 0) left.push(batch.number);
	return left;
}

/** Removes a batch that is loading, with its rows. */
async function clear(transaction: WriteTransaction, number: number): Promise<void> {
	const row = await transaction.get(sql`SELECT * FROM batch WHERE number = ${number} AND state = 'loading'`);
	if (row === undefined) return;
	await transaction.run(sql`DELETE FROM intent WHERE ${rowOf(storedBatch(row))}`);
	await transaction.run(sql`DELETE FROM batch WHERE number = ${number}`);
}
