/**
 * The port of batches over the journal's database.
 */

import type { BatchDigest } from "../../ports/batch-plan.js";
import type { Batches, BatchRecord, BatchRow } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Anchoring } from "../anchor/anchoring.js";
import { type CommitQueue, RefusedJob } from "../intents/queue.js";
import { recordOf } from "../intents/record.js";
import { outsideWords } from "../intents/settings-record.js";
import type { Dependencies } from "../intents/write.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import { sinceOf } from "../sqlite/service-time.js";
import type { Guarded, Storage } from "../sqlite/storage.js";
import { storedIntent } from "../sqlite/tables.js";
import { statement, type WriteTransaction } from "../sqlite/transaction.js";

import { abandon, abandonedOf, type Rest, restOf } from "./abandon.js";
import { advance } from "./advance.js";
import { type BatchDependencies, beginBatch, duplicatesOf } from "./begin.js";
import { abandonedLoads, clearSome, discardBatch } from "./clear.js";
import { sqlList } from "./duplicates.js";
import { notCreated } from "./not-created.js";
import { approvalsOf, loadRows, openBatch, type StoredBatch, sealBatch, storedBatch, storedBatchNamed, wrongState } from "./table.js";

/** Rows of one page. A longer page outlives V8's young generation, and a batch's peak of memory with it (10 MB at 1,000 rows). */
const page = 250;

/** Rows after which the journal's anchor is moved on. */
const anchoredEvery = 1_000;

/**
 * Batches of one open journal.
 * @param guarded turns what the storage throws into an error for people
 * @param anchoringOf what holds the journal against its anchor, where it has one
 */
export function batchesOver(
	storage: Storage,
	queue: CommitQueue,
	dependencies: BatchDependencies,
	guarded: Guarded,
	anchoringOf: () => Promise<Anchoring | undefined> = async () => undefined,
): Omit<Batches, "close"> {
	/** Of a batch that this process sends: how far it has taken rows, since which event, and how many since its journal was anchored. */
	const under = new Map<string, { batch: StoredBatch; after: number; since: number; unanchored: number; anchoring?: Anchoring }>();
	let broken: unknown;
	// Whoever adds or sends a million rows writes all over the indexes: with less in memory each step would go to the file.
	const makeRoom = (): void => storage.exec("PRAGMA cache_size = -6144");
	const run = <T>(job: (transaction: WriteTransaction) => T): Promise<T> => guarded(() => queue.run(job));
	const clear = async (batch: number): Promise<void> => {
		while (!(await run((transaction) => clearSome(transaction, batch))));
	};
	const rest = (batch: string): Promise<Rest> =>
		guarded(async () => unwrapped(() => restOf(storage, dependencies.rules, storedBatchNamed(storage, batch))));
	return {
		open: async (shared) => {
			makeRoom();
			for (const left of await guarded(async () => abandonedLoads(storage, dependencies.lives))) await clear(left);
			return run((transaction) => openBatch(transaction, dependencies.own(), shared));
		},
		load: (batch, rows) => run((transaction) => loadRows(transaction, dependencies.rules, batch, rows)),
		// Shown, not decided on: where the service's time is not known, this machine's is taken.
		duplicates: (batch, digest: BatchDigest, takes, skew) =>
			run((transaction) => {
				const service = new Date(transaction.now.getTime() + (skew ?? 0));
				const since = sinceOf(dependencies.rules, { now: transaction.now, service });
				return duplicatesOf(transaction, dependencies, storedBatchNamed(storage, batch), { digest, takes, since });
			}),
		notCreated: (batch, takes) => guarded(async () => unwrapped(() => notCreated(storage, storedBatchNamed(storage, batch), takes))),
		firstTimePayees: (batch) => guarded(async () => unwrapped(() => firstTimePayees(storage, storedBatchNamed(storage, batch)))),
		seal: (batch, plan) => run((transaction) => sealBatch(transaction, batch, plan)),
		discard: async (batch) => clear(await run((transaction) => discardBatch(transaction, batch))),
		begin: async (batch, takes, allowed, skew) => {
			makeRoom();
			const anchoring = await guarded(anchoringOf);
			await guarded(async () => anchoring?.allow(false));
			const { changed, since } = await run((transaction) => {
				const changed = beginBatch(transaction, dependencies, batch, takes, allowed, skew);
				return { changed, since: Number(transaction.sql("SELECT max(seq) AS seq FROM event").get()?.seq) };
			});
			// Where this fails, no row was marked: the batch goes on later.
			await guarded(() => anchoring?.renew());
			const stored = storedBatchNamed(storage, batch);
			under.set(batch, { batch: stored, after: stored.first - 1, since, unanchored: 0, anchoring });
			return { ...recordOfBatch(storage, stored, dependencies), warning: outsideWords(changed) };
		},
		advance: async (batch, ended, want, skew) => {
			const place = under.get(batch);
			if (place === undefined) throw new Error(`batch ${batch} was not begun by this process`);
			// After a failed write nobody knows what the disk holds: nothing more is sent by this process.
			if (broken !== undefined && want > 0) throw broken;
			try {
				// Before rows are marked: where this fails none is left in doubt.
				if (want > 0 && place.unanchored >= anchoredEvery) {
					await guarded(() => place.anchoring?.renew());
					place.unanchored = 0;
				}
				const { after, since } = place;
				const begun = await run((transaction) => advance(transaction, dependencies, place.batch, { ended, want, after, since, skew }));
				place.after = begun.at(-1)?.number ?? place.after;
				place.unanchored += begun.length;
				return begun;
			} catch (error) {
				broken = error;
				throw error;
			}
		},
		release: async (batch) => {
			const anchoring = under.get(batch)?.anchoring;
			under.delete(batch);
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
			makeRoom();
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
				return row && recordOfBatch(storage, storedBatch(row), dependencies);
			}),
		rows: (batch, states) =>
			rowsOf(
				storage,
				unwrapped(() => storedBatchNamed(storage, batch)),
				dependencies,
				states,
			),
		planned: (batch) =>
			plannedOf(
				storage,
				unwrapped(() => storedBatchNamed(storage, batch)),
			),
	};
}

/** Outside a transaction a refusal is the error itself. */
function unwrapped<T>(ask: () => T): T {
	try {
		return ask();
	} catch (error) {
		throw error instanceof RefusedJob ? error.reason : error;
	}
}

const states: readonly IntentState[] = [
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
/** A sum for each: to group a million rows, SQLite would sort them in memory first. */
const countStates = `SELECT ${states.map((state) => `total(state = '${state}') AS "${state}"`).join(", ")} FROM intent WHERE number BETWEEN ? AND ? AND batch = ?`;

function recordOfBatch(storage: Storage, batch: StoredBatch, { lives }: Pick<Dependencies, "lives">): BatchRecord {
	if (batch.plan === undefined) throw wrongState(batch, "was never planned to the end");
	const sending = batch.sender !== undefined && lives(batch.sender);
	const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<IntentState, number>;
	const found = statement(storage, countStates).get(batch.first, batch.last, batch.number) ?? {};
	for (const state of states) {
		// What nobody sends any more and has no outcome is in doubt.
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
		begun,
		approvals,
		abandoned: abandonedOf(storage, batch),
		sending,
		counts,
	};
}

async function* rowsOf(
	storage: Storage,
	batch: StoredBatch,
	{ lives }: Dependencies,
	states?: readonly IntentState[],
): AsyncGenerator<BatchRow[]> {
	const wanted = states && new Set(states);
	// What is being sent may turn out to be in doubt: it is read for both.
	const read = states && sqlList([...states, ...(states.includes("in-doubt") ? ["sending" as const] : [])]);
	for (const found of rowPages(storage, batch, { columns: "*", where: read && `state IN (${read})`, page })) {
		const rows = found.map((row) => recordOf(storedIntent(storage, row), lives) as BatchRow);
		const fitting = wanted ? rows.filter(({ state }) => wanted.has(state)) : rows;
		if (fitting.length > 0) yield fitting;
	}
}

/** Only what is to be sent, as quickly as it can be read: what is approved is compared with it before the first row leaves. */
async function* plannedOf(storage: Storage, batch: StoredBatch) {
	for (const found of rowPages(storage, batch, { page })) yield found.map(transferIn);
}

/** Credited parties of the batch that no accepted transfer of this journal went to before; SQLite compares them, sorted, on disk if need be. */
function firstTimePayees(storage: Storage, { first, last, number }: StoredBatch): { ledgers: number; beneficiaries: number } {
	const mine = "SELECT lower(content->>2) FROM intent WHERE number BETWEEN ?1 AND ?2 AND batch = ?3 AND content->>0 = ?4";
	const paid = `SELECT lower(CASE WHEN batch IS NULL THEN content->>'$.transfer.counterpartyId' ELSE content->>2 END) FROM intent WHERE effect = 'money' AND state IN ('accepted', 'waiting')`;
	const count = (kind: "l" | "b"): number =>
		Number(statement(storage, `SELECT count(*) AS parties FROM (${mine} EXCEPT ${paid})`).get(first, last, number, kind)?.parties);
	return { ledgers: count("l"), beneficiaries: count("b") };
}
