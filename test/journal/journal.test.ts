import { chmodSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import { endWorlds, failure, worldWith } from "./batch.js";
import { doubtful, drivers, missing, newFolder, open, payment, stores } from "./journals.js";

const id1 = "11111111-1111-4111-8111-111111111111";
const id2 = "22222222-2222-4222-8222-222222222222";

// Each journal of a world adds up at the end.
afterEach(endWorlds);

if (missing) process.stderr.write(`${missing}\n`);

async function stateOf(journal: Journal, intent: string): Promise<string | undefined> {
	return (await journal.show(intent))?.record.state;
}

describe.each(stores)("a journal with %s", (driver) => {
	test("an intent is on record before its outcome, and both are there after opening again", async () => {
		const folder = newFolder();
		const first = await open(folder, { driver });
		const intent = await first.begin(payment({ reference: "Invoice 2041" }));
		expect(intent).toBe("1");
		expect(await stateOf(first, intent)).toBe("sending");
		await first.end(intent, { state: "accepted", id: id1, status: 201 });
		await first.close();
		const second = await open(folder, { driver });
		const { record, events = [] } = (await second.show("1")) ?? {};
		expect(record).toMatchObject({ state: "accepted", attempt: 1, id: id1, status: 201, begun: "2026-03-01T10:00:00.000Z" });
		expect([record?.transfer?.reference, events.map(({ kind }) => kind)]).toEqual(["Invoice 2041", ["begun", "ended"]]);
		expect((await second.verify()).faults).toEqual([]);
	});

	test("one that is refused does not take its neighbours with it", async () => {
		const { journal } = await worldWith({}, driver);
		const [first, same, other] = await Promise.allSettled([
			journal.begin(payment()),
			journal.begin(payment()),
			journal.begin(payment({ amount: "11" })),
		]);
		expect(first).toMatchObject({ status: "fulfilled", value: "1" });
		expect(same).toMatchObject({ status: "rejected", reason: { kind: "guard" } });
		expect(other).toMatchObject({ status: "fulfilled", value: "2" });
	});

	test("a doubt blocks however many were paid alike since, and a reference composed in another way is the same", async () => {
		const { journal, clock, tamper } = await worldWith({ "duplicate-days": "0" }, driver);
		const reference = "Café 17";
		await doubtful(journal, { reference });
		const despite = { intents: ["1"], reason: "owed many times" };
		await journal.end(await journal.begin(payment({ reference }, { despite })), { state: "accepted", id: id1, status: 201 });
		const columns = "effect, state, attempt, begun, begun_service, changed, sender, fingerprint, alike, content, result";
		await tamper(
			`INSERT INTO intent (${columns}) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) SELECT ${columns} FROM intent, n WHERE number = 2`,
		);
		clock.advance(1_000);
		const blocked = await failure(journal.begin(payment({ reference: "  Cafe\u0301  17 " })));
		expect([blocked.failure.code, blocked.failure.intent]).toEqual(["OPEN_DOUBT", "1"]);
	});

	test("an id that another transfer holds makes a doubt, and an error that says so", async () => {
		const { journal } = await worldWith({}, driver);
		await journal.end(await journal.begin(payment()), { state: "accepted", id: id1, status: 201 });
		const second = await journal.begin(payment({ amount: "20" }));
		const error = await failure(journal.end(second, { state: "accepted", id: id1.toUpperCase(), status: 201 }));
		expect([error.kind, error.failure.moneyMayHaveMoved, error.failure.intent]).toEqual(["unknown", true, "2"]);
		expect(await stateOf(journal, second)).toBe("in-doubt");
		expect(await stateOf(journal, "1")).toBe("accepted");
	});

	test("what a process leaves behind is in doubt, and being sent while that process lives", async () => {
		const { journal: other, folder } = await worldWith({}, driver);
		const sender = await open(folder, { driver });
		const intent = await sender.begin(payment());
		expect(await stateOf(other, intent)).toBe("sending");
		expect((await failure(other.begin(payment()))).failure.code).toBe("ALREADY_SENDING");
		expect(
			(await failure(other.settle(intent, { state: "not-created", evidence: { source: "person", reason: "x" } }, 1))).failure.code,
		).toBe("NOT_IN_DOUBT");
		await sender.close();
		expect(await stateOf(other, intent)).toBe("in-doubt");
		expect((await other.list({ states: ["in-doubt"] }))[0]?.why).toContain("ended after it had written this down");
		expect(await other.list({ states: ["sending"] })).toEqual([]);
		expect((await failure(other.begin(payment()))).failure.code).toBe("OPEN_DOUBT");
		await other.settle(intent, { state: "not-created", evidence: { source: "person", reason: "The bank says no" } }, 1);
		expect((await other.show(intent))?.events.map(({ kind }) => kind)).toEqual(["begun", "died", "settled"]);
		expect((await other.verify()).faults).toEqual([]);
		await other.close();
		if (driver !== "postgres") expect(readdirSync(join(folder, "journal", "test.sandbox.senders"))).toEqual([]);
	});

	test("only what is proven not created is sent again, as the next attempt of the same intent", async () => {
		const { journal } = await worldWith({}, driver);
		const intent = await doubtful(journal);
		await journal.settle(intent, { state: "not-created", evidence: { source: "service", reason: "not listed", checks: [] } }, 1);
		expect(await journal.begin(payment())).toBe(intent);
		await journal.end(intent, { state: "accepted", id: id2, status: 201 });
		expect((await journal.show(intent))?.record).toMatchObject({ state: "accepted", attempt: 2, id: id2 });
		expect((await journal.show(intent))?.record.evidence).toBeUndefined();
	});

	test("a settlement names its transaction once", async () => {
		const { journal } = await worldWith({}, driver);
		await journal.end(await journal.begin(payment()), { state: "accepted", id: id1, status: 201 });
		const doubt = await doubtful(journal, { amount: "20" });
		const evidence = { source: "transaction", reason: "seen" } as const;
		expect((await failure(journal.settle(doubt, { state: "accepted", id: id1, evidence }, 1))).failure.code).toBe("TRANSACTION_HELD");
		await journal.settle(doubt, { state: "accepted", id: id2, evidence }, 1);
		expect((await failure(journal.settle(doubt, { state: "not-created", evidence }, 1))).failure.code).toBe("NOT_IN_DOUBT");
		const held = await journal.holders([id1, id2, "33333333-3333-4333-8333-333333333333"]);
		expect([...held].map(([id, { intent }]) => [id, intent])).toEqual([
			[id1, "1"],
			[id2, "2"],
		]);
	});

	test("looks are numbered in the whole journal, one look at many doubts has one number, and they are kept with their attempt", async () => {
		const { journal, folder } = await worldWith({}, driver);
		const look = { at: "2026-03-01T11:00:00.000Z", source: "service", complete: true, fitting: 0 } as const;
		const [first, second, third] = ["1", "2", "3"] as const;
		for (const amount of [first, second, third]) await doubtful(journal, { amount });
		expect([await journal.recordCheck([first], look), await journal.recordCheck([second], { ...look, number: 1 })]).toEqual([1, 1]);
		expect(await journal.recordCheck([third], look)).toBe(2);
		const again = await open(folder, { driver });
		expect(await again.recordCheck([first], look)).toBe(3);
		expect(await again.checks(first)).toEqual([
			{ ...look, number: 1 },
			{ ...look, number: 3 },
		]);
		await journal.settle(first, { state: "not-created", evidence: { source: "person", reason: "x" } }, 1);
		await journal.begin(payment({ amount: first }));
		expect(await journal.checks(first)).toEqual([]);
	});

	test("what absence was settled on must stand on record: verify finds a look that does not", async () => {
		const journal = await open(newFolder(), { driver });
		const look = { at: "2026-03-01T11:00:00.000Z", source: "service", complete: true, fitting: 0 } as const;
		for (const [amount, number, faults] of [
			["1", 1, []],
			["2", 9, ["intent 2 has events that do not follow from each other (it was settled on check 9, which is not on record)"]],
		] as const) {
			const intent = await doubtful(journal, { amount });
			await journal.recordCheck([intent], look);
			const evidence = { source: "person", reason: "asked the bank", checks: [{ ...look, number }] } as const;
			await journal.settle(intent, { state: "not-created", evidence }, 1);
			expect((await journal.verify()).faults).toEqual(faults);
		}
	});
});

describe.each(drivers)("a journal's file with %s", (driver) => {
	test("folder and files are private, also where they were not", async () => {
		const folder = newFolder();
		const journal = await open(folder, { driver });
		await journal.begin(payment());
		expect(statSync(join(folder, "journal")).mode & 0o777).toBe(0o700);
		for (const name of readdirSync(join(folder, "journal")).filter((one) => one.includes(".db")))
			expect([name, statSync(join(folder, "journal", name)).mode & 0o777]).toEqual([name, 0o600]);
		await journal.close();
		chmodSync(journal.file, 0o644);
		chmodSync(join(folder, "journal"), 0o755);
		await (await open(folder, { driver })).close();
		expect(statSync(journal.file).mode & 0o777).toBe(0o600);
		expect(statSync(join(folder, "journal")).mode & 0o777).toBe(0o700);
	});

	test("a link in the file's place is not followed", async () => {
		const folder = newFolder();
		await (await open(folder, { driver })).close();
		symlinkSync(join(folder, "journal", "test.sandbox.db"), join(folder, "journal", "other.sandbox.db"));
		const error = await failure(open(folder, { driver, profile: { name: "other", environment: "sandbox" } }));
		expect(error.kind).toBe("usage");
		expect(error.failure.code).toBe("JOURNAL_DENIED");
	});
});
