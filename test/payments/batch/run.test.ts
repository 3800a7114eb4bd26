/**
 * The end of a run over a batch where the journal fails: its exit code tells of what left, never that nothing did.
 */

import { describe, expect, test } from "vitest";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { PurserError } from "../../../src/errors.js";
import { checkRows, runBatch, Tally } from "../../../src/payments/batch/send/run.js";
import { outcomeOfRun } from "../../../src/payments/batch/send/text.js";
import type { BatchPlan } from "../../../src/ports/batch-plan.js";
import type { Batches, BatchRecord, MarkedRow } from "../../../src/ports/batches.js";
import type { JournalOutcome } from "../../../src/ports/intent.js";
import { changed, smallContext } from "../../support/context.js";
import { none } from "./plans.js";

const transfer = { kind: "ledger", ledgerFromId: "a", counterpartyId: "b", amount: "1" } as const;
const row: MarkedRow = { number: 1, row: 1, attempt: 1, transfer };
// Worked out apart from the program: SHA-256 over `28:6:ledger|1:a|1:b|1:1|-|-|-|-` and over the row's own.
const planned = {
	batch: "7",
	digest: {
		sequence: "e1b6dc3d32bf16b5639fd69ed7cc88270a142bc51dcd5fa0a6f2237ba2df5520",
		rows: "265c08d90b16104d7ecc7159ecc35e3603d91aa3d10c192df169c999bb0a713b",
	},
} as BatchPlan;
const record = (counts: Partial<BatchRecord["counts"]>, sending: boolean): BatchRecord => ({
	batch: "7",
	state: "begun",
	plan: { count: 1 } as BatchRecord["plan"],
	sending,
	counts: { ...none, ...counts },
});
const full = () => Promise.reject(new PurserError("usage", { code: "JOURNAL_FULL", message: "the disk is full", fix: "Make room." }));

/** A journal of one row that fails from the moment at which that row has left. */
function run(given: Partial<Batches> = {}) {
	const { context, said } = smallContext({ realSleep: true });
	const batches = {
		begin: async () => record({ planned: 1 }, true),
		rows: async function* () {
			yield [{ transfer }];
		},
		planned: async function* () {
			yield [transfer];
		},
		advance: async (_: string, ended: readonly unknown[]) => (ended.length === 0 ? [row] : full()),
		release: full,
		show: async () => record({ sending: 1 }, true),
		...given,
	} as unknown as Batches;
	const outcome: JournalOutcome = { state: "accepted", id: "11111111-1111-4111-8111-111111111111", status: 201 };
	const service = { sender: async () => async () => ({ outcome, status: 201, took: 1 }), mappingOf: () => undefined };
	const limits = { jobs: 1, open: 1 };
	const allowed = { duplicates: 0 };
	const ran = runBatch(
		{ ...changed(context, { journal: { batches: async () => batches } }), service: service as never },
		{ plan: planned, takes: ["planned"], allowed, limits },
	);
	return { ran, said };
}

const refusedBy = (given: Partial<Batches>): Promise<PurserError | undefined> =>
	run(given).ran.then(
		() => undefined,
		(cause: unknown) => cause as PurserError,
	);

describe("a batch whose journal fails once a row has left", () => {
	test("ends with the row in doubt, exit 7, also where it cannot be given back", async () => {
		const { ran, said } = run();
		const ended = await ran;
		expect([ended.counts, ended.sending, ended.run.accepted]).toEqual([{ ...none, "in-doubt": 1 }, false, 1]);
		expect(outcomeOfRun(ended)).toBe("unknown");
		expect(said.join()).toContain("the outcome of 1 rows could not be recorded");
	});

	test("control: given back, the journal's own word stands", async () => {
		const ended = await run({ release: async () => {}, show: async () => record({ "in-doubt": 1 }, false) }).ran;
		expect([ended.counts, outcomeOfRun(ended)]).toEqual([{ ...none, "in-doubt": 1 }, "unknown"]);
	});

	test.each([
		["cannot be read", full],
		["does not hold it any more", async () => undefined],
	])("that %s: exit 7, and money may have moved", async (_, show) => {
		const error = await refusedBy({ show });
		expect([error?.exit, error?.failure.code, error?.failure.moneyMayHaveMoved]).toEqual([7, "BATCH_NOT_TOLD", true]);
	});
});

describe("a batch whose team's database goes away", () => {
	const refused = (code: string) => () =>
		Promise.reject(new PurserError("unavailable", { code, message: `kept or not: ${code}`, fix: "Check the network." }));
	const advance = (code: string) => async (_: string, ended: readonly unknown[]) => (ended.length === 0 ? [row] : refused(code)());
	const away = refused("JOURNAL_AWAY");

	test.each([
		["is kept", "OUTCOME_KEPT", 6, "BATCH_AWAY"],
		["is not kept", "JOURNAL_AWAY", 7, "BATCH_NOT_TOLD"],
	])("where what was answered %s", async (_, kept, exit, code) => {
		const error = await refusedBy({ advance: advance(kept), show: away, release: away } as never);
		expect([error?.exit, error?.failure.code]).toEqual([exit, code]);
	});

	test("nothing was on its way: exit 6", async () => {
		const error = await refusedBy({ advance: away, show: away, release: away } as never);
		expect([error?.exit, error?.message]).toEqual([
			6,
			"Batch 7 stopped: the team's journal cannot be reached. What was on its way has ended, and is on record",
		]);
	});
});

describe("the rows on record are held against the plan before the first of them leaves", () => {
	const held = (rows: Transfer[], plan = planned) => {
		async function* recorded() {
			yield rows;
		}
		return checkRows({ planned: recorded } as unknown as Batches, plan);
	};

	test.each<[string, Transfer[]]>([
		["another amount", [{ ...transfer, amount: "2" }]],
		["another payee", [{ ...transfer, counterpartyId: "c" }]],
		["one more", [transfer, transfer]],
		["none", []],
	])("%s: nothing is sent", async (_, rows) => {
		await expect(held([transfer])).resolves.toBeUndefined();
		await expect(held(rows)).rejects.toMatchObject({ kind: "guard", failure: { code: "ROWS_CHANGED" } });
	});

	test.each(["sequence", "rows"] as const)("either digest is enough to stop it: %s", async (which) => {
		const plan = { ...planned, digest: { ...planned.digest, [which]: "0".repeat(64) } };
		await expect(held([transfer], plan)).rejects.toMatchObject({ failure: { code: "ROWS_CHANGED" } });
	});
});

test("a row that was refused for the moment is counted once, whatever becomes of it when it is sent again", () => {
	const tally = new Tally(record({ planned: 2 }, true), ["planned"], 0);
	tally.add({ state: "refused", status: 429 }, 1, true);
	expect([tally.refused, [...tally.again]]).toEqual([1, [1]]);
	tally.add({ state: "accepted", id: "a", status: 201 }, 1);
	expect([tally.refused, tally.accepted, tally.sent, [...tally.again]]).toEqual([0, 1, 1, []]);
});
