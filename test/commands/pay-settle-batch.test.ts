/**
 * Rows of a batch are settled together by the number of one check: as not created, or as what is listed and may be one row alone.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { asksList, errorOf, loseAnswers, tellOtherwise } from "./payment-world.js";

/** A day and a minute: the service dates its answers to the second only. */
const settled = 24 * 3_600_000 + 60_000;
let world: BatchWorld;

beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const rows = [
	["10.10", "Row 1"],
	["20.20", "Row 2"],
	["30.30", "Row 3"],
] as const;

/** Sends the rows; of those named nothing reaches the service, and no answer comes. */
async function lost(...references: string[]): Promise<string> {
	world.onTransfer(async (reference, pass) => (references.includes(reference) ? lostAnswer : pass()));
	return (await world.sent(rows)).batch;
}

const settle = (...words: string[]) => world.purser(["pay", "settle", ...words, "--json"]);
const notCreated = (batch: string, check: string, ...more: string[]) =>
	settle("--batch", batch, "--not-created", "--check", check, "--reason", "asked the bank", ...more);

/** A check of the batch; its number, which is one for all its doubts. */
async function checked(batch: string): Promise<string> {
	const ran = await settle("--batch", batch);
	const numbers = new Set((ran.json() as { check: { number: number } }[]).map(({ check }) => check.number));
	expect([ran.exit, numbers.size]).toEqual([7, 1]);
	return String([...numbers][0]);
}

test("every row that is not listed is settled by one check past the settling time, and may be sent again", async () => {
	const batch = await lost("Row 1", "Row 3");
	world.clock.advance(settled);
	const told = await world.purser(["pay", "settle", "--batch", batch]);
	expect(told.stdout).toContain(
		`If you know for all 2 rows that they were not created: purser pay settle --batch ${batch} --not-created --check 1 --reason TEXT`,
	);
	const done = await notCreated(batch, "1");
	expect([done.exit, done.json()]).toMatchObject([
		0,
		[
			{ row: 4, state: "not-created", evidence: { source: "person", reason: "asked the bank", checks: [{ number: 1 }] } },
			{ row: 2, state: "not-created" },
		],
	]);
	expect((await world.purser(["history", "verify", "--json"])).json().faults).toEqual([]);
	world.onTransfer(async (_, pass) => pass());
	expect((await world.purser(["pay", "batch", "resume", batch, "--yes", "--json"])).json().run.sent).toBe(2);
});

test("a row of which that check is none stays in doubt, and why is said", async () => {
	const batch = await lost("Row 1", "Row 3");
	world.clock.advance(settled);
	const [row1] = ((await world.purser(["pay", "doubts", "--json"])).json() as { intent: string; row: number }[]).filter(
		({ row }) => row === 2,
	);
	const one = await settle(row1?.intent as string);
	const some = await notCreated(batch, String(one.json()[0].check.number));
	expect([some.exit, some.json()]).toMatchObject([
		7,
		[
			{ row: 2, state: "not-created" },
			{ row: 4, state: "in-doubt", why: expect.stringContaining("check 1 is no check of it by the service's list") },
		],
	]);
	const none = await notCreated(batch, "1");
	expect([none.exit, errorOf(none).code]).toEqual([10, "NOT_DECIDABLE"]);
});

test("an early check settles none", async () => {
	const batch = await lost("Row 2");
	const none = await notCreated(batch, await checked(batch));
	expect([none.exit, errorOf(none).code]).toEqual([10, "NOT_DECIDABLE"]);
});

test("what is listed and may be one row alone is it, on a person's word; the rest is told", async () => {
	loseAnswers(world);
	// References are cut: two rows cannot be told apart by what is left.
	tellOtherwise(world, (text) => text.replaceAll(/Row \d/g, "Row"), asksList);
	const { batch } = await world.sent([
		["10.10", "Row 1"],
		["20.20", "Row 2"],
		["20.20", "Row 3"],
	]);
	const told = await world.purser(["pay", "settle", "--batch", batch]);
	expect([told.exit, told.stdout.includes("--accept-listed")]).toEqual([7, false]);
	const accepted = await settle("--batch", batch, "--accept-listed", "--reason", "compared");
	expect([accepted.exit, accepted.json()]).toMatchObject([
		7,
		[
			{ row: 4, state: "in-doubt" },
			{ row: 3, state: "in-doubt" },
			{ row: 2, state: "accepted", evidence: { source: "person", reason: "compared (reference could not be compared)" } },
		],
	]);
});
