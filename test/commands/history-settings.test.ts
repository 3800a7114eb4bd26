/**
 * Changing what guards money: asked at a terminal, on record with who did it, and told by `history export --kind settings`. And who asked for a
 * change is on record with it.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Profile } from "../../src/ports/profiles.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld({ "cap-per-day": "100 EUR" });
	world.operator = "anna";
});
afterEach(() => world.end());

/** The newest first. */
const records = async () =>
	(await world.json("history export --kind settings")).map(({ content }: { content: object }) => content).reverse();
const settings = () => world.profiles.get("sandbox")?.settings;

describe("profile set", () => {
	test("asks with what was and what will be, and a No changes and records nothing", async () => {
		const line = 'profile set sandbox --set "cap-per-day=200 EUR" --unset approval --set timeout=5';
		const declined = await world.purser(line, { answers: [false] });
		const question = "Change what guards the money of the profile sandbox: cap-per-day from 100 EUR to 200 EUR?";
		expect([declined.exit, world.asked[0]?.message]).toEqual([10, question]);
		expect([settings(), await records()]).toEqual([{ "cap-per-day": "100 EUR" }, []]);
		expect((await world.purser(line, { answers: [true] })).exit).toBe(0);
		expect(settings()).toEqual({ "cap-per-day": "200 EUR", timeout: "5" });
		expect(await records()).toMatchObject([
			{ how: "command", operator: "anna", changes: [{ key: "cap-per-day", old: "100 EUR", new: "200 EUR" }] },
			{ how: "first", operator: "anna", settings: { "cap-per-day": "100 EUR" } },
		]);
		const lines = (await world.purser("history export --output ndjson")).stdout.trim().split("\n");
		expect(lines.map((one) => JSON.parse(one).kind)).toEqual(["installed", "settings", "settings"]);
	});

	test("needs --yes in a script, names every fault before it asks, and does nothing in a dry run", async () => {
		const script = await world.purser("profile set sandbox --unset cap-per-day --json");
		expect([script.exit, script.error().details]).toMatchObject([2, [{ field: "yes" }]]);
		const faulty = await world.purser("profile set sandbox --set cap-per-day=much", { answers: [] });
		expect([faulty.exit, world.asked]).toEqual([3, []]);
		expect((await world.purser("profile set sandbox --unset cap-per-day --dry-run")).exit).toBe(0);
		expect([settings(), await records()]).toEqual([{ "cap-per-day": "100 EUR" }, []]);
	});

	test("asks nothing where nothing that guards money changes, a name beside a key among it", async () => {
		const key = "A".repeat(43);
		await world.purser(`profile set sandbox --set approvers=wilhelmina=${key} --yes`);
		const before = (await records()).length;
		const same = `--set timeout=5 --set "cap-per-day=100 EUR" --set approvers=mina=${key}`;
		expect((await world.purser(`profile set sandbox ${same}`)).exit).toBe(0);
		expect((await records()).length).toBe(before);
		expect(JSON.stringify(await records())).not.toMatch(/wilhelmina|mina/);
	});
});

test("what was changed in the file is told by the batch that is sent next, once, and by a program's warnings", async () => {
	expect((await world.sent([["1", "a"]])).ran.exit).toBe(0);
	world.operator = "ben";
	world.profiles.set("sandbox", { ...(world.profiles.get("sandbox") as Profile), settings: { "duplicate-days": "1" } });
	const { ran } = await world.sent([["2", "b"]], "two.csv");
	expect([ran.exit, JSON.parse(ran.stderr).warning.message]).toEqual([
		0,
		"settings that guard money were changed without purser: cap-per-day from 100 EUR to not set; duplicate-days from not set to 1. They are in force, and the change is on record now: purser history export --kind settings",
	]);
	expect("warning" in ran.json()).toBe(false);
	expect((await world.sent([["3", "c"]], "three.csv")).ran.stderr).toBe("");
	expect((await records())[0]).toMatchObject({ how: "outside", operator: "ben", settings: { "duplicate-days": "1" } });
	expect(await world.faults()).toEqual([]);
});

test("a profile that is removed and added again leaves both on record", async () => {
	expect((await world.purser("profile remove sandbox --yes")).exit).toBe(0);
	world.operator = "ben";
	expect((await world.purser('profile add sandbox --base-url http://127.0.0.1:4010 --set "cap-per-day=900 EUR"')).exit).toBe(0);
	expect(await records()).toMatchObject([
		{ how: "command", operator: "ben", changes: [{ key: "cap-per-day", new: "900 EUR" }] },
		{ how: "command", operator: "anna", changes: [{ key: "cap-per-day", old: "100 EUR" }], settings: {} },
		{ how: "first", operator: "anna" },
	]);
});

test("of a payment, of any other change and of the rows of a batch history tells who asked", async () => {
	expect((await world.pay("1", "one")).exit).toBe(0);
	world.operator = "ben";
	const { batch } = await world.sent([["2", "row"]]);
	world.operator = undefined;
	expect((await world.pay("3", "three")).exit).toBe(0);
	const listed = await world.json("history list");
	expect(listed.map(({ operator }: { operator?: string }) => operator)).toEqual([undefined, "ben", "anna"]);
	expect([listed[1]?.batch, "operator" in listed[0]]).toEqual([batch, false]);
	expect((await world.purser("history list")).stdout).toMatch(/^intent +begun +by +state /m);
	expect((await world.purser("history show 1")).stdout).toMatch(/Requested by +anna/);
	expect(await world.json("history show 2")).toMatchObject({ operator: "ben", row: 2 });
	expect((await world.purser("history show 3")).stdout).not.toContain("Requested by");
});

test("of a row that is sent again it is who asked for the run that sent it last; of one that never left nobody", async () => {
	const journal = await world.history();
	const asked = () => Promise.all(["1", "2", "3"].map(async (intent) => (await journal.show(intent))?.record.operator));
	world.onTransfer(async (reference, pass) => (reference === "two" ? { kind: "not-sent", reason: "away" } : pass()));
	world.file(["one", "two", "three"].map((reference) => ["1", reference]));
	await world.plan();
	await world.send("--jobs", "1", "--stop-after", "2");
	expect(await asked()).toEqual(["anna", "anna", undefined]);
	await world.nextProcess();
	world.operator = "ben";
	await world.purser("pay batch resume 1 --yes --jobs 1 --stop-after 1");
	expect([await asked(), await world.faults()]).toEqual([["anna", "ben", undefined], []]);
});
