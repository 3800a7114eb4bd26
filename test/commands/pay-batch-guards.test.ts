/**
 * What a slip at the command line must not do to a batch: another's plan, a total named twice, a plan in its file's place.
 */
import { afterEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

const failure = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;

test.each(["status", "resume", "report"])(
	"pay batch %s does nothing with the plan of another machine that has the number of a batch here",
	async (verb) => {
		world = await batchWorld();
		await world.sent([["1", "a"]]);
		const file = JSON.parse(world.text("pay.csv.plan.json"));
		file.plan.installation = "11111111-0000-4000-8000-000000000009";
		world.files.set("other.plan.json", new TextEncoder().encode(JSON.stringify(file)));
		const run = (plan: string) => world.purser(["pay", "batch", verb, plan, "--json", ...(verb.startsWith("re") ? ["--yes"] : [])]);
		const ran = await run("other.plan.json");
		expect([ran.exit, failure(ran.stderr).code]).toEqual([10, "PLAN_FOREIGN"]);
		// The control: with its own plan it goes on to what it does.
		expect((await run("pay.csv.plan.json")).stderr).not.toContain("PLAN_FOREIGN");
	},
);

test("a currency that --expect-total names twice is no expectation", async () => {
	world = await batchWorld();
	world.file([["1.10", "a"]]);
	await world.purser(["pay", "batch", "plan", "pay.csv"]);
	const send = (...totals: string[]) =>
		world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json", ...totals.flatMap((total) => ["--expect-total", total])]);
	const twice = await send("EUR=5", "eur=1.1");
	expect([twice.exit, failure(twice.stderr).why]).toEqual([10, "a currency is named twice in --expect-total"]);
	expect((await send("EUR=1.1")).exit).toBe(0);
});

test("a plan does not replace the file that it is made of", async () => {
	world = await batchWorld();
	world.file([["1.10", "a"]]);
	const before = world.text("pay.csv");
	const ran = await world.purser(["pay", "batch", "plan", "pay.csv", "--to", "./pay.csv", "--json"]);
	expect([ran.exit, failure(ran.stderr).details[0].field, world.text("pay.csv")]).toEqual([3, "to", before]);
});

test("a file beside the plan that cannot be read is told, and nothing is sent", async () => {
	world = await batchWorld();
	world.file([["1.10", "a"]]);
	await world.purser(["pay", "batch", "plan", "pay.csv"]);
	const get = world.files.get.bind(world.files);
	world.files.get = (path) => {
		if (path === "pay.csv") throw Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES" });
		return get(path);
	};
	const send = () => world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json"]);
	const ran = await send();
	expect([ran.exit, failure(ran.stderr).code]).toEqual([10, "FILE_UNREADABLE"]);
	world.files.get = get;
	expect((await send()).exit).toBe(0);
});

test("rows alike are counted by what they are like, not twice over", async () => {
	world = await batchWorld();
	await world.purser([
		"pay",
		"ledger",
		"--ledger-from-id",
		world.from,
		"--ledger-to-id",
		world.to,
		"--amount",
		"3",
		"--reference",
		"a",
		"--yes",
	]);
	world.file([
		["3", "a"],
		["3", "a"],
	]);
	await world.purser(["pay", "batch", "plan", "pay.csv"]);
	const ran = await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json"]);
	expect([ran.exit, failure(ran.stderr).message]).toEqual([
		10,
		"Of 2 rows, 1 is the same as another row of the file and 2 like a payment made recently or under way; nothing was sent",
	]);
});
