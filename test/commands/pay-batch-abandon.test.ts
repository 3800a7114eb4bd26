/**
 * Cancelling the rest of a batch, from the command line: what is asked, what is told, what may be paid anew.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";

let world: BatchWorld;
/** References as they reached the service. */
let arrived: string[];

beforeEach(async () => {
	world = await batchWorld();
	arrived = [];
	world.onTransfer(async (reference, pass) => {
		arrived.push(reference);
		if (reference === "no") return answered(422, '{"errorCode":"LIMIT"}');
		return reference === "lost" ? { kind: "sent", reason: "reset" } : pass();
	});
});
afterEach(() => world.end());

const abandon = (...more: string[]) => ["pay", "batch", "abandon", "1", "--reason", "Wrong month", ...more];
const rows = [
	["1.10", "one"],
	["2.20", "two"],
	["4.40", "three"],
] as const;

/** Plans rows and sends the first ones. */
async function stopped(all: readonly (readonly [string, string])[], after: number): Promise<void> {
	world.file(all);
	expect((await world.purser(["pay", "batch", "plan", "pay.csv"])).exit).toBe(0);
	if (after > 0) await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--jobs", "1", "--stop-after", String(after)]);
}

const verified = async () => (await world.purser(["history", "verify", "--json"])).json().faults;

describe("giving up", () => {
	test("is shown first, asked with count and total, and told", async () => {
		await stopped(rows, 1);
		const dry = await world.purser(abandon("--dry-run"));
		expect([dry.exit, dry.stdout.split("\n")[0]]).toEqual([0, "Dry run: nothing was cancelled (2 rows never sent, 6.60 EUR)"]);
		expect((await world.purser(["pay", "batch", "status", "1", "--json"])).json()).toMatchObject({
			state: "begun",
			counts: { planned: 2 },
		});
		const no = await world.purser(abandon(), { answers: [false] });
		expect([no.exit, world.asked.at(-1)?.message]).toEqual([
			10,
			"Cancel the rest of batch 1 (2 rows never sent, 6.60 EUR)? These rows will never be sent",
		]);
		const yes = await world.purser(abandon(), { answers: [true], terminal: true, columns: 100 });
		expect([yes.exit, yes.stdout.split("\n").slice(0, 2)]).toEqual([
			0,
			["Cancelled: 2 rows never sent, 6.60 EUR", "Batch 1 was cancelled; it sends nothing more"],
		]);
		expect(yes.stdout).toMatch(/Cancelled, never sent +2\n/);
		expect(yes.stdout).toMatch(/Reason +Wrong month\n/);
		expect(yes.stdout).toContain("purser pay batch report 1");
		expect(yes.stdout).not.toContain("resume");
		expect(await verified()).toEqual([]);
	});

	test("needs --yes in a script, and a reason; its answer has the shape of the others, and once more it changes nothing", async () => {
		await stopped(rows, 1);
		const silent = await world.purser(abandon("--json"));
		expect([silent.exit, failure(silent.stderr).code]).toEqual([2, "CONFIRMATION_NEEDED"]);
		const noReason = await world.purser(["pay", "batch", "abandon", "1", "--yes", "--json"]);
		expect([noReason.exit, failure(noReason.stderr).details[0].field]).toEqual([2, "reason"]);
		const blank = await world.purser(["pay", "batch", "abandon", "1", "--reason", " ", "--yes", "--json"]);
		expect([blank.exit, failure(blank.stderr).details[0].message]).toEqual([3, "must say why: it is kept on record"]);
		const long = await world.purser(["pay", "batch", "abandon", "1", "--reason", "x".repeat(501), "--yes", "--json"]);
		expect([long.exit, failure(long.stderr).details[0].message]).toEqual([3, "must have at most 500 characters"]);
		const ran = await world.purser(abandon("--yes", "--json"));
		expect(ran.exit).toBe(0);
		const counts = { planned: 0, sending: 0, accepted: 1, waiting: 0, refused: 0, "not-sent": 0, "in-doubt": 0, "not-created": 0 };
		const given = { rows: 2, totals: [{ currency: "EUR", rows: 2, amount: "6.60" }] };
		expect(ran.json()).toMatchObject({
			batch: "1",
			state: "abandoned",
			plan: { count: 3 },
			counts: { ...counts, abandoned: 2 },
			abandoned: { reason: "Wrong month", ...given },
			rest: given,
		});
		const again = await world.purser(["pay", "batch", "abandon", "1", "--reason", "Another", "--yes", "--json"]);
		expect([again.exit, again.json()]).toMatchObject([
			0,
			{
				abandoned: { reason: "Wrong month" },
				rest: { rows: 0, totals: [] },
				stopped: { code: "ABANDONED_BEFORE", why: "Batch 1 was cancelled before; nothing was changed" },
			},
		]);
	});

	test("leaves doubts what they are, and says what to do", async () => {
		await stopped([["1.10", "lost"], ...rows.slice(1)], 1);
		const ran = await world.purser(abandon("--yes"));
		expect(ran.exit).toBe(7);
		expect(ran.stdout).toContain("Batch 1: 1 row is in doubt; do not send it again before it is settled");
		expect(ran.stdout).toContain("purser pay settle --batch 1");
		expect((await world.purser(["pay", "batch", "list"])).stderr).toContain("purser pay batch status 1");
		expect(arrived).toEqual(["lost"]);
		expect(await verified()).toEqual([]);
	});
});

describe("afterwards", () => {
	test.each([
		["resume", "1"],
		["send", "pay.csv.plan.json"],
	])("pay batch %s sends nothing", async (verb, what) => {
		await stopped([["1.10", "no"], ...rows.slice(1)], 1);
		await world.purser(abandon("--yes"));
		for (const more of [["--yes"], ["--dry-run"]]) {
			const ran = await world.purser(["pay", "batch", verb, what, "--json", ...more]);
			expect([ran.exit, failure(ran.stderr)]).toMatchObject([10, { code: "BATCH_ABANDONED", why: "Wrong month" }]);
		}
		expect(arrived).toEqual(["no"]);
	});

	test("list, status, report and history say it plainly, and unsent.csv is planned and sent anew", async () => {
		await stopped(rows, 1);
		await world.purser(abandon("--yes"));
		expect((await world.purser(["pay", "batch", "list"])).stdout).toMatch(/cancelled +accepted 1, cancelled, never sent 2/);
		expect((await world.purser(["pay", "batch", "status", "1"])).exit).toBe(9);
		const report = await world.purser(["pay", "batch", "report", "1", "--json"]);
		expect([report.exit, report.json()]).toMatchObject([
			0,
			{
				state: "abandoned",
				abandoned: { reason: "Wrong month", rows: 2 },
				parts: { accepted: { rows: 1 }, unsent: { rows: 2 }, doubt: { rows: 0 } },
				control: { agrees: true },
			},
		]);
		const unsent = world.text("batch-1/unsent.csv").trim().split("\n");
		expect(unsent.slice(1).map((line) => line.includes("abandoned") && line.includes(",Wrong month,"))).toEqual([true, true]);
		expect((await world.purser(["history", "list", "--json"])).json()).toHaveLength(1);
		expect((await world.purser(["history", "list", "--state", "abandoned", "--json"])).json()).toHaveLength(2);
		const planned = await world.purser(["pay", "batch", "plan", "batch-1/unsent.csv", "--json"]);
		expect([planned.exit, planned.json().plan.duplicates]).toEqual([0, { inside: 0, earlier: 0 }]);
		expect((await world.purser(["pay", "batch", "send", "batch-1/unsent.csv.plan.json", "--yes"])).exit).toBe(0);
		expect(arrived).toEqual(["one", "two", "three"]);
		expect(await verified()).toEqual([]);
	});

	test("a batch of which nothing was sent gives the same file free", async () => {
		await stopped(rows, 0);
		const ran = await world.purser(abandon("--yes", "--json"));
		expect([ran.exit, ran.json().rest.rows]).toEqual([0, 3]);
		expect((await world.purser(["pay", "batch", "status", "1"])).exit).toBe(10);
		await stopped(rows, 3);
		expect(arrived).toEqual(["one", "two", "three"]);
		expect((await world.purser(["pay", "batch", "abandon", "2", "--reason", "x", "--yes", "--json"])).exit).toBe(10);
	});
});
