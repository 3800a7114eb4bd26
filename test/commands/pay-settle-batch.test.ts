/**
 * Rows of a batch are settled together by the number of one check: as not created, or as what is listed and may be one row alone.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { asksList, loseAnswers, tellOtherwise } from "./payment-world.js";

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
