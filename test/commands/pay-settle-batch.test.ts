/**
 * Rows of a batch that two looks did not show are confirmed together, by the number of one look; what that look did not show stays in doubt.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const hour = 3_600_000;
/** The service dates its answers to the second only. */
const minute = 60_000;
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
	world.onTransfer(async (reference, pass) =>
		references.includes(reference) ? { kind: "sent", reason: "the connection was closed before an answer came" } : pass(),
	);
	return (await world.sent(rows)).batch;
}

const settle = (...words: string[]) => world.purser(["pay", "settle", ...words, "--json"]);
const confirm = (batch: string, look: string) => settle("--batch", batch, "--confirm-absent", "--look", look, "--reason", "asked the bank");

/** Looks past the settling time; the newest one's number. */
async function look(batch: string, times: number): Promise<string> {
	let number = "";
	for (let time = 0; time < times; time++) {
		world.clock.advance(time === 0 ? 24 * hour + minute : hour / 6);
		const ran = await settle("--batch", batch);
		const numbers = new Set((ran.json() as { look: { number: number } }[]).map((one) => one.look.number));
		expect([ran.exit, numbers.size], "one look of a run has one number for all its doubts").toEqual([7, 1]);
		number = String([...numbers][0]);
	}
	return number;
}

test("every row that two looks did not show is confirmed by the newer one, and may be sent again", async () => {
	const batch = await lost("Row 1", "Row 3");
	await look(batch, 2);
	const told = await world.purser(["pay", "settle", "--batch", batch]);
	expect(told.stdout).toContain(
		`If you know this for all 2 rows of batch ${batch}: purser pay settle --batch ${batch} --confirm-absent --look 3 --reason TEXT`,
	);
	const done = await confirm(batch, "3");
	expect([done.exit, done.json()]).toMatchObject([
		0,
		[
			{ row: 3, state: "not-created", evidence: { source: "person", reason: "asked the bank", looks: [{ number: 1 }, { number: 3 }] } },
			{ row: 1, state: "not-created" },
		],
	]);
	expect((await world.purser(["history", "verify", "--json"])).json().faults).toEqual([]);
});

test("a row of which that look is not the newest, or agrees with none, stays in doubt", async () => {
	const batch = await lost("Row 1", "Row 3");
	const newer = await look(batch, 2);
	const [row1] = ((await world.purser(["pay", "doubts", "--json"])).json() as { intent: string; row: number }[]).filter(
		({ row }) => row === 1,
	);
	world.clock.advance(hour);
	expect((await settle(row1?.intent as string)).exit).toBe(7);
	const some = await confirm(batch, newer);
	expect([some.exit, some.json()]).toMatchObject([
		7,
		[
			{ row: 3, state: "not-created" },
			{
				row: 1,
				state: "in-doubt",
				why: "check 2 is not the latest of this attempt that agrees with an earlier one; the latest is check 3",
			},
		],
	]);
	const none = await confirm(batch, newer);
	expect([none.exit, JSON.parse(none.stderr).error.code]).toEqual([10, "LOOKS_DISAGREE"]);
});

test("one look confirms nothing", async () => {
	const batch = await lost("Row 2");
	const none = await confirm(batch, await look(batch, 1));
	expect([none.exit, JSON.parse(none.stderr).error.code]).toEqual([10, "LOOKS_DISAGREE"]);
});
