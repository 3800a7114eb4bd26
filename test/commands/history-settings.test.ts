/**
 * Changing what guards money: asked at a terminal, on record with who did it, and told by `history export --kind settings`.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld({ "cap-per-day": "100 EUR" });
	world.operator = "anna";
});
afterEach(() => world.end());

const set = (...words: string[]) => ["profile", "set", "sandbox", ...words];
/** The newest first. */
const records = async () =>
	(await world.json("history export --kind settings")).map(({ content }: { content: object }) => content).reverse();

describe("profile set", () => {
	test("asks with what was and what will be, and a No changes and records nothing", async () => {
		const argv = set("--set", "cap-per-day=200 EUR", "--unset", "approval", "--set", "timeout=5");
		const declined = await world.purser(argv, { answers: [false] });
		expect([declined.exit, world.asked[0]?.message]).toEqual([
			10,
			"Change what guards the money of the profile sandbox: cap-per-day from 100 EUR to 200 EUR?",
		]);
		expect(world.profiles.get("sandbox")?.settings).toEqual({ "cap-per-day": "100 EUR" });
		expect(await records()).toEqual([]);
		expect((await world.purser(argv, { answers: [true] })).exit).toBe(0);
		expect(world.profiles.get("sandbox")?.settings).toEqual({ "cap-per-day": "200 EUR", timeout: "5" });
		expect(await records()).toMatchObject([
			{ how: "command", operator: "anna", changes: [{ key: "cap-per-day", old: "100 EUR", new: "200 EUR" }] },
			{ how: "first", operator: "anna", settings: { "cap-per-day": "100 EUR" } },
		]);
	});

	test("needs --yes in a script, names every fault before it asks, and does nothing in a dry run", async () => {
		const script = await world.purser(set("--unset", "cap-per-day", "--json"));
		expect([script.exit, script.error().details]).toMatchObject([2, [{ field: "yes" }]]);
		const faulty = await world.purser(set("--set", "cap-per-day=much"), { answers: [] });
		expect([faulty.exit, world.asked]).toEqual([3, []]);
		expect((await world.purser(set("--unset", "cap-per-day", "--dry-run"))).exit).toBe(0);
		expect([world.profiles.get("sandbox")?.settings, await records()]).toEqual([{ "cap-per-day": "100 EUR" }, []]);
	});

	test("asks nothing where nothing that guards money changes, a name beside a key among it", async () => {
		const key = "A".repeat(43);
		await world.purser(set("--set", `approvers=wilhelmina=${key}`, "--yes"));
		const before = (await records()).length;
		const same = ["--set", "timeout=5", "--set", "cap-per-day=100 EUR", "--set", `approvers=mina=${key}`];
		expect((await world.purser(set(...same))).exit).toBe(0);
		expect((await records()).length).toBe(before);
		expect(JSON.stringify(await records())).not.toMatch(/wilhelmina|mina/);
	});
});

test("what was changed in the file is told by the batch that is sent next, once, and by a program's warnings", async () => {
	expect((await world.sent([["1", "a"]])).ran.exit).toBe(0);
	const profile = world.profiles.get("sandbox");
	world.operator = "ben";
	world.profiles.set("sandbox", { ...(profile as NonNullable<typeof profile>), settings: { "duplicate-days": "1" } });
	const { ran } = await world.sent([["2", "b"]], "two.csv");
	expect([ran.exit, JSON.parse(ran.stderr).warning.message]).toEqual([
		0,
		"settings that guard money were changed without purser: cap-per-day from 100 EUR to not set; duplicate-days from not set to 1. They are in force, and the change is on record now: purser history export --kind settings",
	]);
	expect("warning" in ran.json()).toBe(false);
	expect((await world.sent([["3", "c"]], "three.csv")).ran.stderr).toBe("");
	expect((await records())[0]).toMatchObject({ how: "outside", operator: "ben", settings: { "duplicate-days": "1" } });
	expect((await world.json("history verify")).faults).toEqual([]);
});

test("a profile that is removed and added again leaves both on record", async () => {
	expect((await world.purser("profile remove sandbox --yes")).exit).toBe(0);
	world.operator = "ben";
	const add = ["profile", "add", "sandbox", "--base-url", "http://127.0.0.1:4010", "--set", "cap-per-day=900 EUR"];
	expect((await world.purser(add)).exit).toBe(0);
	expect(await records()).toMatchObject([
		{ how: "command", operator: "ben", changes: [{ key: "cap-per-day", new: "900 EUR" }] },
		{ how: "command", operator: "anna", changes: [{ key: "cap-per-day", old: "100 EUR" }], settings: {} },
		{ how: "first", operator: "anna" },
	]);
});

test("the record is exported with everything else, or alone", async () => {
	await world.purser(set("--set", "cap-per-day=200 EUR", "--yes"));
	const kinds = async (...words: string[]) =>
		(await world.purser(["history", "export", "--output", "ndjson", ...words])).stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).kind);
	expect(await kinds()).toEqual(["installed", "settings", "settings"]);
	expect(await kinds("--kind", "settings")).toEqual(["settings", "settings"]);
});
