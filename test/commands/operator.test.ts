/**
 * Who asked is on record with each change, and `history` tells it.
 */
import { afterEach, expect, test } from "vitest";
import { openBatches } from "../../src/journal/open-batches.js";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import { digestOf, none, planOf, shared, transfer } from "../journal/batch.js";
import { newFolder, newUuid, open, testClock } from "../journal/journals.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld | undefined;
afterEach(async () => {
	await world?.end();
	world = undefined;
});

test("of a payment, of any other change and of the rows of a batch history tells who asked", async () => {
	world = await batchWorld();
	const { purser, from, to } = world;
	const parties = ["--ledger-from-id", from, "--ledger-to-id", to];
	world.operator = "anna";
	expect((await purser(["pay", "ledger", ...parties, "--amount", "1", "--yes"])).exit).toBe(0);
	world.operator = "ben";
	const { batch } = await world.sent([["2", "row"]]);
	world.operator = undefined;
	expect((await purser(["pay", "ledger", ...parties, "--amount", "3", "--yes"])).exit).toBe(0);
	const listed = (await purser(["history", "list", "--json"])).json() as { batch?: string; operator?: string }[];
	expect(listed.map(({ operator }) => operator)).toEqual([undefined, "ben", "anna"]);
	expect(listed[1]?.batch).toBe(batch);
	expect("operator" in (listed[0] as object)).toBe(false);
	expect((await purser(["history", "list"])).stdout).toMatch(/^intent +begun +by +state /m);
	expect((await purser(["history", "show", "1"])).stdout).toMatch(/Requested by +anna/);
	expect((await purser(["history", "show", "2", "--json"])).json()).toMatchObject({ operator: "ben", row: 2 });
	expect((await purser(["history", "show", "3"])).stdout).not.toContain("Asked by");
	expect((await purser(["history", "verify", "--json"])).json().faults).toEqual([]);
});

test("of a row that is sent again it is who asked for the run that sent it last; of one that never left nobody", async () => {
	const folder = newFolder();
	const clock = testClock();
	const random = { uuid: newUuid, fraction: () => 0.5 };
	const profile = { name: "test", environment: "sandbox" } as const;
	const options = { directory: folder, profile, clock, random, rules: batchRules({}) };
	const [first, second, journal] = [await openBatches(options), await openBatches(options), await open(folder, { clock })];
	const { batch } = await first.open(shared);
	const loaded = [1, 2, 3].map((row) => ({ row, transfer: transfer(row) }));
	await first.load(batch, loaded);
	await first.seal(batch, planOf(batch, 3, "3.30", digestOf(loaded)));
	const asked = async () => {
		const shown = await Promise.all(["1", "2", "3"].map((intent) => journal.show(intent)));
		return shown.map((one) => one?.record.operator);
	};
	await first.begin(batch, ["planned"], { ...none, operator: "anna" });
	const rows = await first.advance(batch, [], 2);
	expect(await asked()).toEqual(["anna", "anna", undefined]);
	const outcome = { state: "refused", status: 422 } as const;
	await first.advance(
		batch,
		rows.map(({ number }) => ({ number, outcome })),
		0,
	);
	await first.release(batch);
	await second.begin(batch, ["refused"], { ...none, operator: "ben" });
	await second.advance(batch, [], 1);
	expect(await asked()).toEqual(["ben", "anna", undefined]);
	expect((await journal.verify()).faults).toEqual([]);
	for (const one of [first, second, journal]) await one.close();
});
