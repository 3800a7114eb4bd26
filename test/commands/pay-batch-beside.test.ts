/**
 * A batch beside the same payment that another purser is sending at this moment: it has an answer soon, and is no doubt.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
let made: string[];

beforeEach(async () => {
	world = await batchWorld();
	made = [];
});
afterEach(() => world.end());

const failure = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;
const rows = [
	["1.10", "one"],
	["2.20", "two"],
] as const;
const single = () =>
	world.purser([
		...["pay", "ledger", "--ledger-from-id", world.from, "--ledger-to-id", world.to],
		...["--amount", "2.20", "--reference", "two", "--yes", "--json"],
	]);

/** While the single payment is on its way. */
async function beside<T>(act: () => Promise<T>): Promise<T> {
	let result: T | undefined;
	world.onTransfer(async (reference, pass) => {
		made.push(reference);
		if (reference === "two" && result === undefined) result = await act();
		return pass();
	});
	const paid = await single();
	expect(paid.exit, paid.stderr).toBe(0);
	return result as T;
}

test("pay batch send says that it is being sent right now, not that it is in doubt", async () => {
	await world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
	const script = await beside(() => world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json"]));
	expect([script.exit, made]).toEqual([10, ["two"]]);
	expect(failure(script.stderr)).toMatchObject({
		code: "ALREADY_SENDING",
		message: "1 of 2 rows is the same as a payment that is being sent right now by another purser (intent 3); nothing was sent",
		intent: "3",
	});
	expect(script.stderr).not.toContain("in doubt");
});

test("so it is said to a person before any question", async () => {
	await world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
	const person = await beside(() => world.purser(["pay", "batch", "send", "pay.csv.plan.json"], { answers: [] }));
	expect([person.exit, world.asked, made]).toEqual([10, [], ["two"]]);
	expect(person.stderr).toContain("is being sent right now");
});

test("the plan made beside it says so and what to wait for", async () => {
	const planned = await beside(() => world.purser(["pay", "batch", "plan", world.file(rows)]));
	expect(planned.stdout).toContain("1 of 2 rows is the same as a payment that is being sent right now (intent 1): wait for it first");
	expect(planned.stdout + planned.stderr).toContain("purser history show 1");
	expect(planned.stdout).not.toContain("in doubt");
});

test("control: one whose answer was lost is in doubt, and is settled", async () => {
	world.onTransfer(async () => ({ kind: "sent", reason: "the connection was closed before an answer came" }));
	await world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
	expect((await single()).exit).toBe(7);
	const ran = await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json"]);
	expect([ran.exit, failure(ran.stderr).code]).toEqual([10, "OPEN_DOUBT"]);
});
