/**
 * Payments alike, as whole runs: what is held back, what a person confirms, what is named.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const savings = "aaaaaaaa-0002-4000-8000-000000000002";
const pay = (...more: string[]) => ["pay", "ledger", "--ledger-from-id", main, "--ledger-to-id", savings, "--amount", "10.10", ...more];
const posts = (): number => world.requests.filter(({ line }) => line === "POST /api/partner/transactions/inter-ledger").length;

test("a script's second payment alike is held back until the first is named with a reason", async () => {
	expect((await world.purser(pay("--yes"))).exit).toBe(0);
	const again = await world.purser(pay("--yes", "--json"));
	expect(again.exit).toBe(10);
	expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: "DUPLICATE", kind: "guard", moneyMayHaveMoved: false, intent: "1" } });
	expect(JSON.parse(again.stderr).error.message).toMatch(
		/^Already paid on 2026-03-01T\S+Z as transaction \S+, intent 1; nothing was sent$/,
	);
	expect((await world.purser(pay("--yes", "--despite", "1"))).exit).toBe(2);
	expect(posts()).toBe(1);
	expect((await world.purser(pay("--yes", "--despite", "1", "--reason", "second delivery"))).exit).toBe(0);
	expect(posts()).toBe(2);
});

test("at a terminal the earlier one is shown, and a Yes is enough; a No sends nothing", async () => {
	expect((await world.purser(pay("--yes"))).exit).toBe(0);
	const no = await world.purser(pay(), { answers: [false] });
	expect(no.exit).toBe(10);
	// The journal and the service's list both have it: it is told once.
	expect(world.asked.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Already paid .+ as transaction \S+, intent 1\. Send 10\.10 EUR to Savings of Example Trading SAS AGAIN\?$/),
	]);
	expect(posts()).toBe(1);
	const yes = await world.purser(pay(), { answers: [true] });
	expect(yes.exit, yes.stderr).toBe(0);
	expect(posts()).toBe(2);
});

test("a Yes does not confirm what another process paid after the preview was shown", async () => {
	const second = await world.purser(pay(), {
		answers: [
			async () => {
				expect((await world.purser(pay("--yes"))).exit).toBe(0);
				return true;
			},
		],
	});
	expect(second.exit).toBe(10);
	expect(second.stderr).toMatch(/Already\s+paid\s+on\s+2026-03-01\s+\d\d:\d\d\s+[+-]\d\d:\d\d\s+as\s/);
	expect(second.stderr).toMatch(/intent\s+1;\s+nothing\s+was\s+sent/);
	expect(posts()).toBe(1);
	// Run once more, it is shown, and a Yes means it.
	expect((await world.purser(pay(), { answers: [true] })).exit).toBe(0);
	expect(posts()).toBe(2);
});

test("what is named as another payment must exist and look the same", async () => {
	expect((await world.purser(pay("--yes"))).exit).toBe(0);
	expect((await world.purser(pay("--yes", "--reference", "April"))).exit).toBe(0);
	for (const [named, says] of [
		["1,2", "--despite 2: that payment has another ledger, payee, amount or reference than this one; nothing was sent"],
		["1,99", "--despite 99: there is no such payment in this profile's journal; nothing was sent"],
	] as const) {
		const refused = await world.purser(pay("--yes", "--despite", named, "--reason", "second delivery", "--json"));
		expect(refused.exit).toBe(10);
		expect(JSON.parse(refused.stderr).error).toMatchObject({ code: "NOT_ALIKE", message: says });
	}
	expect(posts()).toBe(2);
	expect((await world.purser(pay("--yes", "--despite", "1", "--reason", "second delivery"))).exit).toBe(0);
	expect(posts()).toBe(3);
});
