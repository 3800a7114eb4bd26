import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { PlannedRow } from "../../src/ports/batch-plan.js";
import type { Batches } from "../../src/ports/batches.js";
import type { JournalOutcome } from "../../src/ports/intent.js";
import {
	digestOf,
	endRows,
	endWorlds,
	none,
	planned as plannedRows,
	planOf,
	rowStates,
	sent,
	shared,
	transfer,
	worldWith,
} from "./batch.js";
import { codeOf, doubtful, drivers, stores } from "./journals.js";
import { payment } from "./payment.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const nothing = Object.fromEntries(rowStates.map((state) => [state, 0]));

/** @param rows what stands for them in its digest */
const planned = (batches: Batches, indexes: readonly number[], rows = "a") =>
	plannedRows(batches, indexes, { digest: { rows: rows.repeat(64), sequence: "b".repeat(64) } });
const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e01";
const notCreated = { state: "not-created", evidence: { source: "person", reason: "it was looked up" } } as const;

describe.each(stores)("batches, with %s", (driver) => {
	test("two that are loaded at once verify, with the numbers that their rows have in the file", async () => {
		const { batches, journal, another, tamper } = await worldWith({}, driver);
		const other = await another();
		const [one, two] = [(await batches.open(shared)).batch, (await other.open(shared)).batch];
		const rows = [2, 3, 7, 8, 12].map((row) => ({ row, transfer: transfer(row) }));
		await batches.load(one, rows.slice(0, 3));
		await other.load(two, rows);
		await journal.begin(payment());
		await batches.load(one, rows.slice(3));
		await batches.seal(one, planOf(one, 5, "5.50", digestOf(rows)));
		await other.seal(two, planOf(two, 5, "5.50", digestOf(rows)));
		expect(await journal.verify()).toMatchObject({ intents: 11, faults: [] });
		await tamper("UPDATE intent SET row = 6 WHERE number = 3");
		expect((await journal.verify()).faults).toContain("intent 3 (row 6 of batch 1) is kept with another row than its events say");
	});

	test("a batch that was never planned to its end uses no number, one that was planned keeps its own", async () => {
		const { batches } = await worldWith({}, driver);
		await planned(batches, [1]);
		for (const rows of [[], [{ row: 1, transfer: transfer(2) }]]) {
			const { batch } = await batches.open(shared);
			await batches.load(batch, rows);
			await batches.discard(batch);
			expect(batch).toBe("2");
		}
		const [{ batch: refused }, { batch: later }] = [await batches.open(shared), await batches.open(shared)];
		await batches.discard(refused);
		expect([refused, later, (await batches.open(shared)).batch]).toEqual(["2", "3", "4"]);
		const sealed = await planned(batches, [5]);
		await batches.discard(sealed);
		expect([sealed, (await batches.open(shared)).batch]).toEqual(["5", "6"]);
	});

	test("why rows were refused is told with the first rows of each reason, the most frequent first, and bounded", async () => {
		const { batches } = await worldWith({}, driver);
		const batch = await planned(
			batches,
			Array.from({ length: 130 }, (_, at) => at + 1),
		);
		const apiCode = (row: number): string => (row > 102 ? "LIMIT" : `CODE_${row}`);
		const outcome = (row: number) => ({ state: "refused", status: 422, apiCode: apiCode(row) }) as const;
		await sent(batches, batch, [{ state: "refused", status: 400 }, ...Array.from({ length: 129 }, (_, at) => outcome(129 - at))]);
		const { refusals = [] } = (await batches.show(batch)) ?? {};
		expect(refusals[0]).toEqual({ status: 422, apiCode: "LIMIT", rows: 27, first: [2, 3, 4, 5, 6, 7, 8, 9] });
		expect(refusals).toContainEqual({ status: 400, apiCode: undefined, rows: 1, first: [1] });
		expect(refusals).toContainEqual({ rows: 4, first: [127, 128, 129, 130] });
		expect([refusals.length, refusals.reduce((all, { rows }) => all + rows, 0)]).toEqual([101, 130]);
	});

	test("rows to parties that were never paid, and to parties that are asked about, are told in their order; nothing of it is recorded", async () => {
		const { batches, journal } = await worldWith({}, driver);
		const party = (at: number): string => `dddddddd-0000-4000-8000-${String(at).padStart(12, "0")}`;
		const paying = (at: number, index: number) => ({ ...transfer(index), counterpartyId: party(at) });
		const accepted = (id: string) => ({ state: "accepted", id, status: 201 }) as const;
		await journal.end(await journal.begin(payment({ counterpartyId: party(1).toUpperCase() })), accepted(party(9)));
		await journal.end(await journal.begin(payment({ counterpartyId: party(2) })), { state: "refused", status: 422 });
		const earlier = (await batches.open(shared)).batch;
		const row = { row: 1, transfer: paying(3, 1) };
		await batches.load(earlier, [row]);
		await batches.seal(earlier, planOf(earlier, 1, "1.10", digestOf([row])));
		await sent(batches, earlier, [accepted(party(8))]);
		const events = (await journal.verify()).events;
		const { batch } = await batches.open(shared);
		const parties = [1, 2, 3, 4, 2, ...Array.from({ length: 300 }, (_, at) => 10 + (at % 290))];
		await batches.load(
			batch,
			parties.map((at, index) => ({ row: index + 1, transfer: paying(at, 100 + index) })),
		);
		const to = [party(3), party(4)].map((counterpartyId) => ({ kind: "ledger", counterpartyId }) as const);
		const asked = { takes: ["planned"], most: 3, alike: false, to } as const;
		const named = ({ row, transfer: of }: PlannedRow) => [row, of.counterpartyId];
		for (let round = 0; round < 2; round++) {
			const { first, newPayees, ...found } = await batches.toCheck(batch, asked);
			expect([first.map(named), newPayees.first.map(named), found.to.first.map(named)]).toEqual([
				[1, 2, 3].map((row) => [row, party(row)]),
				...[[...[2, 4].map((row) => [row, party(row)]), [6, party(10)]]],
				[3, 4].map((row) => [row, party(row)]),
			]);
			expect([newPayees.ledgers, newPayees.beneficiaries, found.to.rows]).toEqual([292, 0, 2]);
		}
		await batches.discard(batch);
		expect(await journal.verify()).toMatchObject({ faults: [], events });
	});

	test("each row is begun once, ends once, and the record can be played again", async () => {
		const { batches, journal, another } = await worldWith({}, driver);
		const batch = await planned(batches, [1, 2, 3, 4, 5]);
		expect((await batches.show(batch))?.counts).toEqual({ ...nothing, planned: 5 });
		expect((await batches.begin(batch, ["planned"], none)).sending).toBe(true);
		const first = await batches.advance(batch, [], 2);
		expect(first.map(({ row, attempt, transfer: of }) => [row, attempt, of.reference])).toEqual([
			[1, 1, "Row 1"],
			[2, 1, "Row 2"],
		]);
		const second = await endRows(batches, batch, first, () => ({ state: "accepted", id, status: 201 }), 10);
		expect(second.map(({ row }) => row)).toEqual([3, 4, 5]);
		const ends = [{ state: "refused", status: 422 } as const, { state: "not-sent", reason: "refused connection" } as const];
		await endRows(batches, batch, second.slice(0, 2), (_, at) => ends[at] as JournalOutcome, 10);
		// The second holder of one id is in doubt; the fifth row is still on its way.
		expect((await batches.show(batch))?.counts).toEqual({ ...nothing, accepted: 1, "in-doubt": 1, refused: 1, "not-sent": 1, sending: 1 });
		expect((await journal.list({ states: ["in-doubt"] })).map(({ row, batch: of, why }) => [row, of, why])).toEqual([
			[2, batch, `the service gave the id ${id}, which transfer ${first[0]?.number} holds`],
		]);
		expect((await journal.verify()).faults).toEqual([]);
		await batches.close();
		// Its sender is gone: the row on its way is in doubt, by itself.
		expect((await journal.list({ states: ["in-doubt"] })).map(({ row }) => row)).toEqual([5, 2]);
		const again = await another();
		const resumed = await again.begin(batch, ["planned", "not-sent", "not-created"], none);
		expect(resumed.counts).toEqual({ ...nothing, accepted: 1, "in-doubt": 2, refused: 1, "not-sent": 1 });
		expect((await again.advance(batch, [], 10)).map(({ row, attempt }) => [row, attempt])).toEqual([[4, 2]]);
		expect((await journal.verify()).faults).toEqual([]);
		expect((await journal.show(String(second[2]?.number)))?.events.map(({ kind }) => kind)).toEqual(["begun", "died"]);
	});

	test("a single payment like a row that was not created is an intent of its own: the row is the batch's", async () => {
		const { batches, journal } = await worldWith({}, driver);
		const batch = await planned(batches, [1]);
		const [number] = await sent(batches, batch, [{ state: "in-doubt", reason: "reset" }]);
		await journal.settle(String(number), notCreated, 1);
		const intent = await journal.begin(payment({ amount: "1.10", reference: "Row 1" }));
		expect(intent).not.toBe(String(number));
		expect((await batches.show(batch))?.counts).toMatchObject({ "not-created": 1, accepted: 0 });
		// It went out that way: the batch holds its row back.
		await journal.end(intent, { state: "accepted", id, status: 201 });
		expect(await codeOf(batches.begin(batch, ["planned", "not-sent", "not-created"], none))).toBe("DUPLICATE");
	});

	test("what a planner that died had loaded goes with the next plan, what a living one loads stays", async () => {
		const { batches: dying, another, journal } = await worldWith({}, driver);
		const living = await another();
		const rows = (count: number, start: number) =>
			Array.from({ length: count }, (_, at) => ({ row: at + 1, transfer: transfer(start + at) }));
		const left = (await dying.open(shared)).batch;
		const kept = (await living.open(shared)).batch;
		// More than one step of clearing away, with rows of another batch between them.
		await dying.load(left, rows(15_000, 0));
		await living.load(kept, rows(2, 50_000));
		await dying.load(left, rows(15_000, 20_000));
		const count = async (batch: string): Promise<number> => {
			let found = 0;
			for await (const some of living.planned(batch)) found += some.length;
			return found;
		};
		const whole = (await dying.open(shared)).batch;
		await dying.seal(whole, planOf(whole, 0, "0", digestOf([])));
		await dying.close();
		expect([await count(left), await count(kept)]).toEqual([30_000, 2]);
		const next = (await living.open(shared)).batch;
		expect(await count(kept)).toBe(2);
		expect([await codeOf(count(left)), await codeOf(living.load(left, rows(1, 0)))]).toEqual(["BATCH_UNKNOWN", "BATCH_UNKNOWN"]);
		// The living one goes on, and what was planned to its end stays.
		await living.load(kept, rows(1, 60_000));
		await living.seal(kept, planOf(kept, 3, "3.30"));
		await living.discard(next);
		expect((await living.list()).map(({ batch }) => batch)).toEqual([whole, kept]);
		expect((await living.show(kept))?.sending).toBe(false);
		await living.discard(kept);
		expect((await living.list()).map(({ batch }) => batch)).toEqual([whole]);
		expect(await journal.verify()).toMatchObject({ intents: 0, faults: [] });
	});

	test("the same rows, doubts, duplicates and caps hold it back", async () => {
		const { batches, journal, another } = await worldWith({}, driver);
		const first = await planned(batches, [1, 2, 3], "c");
		await batches.begin(first, ["planned"], none);
		const repeated = await planned(batches, [3, 2, 1], "c");
		const begun = (batch: string, duplicates = 0, by = batches) => codeOf(by.begin(batch, ["planned"], { duplicates }));
		expect(await begun(repeated)).toBe("BATCH_REPEATED");
		const near = await planned(batches, [2, 3, 4], "d");
		expect([await begun(near), await begun(near, 1), await begun(near, 2)]).toEqual(["DUPLICATE", "DUPLICATE", "done"]);
		expect(await begun(await planned(batches, [7, 7, 8], "e"))).toBe("DUPLICATE");
		// A single payment like a row that is still to leave is held back, and a row like a doubt is.
		expect(await codeOf(journal.begin(payment({ amount: "1.10", reference: "Row 4" })))).toBe("PLANNED_IN_BATCH");
		const intent = await doubtful(journal, { amount: "1.10", reference: "Row 9" });
		const alike = await planned(batches, [9, 10], "f");
		await expect(batches.begin(alike, ["planned"], { duplicates: 5 })).rejects.toMatchObject({ failure: { code: "OPEN_DOUBT", intent } });
		await batches.close();
		const capped = await another({ settings: { "cap-per-day": "9 EUR" } });
		expect(await begun(await planned(capped, [11, 12], "0"), 0, capped)).toBe("CAP_PER_DAY");
	});
});

describe.each(drivers)("batches in a file, with %s", (driver) => {
	test("an end that comes after another purser took the row over is not written over that one's attempt", async () => {
		const { batches: one, another, journal, folder } = await worldWith({}, driver);
		const other = await another();
		const batch = await planned(one, [1]);
		await one.begin(batch, ["planned"], none);
		const [row] = await one.advance(batch, [], 1);
		const number = row?.number as number;
		// Its lock is lost while it still runs, as on a file system that forgets locks: it counts as gone.
		const senders = join(folder, "journal", "test.sandbox.senders");
		for (const lock of readdirSync(senders)) rmSync(join(senders, lock));
		expect((await other.begin(batch, ["planned", "not-created"], none)).counts).toMatchObject({ "in-doubt": 1, sending: 0 });
		await journal.settle(String(number), notCreated, 1);
		// What is settled while it is being sent waits for the next run.
		expect(await other.advance(batch, [], 1)).toEqual([]);
		await other.release(batch);
		await other.begin(batch, ["planned", "not-created"], none);
		expect((await other.advance(batch, [], 1)).map(({ attempt }) => attempt)).toEqual([2]);
		const late = { number, outcome: { state: "refused", status: 422 } } as const;
		await expect(one.advance(batch, [late], 0)).rejects.toMatchObject({
			failure: { why: expect.stringContaining("but this process was not sending it") },
		});
		expect((await journal.list({ states: ["refused"] })).length).toBe(0);
		await other.advance(batch, [{ number, outcome: { state: "accepted", id, status: 201 } }], 0);
		expect((await journal.list({ states: ["accepted"] })).map(({ attempt }) => attempt)).toEqual([2]);
	});
});
