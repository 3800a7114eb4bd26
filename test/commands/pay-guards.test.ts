/**
 * What holds a payment back, as whole runs: one alike, the limit of a day, and a clock that is not the service's.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, rowsOf } from "./batch-world.js";
import { payIn } from "./payment-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const posts = (): number => world.requests.filter(({ line }) => line === "POST /api/partner/transactions/inter-ledger").length;

describe("a payment alike", () => {
	const pay = (more = "", options = {}) => world.purser(`pay ledger --from ${world.from} --to ${world.to} --amount 10.10 ${more}`, options);
	const despite = (intents: string) => pay(`--yes --despite ${intents} --reason "second delivery" --json`);

	test("is held back in a script until the first is named with a reason; what is named must exist and look the same", async () => {
		expect((await pay("--yes")).exit).toBe(0);
		expect((await pay("--yes --reference April")).exit).toBe(0);
		const again = await pay("--yes --json");
		expect([again.exit, again.error()]).toMatchObject([10, { code: "DUPLICATE", kind: "guard", moneyMayHaveMoved: false, intent: "1" }]);
		expect(again.error().message).toMatch(/^Already paid on 2026-03-01T\S+Z as transaction \S+, intent 1; nothing was sent$/);
		expect((await pay("--yes --despite 1")).exit).toBe(2);
		for (const [named, message] of [
			["1,2", "--despite 2: that payment has another ledger, payee, amount or reference than this one; nothing was sent"],
			["1,99", "--despite 99: there is no such payment in this profile's journal; nothing was sent"],
		] as const) {
			const refused = await despite(named);
			expect([refused.exit, refused.error()]).toMatchObject([10, { code: "NOT_ALIKE", message }]);
		}
		expect(posts()).toBe(2);
		expect([(await despite("1")).exit, posts()]).toEqual([0, 3]);
	});

	test("at a terminal the earlier one is shown, and a Yes is enough; a No sends nothing", async () => {
		expect((await pay("--yes")).exit).toBe(0);
		expect((await pay("", { answers: [false] })).exit).toBe(10);
		// The journal and the service's list both have it: it is told once.
		expect(world.asked.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Already paid .+ as transaction \S+, intent 1\. Send 10\.10 EUR to Savings of Example Trading SAS AGAIN\?$/),
		]);
		expect(posts()).toBe(1);
		expect([(await pay("", { answers: [true] })).exit, posts()]).toEqual([0, 2]);
	});

	test("a Yes does not confirm what another process paid after the preview was shown", async () => {
		const second = await pay("", { answers: [async () => (await pay("--yes")).exit === 0] });
		expect([second.exit, posts()]).toEqual([10, 1]);
		expect(second.stderr.replace(/\s+/g, " ")).toMatch(
			/Already paid on 2026-03-01 \d\d:\d\d [+-]\d\d:\d\d as \S+ \S+ intent 1; nothing was sent/,
		);
	});
});

test("a payment that crosses the limit of a day is refused with what to type; that, approved, is sent", async () => {
	await world.end();
	world = await batchWorld({ approval: "above 100 EUR a day" });
	const { be, approver } = await world.twoPeople();
	const pay = (amount: string) => payIn(world, undefined, { amount });
	expect((await pay("60")).exit).toBe(0);
	const refused = await pay("40.01");
	expect([refused.exit, refused.error().code, posts()]).toEqual([10, "APPROVAL_NEEDED", 1]);
	expect(refused.error().fix).toContain("purser pay batch plan FILE\npurser pay batch approve PLAN\npurser pay batch send PLAN");
	const input = `From,To,Amount\n${world.from},${world.to},40.01\n`;
	const planned = await world.purser("pay batch plan - --to plan.json", { input, answers: [] });
	expect([planned.exit, planned.stderr]).toEqual([0, expect.stringContaining("somebody else, if the day's payments exceed the limit")]);
	const send = () => world.purser("pay batch send plan.json --yes --json");
	const alone = await send();
	const why = "The profile's setting approval requires it (above 100 EUR a day): payments sent or in doubt today (UTC) count too";
	expect([alone.exit, alone.error()]).toMatchObject([10, { code: "APPROVAL_MISSING", why }]);
	be("approver");
	expect((await world.purser("pay batch approve plan.json --yes")).exit).toBe(0);
	be("planner");
	const sent = await send();
	expect([sent.exit, sent.json().approvals]).toMatchObject([0, [{ approver: "ben", key: approver }]]);
	// What was approved counts as every other payment of the day.
	expect((await pay("0.01")).exit).toBe(10);
});

describe("a batch on a machine whose clock is not the service's", () => {
	const day = 86_400_000;
	const rows = rowsOf("1.10 one", "2.20 two");
	/** The service's clock goes so far ahead of this machine's. */
	const serviceAhead = (milliseconds: number): void => {
		world.sandbox.state.ahead += milliseconds;
	};
	beforeEach(() => void world.file(rows));

	test("is preceded by one look at the time, in a script too, and each of its rows has it on record", async () => {
		await world.plan();
		serviceAhead(1_800_000);
		world.requests.length = 0;
		expect((await world.send()).exit).toBe(0);
		const payment = "POST /api/partner/transactions/inter-ledger";
		expect(world.requests.map(({ line }) => line)).toEqual([`GET /api/partner/ledgers/${world.from}`, payment, payment]);
		const listed = (await world.json("history list")) as { skew?: number }[];
		expect(listed.map(({ skew }) => skew)).toEqual([1_800_500, 1_800_500]);
	});

	test("is told once that the clock is wrong, and its plan has expired where it has by the service", async () => {
		await world.plan();
		serviceAhead(2 * day);
		const sent = await world.send();
		expect([sent.exit, sent.error().code, posts()]).toEqual([10, "PLAN_EXPIRED", 0]);
		expect(sent.stderr.match(/This machine's clock is 48 hours behind the service\./g)).toHaveLength(1);
	});

	test("planned again by a clock 8 days ahead is known to have gone out", async () => {
		expect((await world.sent(rows)).ran.exit).toBe(0);
		world.clock.advance(8 * day);
		serviceAhead(-8 * day);
		await world.plan();
		const again = await world.send();
		expect([again.exit, again.error().code]).toEqual([10, "BATCH_REPEATED"]);
	});
});
