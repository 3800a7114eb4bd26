/**
 * Commands that send money on a machine whose clock is not the service's.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { errorOf } from "./payment-world.js";

const day = 86_400_000;
let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

/** The service's clock goes so far ahead of this machine's. */
const serviceAhead = (milliseconds: number): void => {
	world.sandbox.state.ahead += milliseconds;
};
const plan = (rows: readonly (readonly [string, string])[]) => world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
const send = (...more: string[]) => world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json", ...more]);
const rows = [
	["1.10", "one"],
	["2.20", "two"],
] as const;

describe("a batch", () => {
	test("is preceded by one look at the time, in a script too, and each of its rows has it on record", async () => {
		expect((await plan(rows)).exit).toBe(0);
		serviceAhead(1_800_000);
		world.requests.length = 0;
		const sent = await send();
		expect(sent.exit, sent.stderr).toBe(0);
		expect(world.requests.map(({ line }) => line)).toEqual([
			`GET /api/partner/ledgers/${world.from}`,
			"POST /api/partner/transactions/inter-ledger",
			"POST /api/partner/transactions/inter-ledger",
		]);
		const listed = (await world.purser(["history", "list", "--json"])).json() as { reference?: string; skew?: number }[];
		expect(listed.map(({ skew }) => skew)).toEqual([1_800_500, 1_800_500]);
	});

	test("is told once that the clock is wrong, and its plan has expired where it has by the service", async () => {
		expect((await plan(rows)).exit).toBe(0);
		serviceAhead(2 * day);
		const sent = await send();
		expect([sent.exit, errorOf(sent).code]).toEqual([10, "PLAN_EXPIRED"]);
		expect(sent.stderr.match(/This machine's clock is 48 hours behind the service\./g)).toHaveLength(1);
		expect(world.requests.filter(({ method }) => method === "POST" && world.journal.length > 0)).toEqual([]);
	});

	test("planned again by a clock 8 days ahead is known to have gone out", async () => {
		expect((await world.sent(rows)).ran.exit).toBe(0);
		world.clock.advance(8 * day);
		serviceAhead(-8 * day);
		expect((await plan(rows)).exit).toBe(0);
		const again = await send();
		expect([again.exit, errorOf(again).code]).toEqual([10, "BATCH_REPEATED"]);
	});
});
