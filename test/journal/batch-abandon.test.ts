/**
 * Cancelling the rest of a batch, as the journal keeps it: which rows, under which sums, beside whom, and what the check says of it.
 */

import { afterEach, describe, expect, test } from "vitest";
import type { Batches } from "../../src/ports/batches.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import type { Storage } from "../../src/sqlite/storage.js";
import { endWorlds, none, planned as plannedRows, sent, shared, type World, worldWith } from "./batch.js";
import { newUuid } from "./journals.js";
import { payment } from "./payment.js";

afterEach(endWorlds);

const why = { reason: "wrong month" };
/** Each of the same file. */
const planned = (batches: Batches, indexes: readonly number[]) =>
	plannedRows(batches, indexes, { digest: { rows: "c".repeat(64), sequence: "b".repeat(64) } });
const accepted = () => ({ state: "accepted", id: newUuid(), status: 201 }) as const;

/** Six rows: accepted, refused, not sent, in doubt, two that nobody began; nobody sends it. */
async function halfWay({ batches }: World): Promise<string> {
	const batch = await planned(batches, [1, 2, 3, 4, 5, 6]);
	await sent(batches, batch, [
		accepted(),
		{ state: "refused", status: 422 },
		{ state: "not-sent", reason: "connection refused" },
		{ state: "in-doubt", reason: "timeout" },
	]);
	return batch;
}

const code = (name: string) => ({ kind: "guard", failure: { code: name } });
const everyState = ["planned", "refused", "not-sent", "not-created"] as const;

describe("what is cancelled", () => {
	test("is what was never begun, and nothing else; with count, sum and reason in one event", async () => {
		const world = await worldWith();
		const { batches, journal } = world;
		const batch = await halfWay(world);
		expect(await batches.rest(batch)).toEqual({ rows: 2, totals: [{ currency: "EUR", rows: 2, amount: "2.20" }] });
		const record = await batches.abandon(batch, why);
		expect(record).toMatchObject({
			state: "abandoned",
			sending: false,
			counts: { accepted: 1, refused: 1, "not-sent": 1, "in-doubt": 1, planned: 0, abandoned: 2 },
			abandoned: { at: "2026-03-01T10:00:00.000Z", reason: "wrong month", rows: 2, totals: [{ currency: "EUR", rows: 2, amount: "2.20" }] },
		});
		const events = [];
		for await (const event of journal.events(0)) events.push(event);
		expect([events.at(-1)?.kind, events.at(-1)?.content]).toEqual([
			"abandoned",
			{ batch: 1, reason: "wrong month", rows: 2, totals: [{ rows: 2, amount: "2.20", currency: "EUR" }], ranges: [[5, 6]] },
		]);
		expect((await journal.verify()).faults).toEqual([]);
		expect(await batches.rest(batch)).toEqual({ rows: 0, totals: [] });
		const row = await journal.show("5");
		expect([row?.record.state, row?.record.attempt, row?.events.map(({ kind }) => kind)]).toEqual(["abandoned", 0, ["abandoned"]]);
		// It is left alone once more, and never sent, whatever is asked for.
		const { head } = await journal.verify();
		expect((await batches.abandon(batch, { reason: "another reason" })).abandoned?.reason).toBe("wrong month");
		for (const takes of [everyState, ["planned"], ["refused"]] as const)
			await expect(batches.begin(batch, takes, none)).rejects.toMatchObject(code("BATCH_ABANDONED"));
		await expect(batches.discard(batch)).rejects.toMatchObject(code("BATCH_STATE"));
		await expect(batches.advance(batch, [], 5)).rejects.toThrow(/was not begun by this process/);
		expect(await journal.verify()).toMatchObject({ head, faults: [] });
	});

	test("is nothing where every row was accepted, or other rows are left than were shown", async () => {
		const { batches } = await worldWith();
		const batch = await planned(batches, [1]);
		await expect(batches.abandon(batch, { ...why, rows: 2 })).rejects.toMatchObject(code("BATCH_MOVED"));
		await sent(batches, batch, [accepted()]);
		await expect(batches.abandon(batch, why)).rejects.toMatchObject(code("BATCH_OVER"));
		const loading = await batches.open(shared);
		await expect(batches.abandon(loading.batch, why)).rejects.toMatchObject(code("BATCH_STATE"));
	});

	test("leaves the day's cap to others", async () => {
		const { batches, journal } = await worldWith({ "cap-per-day": "4" });
		const batch = await planned(batches, [1, 2, 3]);
		await sent(batches, batch, []);
		const other = () => journal.begin(payment({ amount: "3", currency: "EUR", reference: "by hand" }));
		await expect(other()).rejects.toMatchObject(code("CAP_PER_DAY"));
		await batches.abandon(batch, why);
		await other();
	});
});

describe("beside a sender", () => {
	test("nothing is cancelled while a process sends it, between two of its rows too; what it leaves in doubt stays in doubt", async () => {
		const { batches, another, journal } = await worldWith();
		const batch = await planned(batches, [1, 2, 3]);
		const sender = await another();
		await sender.begin(batch, ["planned"], none);
		await expect(batches.abandon(batch, why)).rejects.toMatchObject(code("BATCH_BUSY"));
		const [row] = await sender.advance(batch, [], 1);
		await expect(batches.abandon(batch, why)).rejects.toMatchObject(code("BATCH_BUSY"));
		// It ends without telling what became of the row on its way.
		await sender.close();
		expect(await batches.abandon(batch, why)).toMatchObject({ counts: { "in-doubt": 1, abandoned: 2 } });
		expect((await journal.verify()).faults).toEqual([]);
		await journal.settle(String(row?.number), { state: "not-created", evidence: { source: "person", reason: "asked" } }, 1);
		expect((await batches.show(batch))?.counts).toMatchObject({ "not-created": 1, abandoned: 2 });
		await expect(batches.begin(batch, everyState, none)).rejects.toMatchObject(code("BATCH_ABANDONED"));
	});

	test.each([
		["takes no row that was cancelled", ["planned"], { accepted: 2, refused: 1, "not-sent": 1, "in-doubt": 1, abandoned: 1 }],
		["nor sends again what was refused", ["refused", "not-sent"], { accepted: 2, "not-sent": 1, "in-doubt": 1, abandoned: 2 }],
	] as const)("a sender that is taken for dead although it lives %s", async (_, takes, counts) => {
		const world = await worldWith();
		const batch = await halfWay(world);
		const sender = await world.another();
		await sender.begin(batch, takes, none);
		const [row] = await sender.advance(batch, [], 1);
		await world.tamper(`UPDATE batch SET senders = '["${"0".repeat(32)}"]'`);
		await world.batches.abandon(batch, why);
		expect(await sender.advance(batch, [{ number: row?.number as number, outcome: accepted() }], 5)).toEqual([]);
		expect((await world.journal.verify()).faults).toEqual([]);
		expect((await world.batches.show(batch))?.counts).toMatchObject(counts);
	});

	test("a commit that fails changes nothing, wherever it fails; the next one gives up all of it", async () => {
		const world = await worldWith();
		const batch = await halfWay(world);
		const load = await loadDriver();
		for (const [at, part] of ["UPDATE intent SET state = 'abandoned'", "UPDATE batch SET state", "INSERT INTO event", "COMMIT"].entries()) {
			const failing = await world.another({ storage: (path, options) => failingAt(load(path, options), part) });
			await expect(failing.abandon(batch, why), part).rejects.toMatchObject({ failure: { code: "JOURNAL_FULL" } });
			await failing.close();
			expect([at, (await world.batches.show(batch))?.counts.planned, (await world.journal.verify()).faults]).toEqual([at, 2, []]);
		}
		expect((await world.batches.abandon(batch, why)).counts.abandoned).toBe(2);
	});
});

/** A disk that is full when this is to be written. */
function failingAt(storage: Storage, part: string): Storage {
	const full = (): never => {
		throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL", errcode: 13 });
	};
	return {
		exec: (sql) => (sql.startsWith(part) ? full() : storage.exec(sql)),
		prepare: (sql) => {
			const statement = storage.prepare(sql);
			return sql.startsWith(part) ? { ...statement, run: full, get: full, all: full } : statement;
		},
		close: () => storage.close(),
	};
}

test("the same payments anew are held back by the batch as long as it may send them, and not when it was cancelled", async () => {
	const { batches, journal } = await worldWith();
	const batch = await planned(batches, [1, 2, 3]);
	await sent(batches, batch, []);
	const single = () => journal.begin(payment({ amount: "1.10", currency: "EUR", reference: "Row 3" }));
	const anew = await planned(batches, [1, 2]);
	await expect(single()).rejects.toMatchObject(code("PLANNED_IN_BATCH"));
	await expect(batches.begin(anew, ["planned"], none)).rejects.toMatchObject(code("BATCH_REPEATED"));
	await batches.abandon(batch, why);
	await single();
	await batches.begin(anew, ["planned"], none);
	expect((await batches.advance(anew, [], 5)).map(({ row }) => row)).toEqual([1, 2]);
});
