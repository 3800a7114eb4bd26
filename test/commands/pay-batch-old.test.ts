/**
 * A batch that was begun outlives its plan: what is proven not created of it is by then older than the plan, and can still be sent.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./not-created.js";

let world: BatchWorld;
/** References as the service made them, in order. */
let made: string[];
/** What is lost on its way to the service, once. */
let lost: Set<string>;

beforeEach(async () => {
	world = await batchWorld();
	made = [];
	lost = new Set(["two"]);
	world.onTransfer(async (reference, pass) => {
		if (lost.delete(reference)) return { kind: "sent", reason: "the connection was closed before an answer came" };
		made.push(reference);
		return pass();
	});
});
afterEach(() => world.end());

const codeOf = (stderr: string): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error.code;
const day = 24 * 3_600_000;
const rows = [
	["1.10", "one"],
	["2.20", "two"],
	["3.30", "three"],
] as const;

/** The row without an answer, given as not created by somebody who looked, after the plan's time. */
async function notCreatedLate(): Promise<void> {
	const { ran } = await world.sent(rows);
	expect([ran.exit, made]).toEqual([7, ["one", "three"]]);
	const [doubt] = (await world.purser(["pay", "doubts", "--json"])).json() as { intent: string }[];
	const settled = await notCreated(world, doubt?.intent as string);
	expect(settled.exit, settled.stderr).toBe(0);
}

describe.each(["1", "pay.csv.plan.json"])("pay batch resume %s", (named) => {
	test("sends the one row that was proven not created, although the plan is older than it was good for", async () => {
		await notCreatedLate();
		const ran = await world.purser(["pay", "batch", "resume", named, "--yes", "--json"]);
		expect([ran.exit, made], ran.stderr).toEqual([0, ["one", "three", "two"]]);
		expect(ran.json()).toMatchObject({ counts: { accepted: 3 }, run: { sent: 1 } });
		// Once it is accepted, nothing of it leaves any more.
		await world.purser(["pay", "batch", "resume", named, "--yes", "--json"]);
		expect(made).toEqual(["one", "three", "two"]);
	});

	test("sends nothing of what is in doubt, however old the plan is", async () => {
		await world.sent(rows);
		world.clock.advance(3 * day);
		const ran = await world.purser(["pay", "batch", "resume", named, "--yes", "--json"]);
		expect([ran.exit, made]).toEqual([7, ["one", "three"]]);
	});
});

test("rows that never left before a stop leave after the plan's time too", async () => {
	lost.clear();
	await world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
	await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--stop-after", "1", "--json"]);
	expect(made).toEqual(["one"]);
	world.clock.advance(2 * day);
	expect((await world.purser(["pay", "batch", "resume", "1", "--yes", "--json"])).exit).toBe(0);
	expect(made).toEqual(["one", "two", "three"]);
});

describe("control: a batch that was not begun", () => {
	test.each([
		["send", "pay.csv.plan.json"],
		["resume", "1"],
		["resume", "pay.csv.plan.json"],
	])("is stopped by its plan's age: pay batch %s %s", async (verb, named) => {
		await world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
		world.clock.advance(day);
		const ran = await world.purser(["pay", "batch", verb, named, "--yes", "--json"]);
		expect([ran.exit, codeOf(ran.stderr), made]).toEqual([10, "PLAN_EXPIRED", []]);
	});
});
