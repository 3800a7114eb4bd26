/**
 * A batch as the tests of the journal load it: what its rows have in common, its rows, its plan; and a journal with batches in it.
 */
import { expect } from "vitest";
import { RowsDigest } from "../../src/api/operations/rows-digest.js";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { PurserError } from "../../src/errors.js";
import type { Approval, BatchPlan } from "../../src/ports/batch-plan.js";
import type { Batches, BatchShared } from "../../src/ports/batches.js";
import type { IntentState, JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { newFolder, open, openRows, removeFolders, type TestClock, type TestOptions, tamper, testClock } from "./journals.js";
import { ledgerA, ledgerB } from "./payment.js";

export const shared: BatchShared = {
	profile: "test",
	origin: "https://api.example.com",
	operations: {
		ledger: { operation: "transaction.interLedger", method: "POST", path: "/api/partner/transactions/inter-ledger" },
		beneficiary: { operation: "transaction.beneficiary", method: "POST", path: "/api/partner/transactions/beneficiary" },
	},
};

export const rowStates: readonly IntentState[] = [
	...(["planned", "sending", "accepted", "waiting", "refused"] as const),
	...(["not-sent", "in-doubt", "not-created", "abandoned"] as const),
];

/** Nothing is said of rows alike. */
export const none = { duplicates: 0 };

export const transfer = (index: number): Transfer => ({
	kind: "ledger",
	ledgerFromId: ledgerA,
	counterpartyId: ledgerB,
	amount: "1.10",
	currency: "EUR",
	reference: `Row ${index}`,
});

/** @param amount the sum of all rows */
export const planOf = (
	batch: string,
	count: number,
	amount: string,
	digest = { rows: "a".repeat(64), sequence: "b".repeat(64) },
): BatchPlan => ({
	version: 1,
	batch,
	installation: "i",
	profile: "test",
	environment: "sandbox",
	origin: shared.origin,
	source: "pay.csv",
	sourceDigest: "0".repeat(64),
	count,
	digest,
	totals: [{ ledgerFromId: ledgerA, currency: "EUR", rows: count, amount }],
	largest: [{ currency: "EUR", amount: "1.10" }],
	settings: {},
	duplicates: { inside: 0, earlier: 0 },
	planned: "2026-03-01T10:00:00.000Z",
	expires: "2026-03-02T10:00:00.000Z",
});

export function digestOf(rows: readonly { transfer: Transfer }[]): BatchPlan["digest"] {
	const digest = new RowsDigest();
	for (const row of rows) digest.add(row.transfer);
	return digest.finish();
}

/** Loads and seals rows of 1.10 EUR each. @param plan what of the plan is not the usual */
export async function planned(batches: Batches, indexes: readonly number[], plan: Partial<BatchPlan> = {}): Promise<string> {
	const { batch } = await batches.open(shared);
	const rows = indexes.map((index, at) => ({ row: at + 1, transfer: transfer(index) }));
	await batches.load(batch, rows);
	const digest = { rows: plan.digest?.rows ?? batch.padStart(64, "0"), sequence: digestOf(rows).sequence };
	await batches.seal(batch, { ...planOf(batch, indexes.length, ((indexes.length * 110) / 100).toFixed(2)), ...plan, digest });
	return batch;
}

/** Sends the first rows, which end so; nobody sends the batch afterwards. @returns their numbers */
export async function sent(
	batches: Batches,
	batch: string,
	outcomes: readonly JournalOutcome[],
	approvals?: readonly Approval[],
): Promise<number[]> {
	await batches.begin(batch, ["planned"], { ...none, ...(approvals && { approvals }) });
	const rows = await batches.advance(batch, [], outcomes.length);
	await endRows(batches, batch, rows, (_, at) => outcomes[at] as JournalOutcome);
	await batches.release(batch);
	return rows.map(({ number }) => number);
}

/** Records how rows that were marked have ended, and marks more. @param outcome of the row of that number, by its place among these */
export const endRows = (
	batches: Batches,
	batch: string,
	rows: readonly { number: number }[],
	outcome: (number: number, at: number) => JournalOutcome,
	want = 0,
	skew?: number,
) =>
	batches.advance(
		batch,
		rows.map(({ number }, at) => ({ number, outcome: outcome(number, at) })),
		want,
		skew,
	);

/** A journal and its batches in a folder of their own, by one clock. */
export interface World {
	folder: string;
	clock: TestClock;
	journal: Journal;
	batches: Batches;
	/** Batches as another process has them. */
	another(more?: TestOptions): Promise<Batches>;
	/** As {@link tamper} does; such a world need not add up at its end. */
	tamper(sql: string): Promise<void>;
}

let worlds: World[] = [];

export async function worldWith(settings: Record<string, string> = {}, driver: TestOptions["driver"] = undefined): Promise<World> {
	const [folder, clock] = [newFolder(), testClock()];
	const options = { settings, driver, clock };
	const another = (more: TestOptions = {}) => openRows(folder, { ...options, ...more });
	const world: World = {
		...{ folder, clock, another, journal: await open(folder, options), batches: await another() },
		tamper: (sql) => {
			worlds = worlds.filter((one) => one !== world);
			return tamper(world.journal, sql, driver);
		},
	};
	worlds.push(world);
	return world;
}

/** For after each test: whatever was done in a world, its journal adds up; then all of it goes. */
export async function endWorlds(): Promise<void> {
	const ended = worlds;
	worlds = [];
	const faults: string[] = [];
	for (const { journal } of ended) faults.push(...(await journal.verify()).faults);
	await removeFolders();
	expect(faults).toEqual([]);
}

/** What was refused, in the project's own words. */
export async function failure(work: Promise<unknown>): Promise<PurserError> {
	const error = await work.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(PurserError);
	return error as PurserError;
}
