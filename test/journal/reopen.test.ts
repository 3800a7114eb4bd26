/**
 * A decided payment, opened again: it is in doubt, the id that it held is free and stays named with it, and the record says why.
 */
import { afterEach, describe, expect, test } from "vitest";
import { openBatches } from "../../src/journal/open-batches.js";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import type { Settlement } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { type DriverName, loadDriver } from "../../src/sqlite/drivers.js";
import { none, planOf, shared, transfer } from "./batch.js";
import { drivers, newFolder, newUuid, open, payment, removeFolders, testClock } from "./journals.js";

afterEach(removeFolders);

const ids = ["0000000A-0000-4000-8000-000000000001", "0000000a-0000-4000-8000-000000000002"] as const;
const accepted = (id: string): Settlement => ({ state: "accepted", id, evidence: { source: "service", reason: "listed" } });
const codeOf = (promise: Promise<unknown>): Promise<string> =>
	promise.then(
		() => "done",
		(error) => error.failure?.code ?? error.message,
	);

describe.each(drivers)("with %s", (driver) => {
	/** The first payment is in doubt, the second holds its id. */
	async function mixed(folder = newFolder()): Promise<Journal> {
		const journal = await open(folder, { driver });
		const owner = await journal.begin(payment({ reference: "owner" }));
		await journal.end(owner, { state: "in-doubt", reason: "timeout" });
		const holder = await journal.begin(payment({ reference: "holder" }));
		await journal.end(holder, { state: "accepted", id: ids[0], status: 201 });
		return journal;
	}

	test("an id that is another's is free for its owner, stays named, and is told", async () => {
		const folder = newFolder();
		const clock = testClock();
		const journal = await mixed(folder);
		await journal.reopen("2", "amount and reference differ", 1);
		expect(await journal.holders([ids[0]])).toEqual(new Map());
		const { record, events } = (await journal.show("2")) as NonNullable<Awaited<ReturnType<Journal["show"]>>>;
		expect(record).toMatchObject({
			state: "in-doubt",
			why: "it was opened again: amount and reference differ",
			id: undefined,
			formerIds: [ids[0].toLowerCase()],
			changed: clock.now().toISOString(),
		});
		expect(events.at(-1)).toMatchObject({
			kind: "reopened",
			content: { attempt: 1, reason: "amount and reference differ", id: ids[0].toLowerCase() },
		});
		await journal.settle("1", accepted(ids[0]), 1);
		expect([...(await journal.holders([ids[0]])).values()]).toMatchObject([{ intent: "1", state: "accepted" }]);
		// Nobody else's id can be given to it; its own can.
		expect(await codeOf(journal.settle("2", accepted(ids[0]), 1))).toBe("TRANSACTION_HELD");
		await journal.settle("2", accepted(ids[1]), 1);
		expect((await journal.show("2"))?.record).toMatchObject({ state: "accepted", id: ids[1], formerIds: [ids[0].toLowerCase()] });
		expect((await journal.verify()).faults).toEqual([]);
		await journal.close();
		for (const other of drivers) {
			const again = await open(folder, { driver: other });
			expect((await again.verify()).faults).toEqual([]);
			await again.close();
		}
	});

	test("it is a doubt: it holds back a payment alike and counts for the day", async () => {
		const folder = newFolder();
		await (await mixed(folder)).close();
		const journal = await open(folder, { driver, settings: { "cap-per-day": "30 EUR" } });
		await journal.reopen("2", "another's", 1);
		expect(await codeOf(journal.begin(payment({ reference: "holder" })))).toBe("OPEN_DOUBT");
		expect(await codeOf(journal.begin(payment({ reference: "third" })))).toBe("CAP_PER_DAY");
		expect((await journal.verify()).faults).toEqual([]);
		await journal.close();
	});

	test("what was settled as not created, or refused, is opened again and counts from then on", async () => {
		const journal = await open(newFolder(), { driver, settings: { "cap-per-day": "11 EUR" } });
		const refused = await journal.begin(payment({ reference: "refused" }));
		await journal.end(refused, { state: "refused", status: 422 });
		const other = await journal.begin(payment({ reference: "other" }));
		await journal.end(other, { state: "in-doubt", reason: "timeout" });
		await journal.settle(other, { state: "not-created", evidence: { source: "person", reason: "asked" } }, 1);
		await journal.reopen(refused, "the bank shows it", 1);
		expect(await codeOf(journal.begin(payment({ reference: "third" })))).toBe("CAP_PER_DAY");
		await journal.reopen(other, "the bank shows it", 1);
		expect((await journal.list({ states: ["in-doubt"] })).map(({ evidence }) => evidence)).toEqual([undefined, undefined]);
		expect((await journal.verify()).faults).toEqual([]);
		await journal.close();
	});

	test("only what is decided, and as it was shown, is opened again", async () => {
		const journal = await mixed();
		expect(await codeOf(journal.reopen("1", "x", 1))).toBe("NOT_DECIDED");
		expect(await codeOf(journal.reopen("2", "x", 2))).toBe("NOT_DECIDED");
		expect(await codeOf(journal.reopen("9", "x", 1))).toBe("INTENT_UNKNOWN");
		await journal.reopen("2", "x", 1);
		// Two who saw the same: the second one changes nothing.
		expect(await codeOf(journal.reopen("2", "x", 1))).toBe("NOT_DECIDED");
		expect((await journal.show("2"))?.events.map(({ kind }) => kind)).toEqual(["begun", "ended", "reopened"]);
		await journal.close();
	});

	test.each([
		["the id is put back", `UPDATE intent SET created_id = '${ids[0].toLowerCase()}' WHERE number = 2`],
		["the id that it held is hidden", `UPDATE intent SET result = '{"status":201,"why":"it was opened again: x"}' WHERE number = 2`],
		["the key of the id stays", "UPDATE intent SET created = 7 WHERE number = 2"],
	])("verify sees where %s", async (_, sql) => {
		const journal = await mixed();
		await journal.reopen("2", "x", 1);
		await tamper(journal, driver, sql);
		expect((await journal.verify()).faults.some((fault) => fault.startsWith("intent 2"))).toBe(true);
		await journal.close();
	});

	test("a row of a batch is opened again, shown and verified as one", async () => {
		const folder = newFolder();
		const random = { uuid: newUuid, fraction: () => 0.5 };
		const profile = { name: "test", environment: "sandbox" } as const;
		const batches = await openBatches({ directory: folder, profile, clock: testClock(), random, rules: batchRules({}), driver });
		const { batch } = await batches.open(shared);
		await batches.load(
			batch,
			[1, 2, 3].map((row) => ({ row, transfer: transfer(row) })),
		);
		await batches.seal(batch, planOf(batch, 3, "3.30"));
		await batches.begin(batch, ["planned"], none);
		const rows = await batches.advance(batch, [], 3);
		const outcomes = [
			{ state: "in-doubt", reason: "timeout" },
			{ state: "accepted", id: ids[0], status: 201 },
			{ state: "accepted", id: ids[1], status: 201 },
		] as const;
		await batches.advance(
			batch,
			rows.map(({ number }, at) => ({ number, outcome: outcomes[at] as (typeof outcomes)[number] })),
			0,
		);
		const journal = await open(folder, { driver });
		await journal.reopen("2", "another's", 1);
		await journal.settle("1", accepted(ids[0]), 1);
		const shown = await journal.show("2");
		expect(shown?.record).toMatchObject({ state: "in-doubt", batch, row: 2, formerIds: [ids[0].toLowerCase()] });
		expect(shown?.events.map(({ kind }) => kind)).toEqual(["begun", "ended", "reopened"]);
		expect((await batches.show(batch))?.counts).toMatchObject({ accepted: 2, "in-doubt": 1, planned: 0 });
		expect((await journal.verify()).faults).toEqual([]);
		// Nothing of it leaves again.
		await batches.release(batch);
		await batches.begin(batch, ["planned", "not-sent", "not-created", "refused"], none);
		expect(await batches.advance(batch, [], 3)).toEqual([]);
		await tamper(journal, driver, `UPDATE intent SET created_id = '${ids[0].toLowerCase()}' WHERE number = 2`);
		expect((await journal.verify()).faults).toEqual([`intent 2 (row 2 of batch ${batch}) is not kept as its events say`]);
		await journal.close();
		await batches.close();
	});
});

/** What somebody with the file and a database program does. */
async function tamper(journal: Journal, driver: DriverName, sql: string): Promise<void> {
	const storage = (await loadDriver(driver))(journal.file, { wait: 1_000 });
	storage.exec(sql);
	storage.close();
}
