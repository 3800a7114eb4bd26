/**
 * Cancelling the rest of a batch, from the command line: what is asked, what is told, what may be paid anew.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld, type Rows, rowsOf } from "./batch-world.js";

let world: BatchWorld;
/** References as they reached the service. */
let arrived: string[];

beforeEach(async () => {
	world = await batchWorld();
	arrived = [];
	world.onTransfer(async (reference, pass) => {
		arrived.push(reference);
		if (reference === "no") return answered(422, '{"errorCode":"LIMIT"}');
		return reference === "lost" ? lostAnswer : pass();
	});
});
afterEach(() => world.end());

const abandon = 'pay batch abandon 1 --reason "Wrong month"';
const rows = rowsOf("1.10 one", "2.20 two", "4.40 three");

/** Plans rows and sends the first ones. */
async function stopped(all: Rows, after: number): Promise<void> {
	world.file(all);
	expect((await world.plan()).exit).toBe(0);
	if (after > 0) await world.send("--jobs", "1", "--stop-after", String(after));
}

describe("giving up", () => {
	test("is shown first, asked with count and total, and told", async () => {
		await stopped(rows, 1);
		const dry = await world.purser(`${abandon} --dry-run`);
		expect([dry.exit, dry.stdout.split("\n")[0]]).toEqual([0, "Dry run: nothing was cancelled (2 rows never sent, 6.60 EUR)"]);
		const no = await world.purser(abandon, { answers: [false] });
		const question = "Cancel the rest of batch 1 (2 rows never sent, 6.60 EUR)? These rows will never be sent";
		expect([no.exit, world.asked.at(-1)?.message]).toEqual([10, question]);
		expect(await world.json("pay batch status 1")).toMatchObject({ state: "begun", counts: { planned: 2 } });
		const yes = await world.purser(abandon, { answers: [true], terminal: true, columns: 100 });
		expect([yes.exit, yes.stdout]).toEqual([0, expect.not.stringContaining("resume")]);
		expect(yes.stdout).toMatch(/^Cancelled: 2 rows never sent, 6.60 EUR\nBatch 1 was cancelled; it sends nothing more\n/);
		for (const line of [/Cancelled, never sent +2\n/, /Reason +Wrong month\n/, /purser pay batch report 1/])
			expect(yes.stdout).toMatch(line);
	});

	test.each([
		["without --yes", abandon, 2, { code: "CONFIRMATION_NEEDED" }],
		["without a reason", "pay batch abandon 1 --yes", 2, { details: [{ field: "reason" }] }],
		["for a blank reason", 'pay batch abandon 1 --yes --reason " "', 3, { details: [{ message: "must say why: it is kept on record" }] }],
		[
			"for a long one",
			`pay batch abandon 1 --yes --reason ${"x".repeat(501)}`,
			3,
			{ details: [{ message: "must have at most 500 characters" }] },
		],
	])("%s a script is refused", async (_, line, exit, error) => {
		await stopped(rows, 1);
		const ran = await world.purser(`${line} --json`);
		expect([ran.exit, ran.error()]).toMatchObject([exit, error]);
	});

	test("its answer has the shape of the others, and once more it changes nothing", async () => {
		await stopped(rows, 1);
		const given = { rows: 2, totals: [{ currency: "EUR", rows: 2, amount: "6.60" }] };
		expect(await world.json(`${abandon} --yes`)).toMatchObject({
			...{ batch: "1", state: "abandoned", plan: { count: 3 }, counts: { planned: 0, accepted: 1, abandoned: 2 } },
			...{ abandoned: { reason: "Wrong month", ...given }, rest: given },
		});
		const again = await world.purser("pay batch abandon 1 --reason Another --yes --json");
		expect([again.exit, again.json()]).toMatchObject([
			0,
			{ abandoned: { reason: "Wrong month" }, rest: { rows: 0, totals: [] }, stopped: { code: "ABANDONED_BEFORE" } },
		]);
	});

	test("leaves doubts what they are, and says what to do", async () => {
		await stopped([["1.10", "lost"], ...rows.slice(1)], 1);
		const ran = await world.purser(`${abandon} --yes`);
		expect([ran.exit, ran.stdout]).toEqual([7, expect.stringContaining("purser pay settle --batch 1")]);
		expect(ran.stdout).toContain("Batch 1: 1 row is in doubt; do not send it again before it is settled");
		expect([arrived, await world.faults()]).toEqual([["lost"], []]);
	});
});

describe("afterwards", () => {
	test.each(["resume 1", "send pay.csv.plan.json"])("pay batch %s sends nothing", async (command) => {
		await stopped([["1.10", "no"], ...rows.slice(1)], 1);
		await world.purser(`${abandon} --yes`);
		for (const more of ["--yes", "--dry-run"]) {
			const ran = await world.purser(`pay batch ${command} --json ${more}`);
			expect([ran.exit, ran.error()]).toMatchObject([10, { code: "BATCH_ABANDONED", why: "Wrong month" }]);
		}
		expect(arrived).toEqual(["no"]);
	});

	test("list, status, report and history say it plainly, and unsent.csv is planned and sent anew", async () => {
		await stopped(rows, 1);
		await world.purser(`${abandon} --yes`);
		expect((await world.purser("pay batch list")).stdout).toMatch(/cancelled +accepted 1, cancelled, never sent 2/);
		expect((await world.purser("pay batch status 1")).exit).toBe(9);
		const parts = { accepted: { rows: 1 }, unsent: { rows: 2 }, doubt: { rows: 0 } };
		const abandoned = { reason: "Wrong month", rows: 2 };
		expect(await world.json("pay batch report 1")).toMatchObject({ state: "abandoned", abandoned, parts, control: { agrees: true } });
		const unsent = world.text("batch-1/unsent.csv").trim().split("\n");
		expect(unsent.slice(1).map((line) => line.includes("abandoned") && line.includes(",Wrong month,"))).toEqual([true, true]);
		expect(await world.json("history list")).toHaveLength(1);
		expect(await world.json("history list --state abandoned")).toHaveLength(2);
		expect((await world.json("pay batch plan batch-1/unsent.csv")).plan.duplicates).toEqual({ inside: 0, earlier: 0 });
		expect((await world.purser("pay batch send batch-1/unsent.csv.plan.json --yes")).exit).toBe(0);
		expect([arrived, await world.faults()]).toEqual([["one", "two", "three"], []]);
	});

	test("a batch of which nothing was sent gives the same file free", async () => {
		await stopped(rows, 0);
		expect((await world.json(`${abandon} --yes`)).rest.rows).toBe(3);
		expect((await world.purser("pay batch status 1")).exit).toBe(10);
		await stopped(rows, 3);
		expect(arrived).toEqual(["one", "two", "three"]);
		expect((await world.purser("pay batch abandon 2 --reason x --yes --json")).exit).toBe(10);
	});
});
