/**
 * What a slip at the command line must not do to a batch: another's plan, a total named twice, a plan in its file's place. And what the
 * errors tell to type is there to be typed.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

test.each(["status", "resume", "report"])(
	"pay batch %s does nothing with the plan of another machine that has the number of a batch here",
	async (verb) => {
		world = await batchWorld();
		await world.sent([["1", "a"]]);
		const file = JSON.parse(world.text("pay.csv.plan.json"));
		file.plan.installation = "11111111-0000-4000-8000-000000000009";
		world.put("other.plan.json", JSON.stringify(file));
		const run = (plan: string) => world.purser(["pay", "batch", verb, plan, "--json", ...(verb.startsWith("re") ? ["--yes"] : [])]);
		const ran = await run("other.plan.json");
		expect([ran.exit, failure(ran.stderr).code]).toEqual([10, "PLAN_FOREIGN"]);
		// The control: with its own plan it goes on to what it does.
		expect((await run("pay.csv.plan.json")).stderr).not.toContain("PLAN_FOREIGN");
	},
);

describe("of one row", () => {
	/** A world with a file of one row, planned. */
	async function planned(): Promise<void> {
		world = await batchWorld();
		world.file([["1.10", "a"]]);
		await world.plan();
	}

	test("a currency that --expect-total names twice is no expectation", async () => {
		await planned();
		const twice = await world.send("--expect-total", "EUR=5", "--expect-total", "eur=1.1");
		expect([twice.exit, failure(twice.stderr).why]).toEqual([10, "a currency is named twice in --expect-total"]);
		expect((await world.send("--expect-total", "EUR=1.1")).exit).toBe(0);
	});

	test("a plan does not replace the file that it is made of", async () => {
		await planned();
		const before = world.text("pay.csv");
		const ran = await world.plan("--to", "./pay.csv");
		expect([ran.exit, failure(ran.stderr).details[0].field, world.text("pay.csv")]).toEqual([3, "to", before]);
	});
});

test("rows alike are counted by what they are like, not twice over", async () => {
	world = await batchWorld();
	await world.pay("3", "a");
	world.file(["a", "a"].map((reference) => ["3", reference] as const));
	await world.plan();
	const ran = await world.send();
	expect([ran.exit, failure(ran.stderr).message]).toEqual([
		10,
		"Of 2 rows, 1 is the same as another row of the file and 2 like a payment made recently or under way; nothing was sent",
	]);
});
