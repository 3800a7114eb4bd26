/**
 * Commands that send money on a machine whose clock is not the service's.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { errorOf, payIn } from "./payment-world.js";

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

	test("whose token has expired has it renewed by that look, before a row is sent with it", async () => {
		expect((await plan(rows)).exit).toBe(0);
		serviceAhead(3_700_000);
		world.requests.length = 0;
		const sent = await send();
		expect(sent.exit, sent.stderr).toBe(0);
		expect(world.requests.map(({ line }) => line)).toEqual([
			`GET /api/partner/ledgers/${world.from}`,
			"POST /api/partner/refresh",
			"POST /api/partner/transactions/inter-ledger",
			"POST /api/partner/transactions/inter-ledger",
		]);
	});

	test("is told once that the clock is wrong, and its plan has expired where it has by the service", async () => {
		expect((await plan(rows)).exit).toBe(0);
		serviceAhead(2 * day);
		const sent = await send();
		expect([sent.exit, errorOf(sent).code]).toEqual([10, "PLAN_EXPIRED"]);
		expect(sent.stderr.match(/This machine's clock is 2 days behind the service\./g)).toHaveLength(1);
		expect(world.requests.filter(({ method }) => method === "POST" && world.journal.length > 0)).toEqual([]);
	});

	test.each([2 * day, -2 * day])("that is planned while the service's clock is %i ms ahead can be sent", async (ahead) => {
		serviceAhead(ahead);
		const planned = await plan(rows);
		expect(planned.json().plan.planned).toBe(ahead > 0 ? "2026-03-03T10:00:00.500Z" : "2026-03-01T10:00:00.000Z");
		const sent = await send();
		expect(sent.exit, sent.stderr).toBe(0);
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

test("a person is shown what was paid alike by the service's clock", async () => {
	expect((await payIn(world)).exit).toBe(0);
	world.clock.advance(8 * day);
	serviceAhead(-8 * day);
	const pay = ["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", "10.10"];
	const asked = await world.purser(pay, { answers: [false] });
	expect(asked.exit).toBe(10);
	expect(world.asked.at(-1)?.message).toContain("intent 1. Send 10.10 EUR");
	expect(asked.stderr).toContain("This machine's clock is 8 days ahead of the service.");
});
