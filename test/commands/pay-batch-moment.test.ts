/**
 * The right thing at the wrong moment: what another process does while a person looks at the preview of a batch.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
/** References as they reached the service. */
let arrived: string[];
/** What does not reach the service. */
let away: Set<string>;

beforeEach(async () => {
	world = await batchWorld();
	arrived = [];
	away = new Set();
	world.onTransfer(async (reference, pass) => {
		if (away.has(reference)) return { kind: "not-sent", reason: "refused", cause: { code: "ECONNREFUSED" } };
		arrived.push(reference);
		return pass();
	});
});
afterEach(() => world.end());

const codeOf = (stderr: string): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error.code;
const send = ["pay", "batch", "send", "pay.csv.plan.json"];

async function planned(rows: readonly (readonly [string, string])[], name?: string): Promise<string> {
	const ran = await world.purser(["pay", "batch", "plan", world.file(rows, name), "--json"]);
	expect(ran.exit, ran.stderr).toBe(0);
	return ran.json().plan.batch;
}

const single = (amount: string, reference: string) =>
	world.purser([
		...["pay", "ledger", "--ledger-from-id", world.from, "--ledger-to-id", world.to],
		...["--amount", amount, "--reference", reference, "--yes", "--json"],
	]);

/** What is done while the question stands on the screen; then it is answered with Yes. */
const meanwhile = (act: () => Promise<unknown>) => ({
	answers: [
		async () => {
			await act();
			return true;
		},
	],
});

describe("pay batch send", () => {
	test("a Yes does not confirm a payment alike that another terminal made after the preview", async () => {
		await planned([
			["1.10", "one"],
			["2.20", "two"],
		]);
		const ran = await world.purser(
			send,
			meanwhile(async () => expect((await single("2.20", "two")).exit).toBe(0)),
		);
		expect([ran.exit, arrived]).toEqual([10, ["two"]]);
		expect(ran.stderr).toContain("Of 2 rows, 0 are the same as another row of the file and 1 like a payment");
		// Run once more, it is shown, and a Yes means it.
		const again = await world.purser(send, { answers: [true] });
		expect([again.exit, arrived]).toEqual([0, ["two", "one", "two"]]);
		expect(again.stderr).toContain("1 of 2 rows was paid recently");
	});

	test("a plan that takes the shown one's place before the Yes is not what is sent", async () => {
		await planned([["1.10", "shown"]]);
		const ran = await world.purser(
			send,
			meanwhile(() => planned([["900", "swapped"]], "other.csv").then(swap)),
		);
		expect([ran.exit, arrived]).toEqual([0, ["shown"]]);
	});

	test("nor is one that takes the place of what a script named the total of", async () => {
		await planned([["1.10", "shown"]]);
		await planned([["900", "swapped"]], "other.csv");
		const files = world.files;
		const get = files.get.bind(files);
		let reads = 0;
		files.get = (path) => {
			// After it was held against what is expected, and before it is read again.
			if (path === "pay.csv.plan.json" && ++reads === 2) swap();
			return get(path);
		};
		const ran = await world.purser([...send, "--yes", "--expect-count", "1", "--expect-total", "EUR=1.10", "--json"]);
		files.get = get;
		expect([ran.exit, arrived]).toEqual([0, ["shown"]]);
	});

	test("a batch that another terminal began and stopped is not gone on with by a Yes to the whole of it", async () => {
		await planned([
			["1.10", "one"],
			["2.20", "two"],
		]);
		const ran = await world.purser(
			send,
			meanwhile(() => world.purser([...send, "--yes", "--stop-after", "1"])),
		);
		expect([ran.exit, arrived]).toEqual([10, ["one"]]);
		expect(ran.stderr).toContain("has changed since it was checked");
		expect((await world.purser(["pay", "batch", "resume", "1", "--yes"])).exit).toBe(0);
		expect(arrived).toEqual(["one", "two"]);
	});

	const swap = (): void => void world.files.set("pay.csv.plan.json", world.files.get("other.csv.plan.json") as Uint8Array);
});

describe("pay batch resume", () => {
	const meant = ["--despite-duplicates", "1", "--reason", "two deliveries"];

	test("the plan's word for a payment made before it lets no row out that was paid by hand since", async () => {
		away.add("two");
		expect((await single("1.10", "one")).exit).toBe(0);
		world.file([
			["1.10", "one"],
			["2.20", "two"],
		]);
		expect((await world.purser(["pay", "batch", "plan", "pay.csv", ...meant])).exit).toBe(0);
		expect((await world.purser([...send, "--yes"])).exit).toBe(9);
		away.clear();
		expect((await single("2.20", "two")).exit).toBe(0);
		const ran = await world.purser(["pay", "batch", "resume", "1", "--yes", "--json"]);
		expect([ran.exit, codeOf(ran.stderr), arrived]).toEqual([10, "DUPLICATE", ["one", "one", "two"]]);
	});

	test("equal rows that were meant are sent without another word", async () => {
		away.add("same");
		world.file([
			["3.30", "same"],
			["3.30", "same"],
		]);
		expect((await world.purser(["pay", "batch", "plan", "pay.csv", ...meant])).exit).toBe(0);
		expect((await world.purser([...send, "--yes"])).exit).toBe(10);
		away.clear();
		expect((await world.purser(["pay", "batch", "resume", "1", "--yes"])).exit).toBe(0);
		expect(arrived).toEqual(["same", "same"]);
	});

	test("what was paid by hand since is shown; what is paid behind the preview is not confirmed", async () => {
		away.add("one").add("two");
		await planned([
			["1.10", "one"],
			["2.20", "two"],
		]);
		expect((await world.purser([...send, "--yes"])).exit).toBe(10);
		away.clear();
		expect((await single("1.10", "one")).exit).toBe(0);
		const behind = await world.purser(
			["pay", "batch", "resume", "1"],
			meanwhile(async () => expect((await single("2.20", "two")).exit).toBe(0)),
		);
		expect([behind.exit, arrived]).toEqual([10, ["one", "two"]]);
		expect(behind.stderr).toContain("1 of 2 rows was paid recently");
		const shown = await world.purser(["pay", "batch", "resume", "1"], { answers: [false] });
		expect(shown.stderr).toContain("2 of 2 rows were paid recently");
	});

	test("a Yes to so many rows is not one to others that another terminal's run left", async () => {
		await planned([
			["1.10", "one"],
			["2.20", "two"],
			["3.30", "three"],
		]);
		await world.purser([...send, "--yes", "--stop-after", "1"]);
		const ran = await world.purser(
			["pay", "batch", "resume", "1"],
			meanwhile(() => world.purser(["pay", "batch", "resume", "1", "--yes", "--stop-after", "1"])),
		);
		expect([ran.exit, arrived]).toEqual([10, ["one", "two"]]);
		expect(ran.stderr).toContain("has changed since it was checked");
	});
});
