/**
 * The right thing at the wrong moment: what another process does while a person looks at the preview of a batch or while a payment alike is
 * on its way, and a batch that outlives its plan.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";
import { notCreated } from "./not-created.js";

let world: BatchWorld;
/** References as they reached the service. */
let arrived: string[];
/** What does not reach the service. */
let away: Set<string>;
/** What is lost on its way to the service, once. */
let lost: Set<string>;
/** What is done while a payment is on its way, once. */
let during: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
	world = await batchWorld();
	arrived = [];
	[away, lost, during] = [new Set(), new Set(), undefined];
	world.onTransfer(async (reference, pass) => {
		if (away.has(reference)) return { kind: "not-sent", reason: "refused", cause: { code: "ECONNREFUSED" } };
		if (lost.delete(reference)) return { kind: "sent", reason: "the connection was closed before an answer came" };
		arrived.push(reference);
		const act = during;
		during = undefined;
		await act?.();
		return pass();
	});
});
afterEach(() => world.end());

const day = 24 * 3_600_000;
const three = [
	["1.10", "one"],
	["2.20", "two"],
	["3.30", "three"],
] as const;
const two = three.slice(0, 2);
const send = ["pay", "batch", "send", "pay.csv.plan.json"];
const resume = (...more: string[]) => world.purser(["pay", "batch", "resume", "1", "--yes", "--json", ...more]);

async function planned(rows: readonly (readonly [string, string])[], name = "pay.csv"): Promise<void> {
	const ran = await world.purser(["pay", "batch", "plan", world.file(rows, name), "--json"]);
	expect(ran.exit, ran.stderr).toBe(0);
}
const paid = async (amount: string, reference: string) => expect((await world.pay(amount, reference)).exit).toBe(0);

/** What is done while the question stands on the screen; then it is answered with Yes. */
const meanwhile = (act: () => Promise<unknown>) => ({ answers: [() => act().then(() => true)] });

describe("pay batch send", () => {
	test("a Yes does not confirm a payment alike that another terminal made after the preview", async () => {
		await planned(two);
		const ran = await world.purser(
			send,
			meanwhile(() => paid("2.20", "two")),
		);
		expect([ran.exit, arrived]).toEqual([10, ["two"]]);
		expect(ran.stderr).toContain("Of 2 rows, 0 are the same as another row of the file and 1 like a payment");
		// Run once more, it is shown, and a Yes means it.
		const again = await world.purser(send, { answers: [true] });
		expect([again.exit, arrived]).toEqual([0, ["two", "one", "two"]]);
		expect(again.stderr).toMatch(
			/Row 3 \(two, 2\.20 EUR to Savings of Example Trading SAS\) was already paid on 1 Mar as\s+[0-9a-f-]{36}\n/,
		);
	});

	test("a batch that another terminal began and stopped is not gone on with by a Yes to the whole of it", async () => {
		await planned(two);
		const ran = await world.purser(
			send,
			meanwhile(() => world.send("--stop-after", "1")),
		);
		expect([ran.exit, arrived]).toEqual([10, ["one"]]);
		expect(ran.stderr).toContain("has changed since it was checked");
		expect((await resume()).exit).toBe(0);
		expect(arrived).toEqual(["one", "two"]);
	});
});

describe("pay batch resume", () => {
	const meant = ["--despite-duplicates", "1", "--reason", "two deliveries"];

	test("the plan's word for a payment made before it lets no row out that was paid by hand since", async () => {
		away.add("two");
		await paid("1.10", "one");
		world.file(two);
		expect((await world.plan(...meant)).exit).toBe(0);
		expect((await world.send()).exit).toBe(9);
		away.clear();
		await paid("2.20", "two");
		const ran = await resume();
		expect([ran.exit, failure(ran.stderr).code, arrived]).toEqual([10, "DUPLICATE", ["one", "one", "two"]]);
	});

	test("what was paid by hand since is shown; what is paid behind the preview is not confirmed", async () => {
		away.add("one").add("two");
		await planned(two);
		expect((await world.send()).exit).toBe(10);
		away.clear();
		await paid("1.10", "one");
		const behind = await world.purser(
			["pay", "batch", "resume", "1"],
			meanwhile(() => paid("2.20", "two")),
		);
		expect([behind.exit, arrived]).toEqual([10, ["one", "two"]]);
		expect(behind.stderr.match(/Row \d .* was already paid/g)).toHaveLength(1);
		const shown = await world.purser(["pay", "batch", "resume", "1"], { answers: [false] });
		expect(shown.stderr.match(/Row \d .* was already paid/g)).toHaveLength(2);
	});

	test("a Yes to so many rows is not one to others that another terminal's run left", async () => {
		await planned(three);
		await world.send("--stop-after", "1");
		const ran = await world.purser(
			["pay", "batch", "resume", "1"],
			meanwhile(() => resume("--stop-after", "1")),
		);
		expect([ran.exit, arrived]).toEqual([10, ["one", "two"]]);
		expect(ran.stderr).toContain("has changed since it was checked");
	});
});

describe("beside the same payment that another purser is sending at this moment", () => {
	test("pay batch send is refused, to a person before any question", async () => {
		await planned(two);
		during = async () => {
			const script = await world.send();
			expect([script.exit, failure(script.stderr)]).toMatchObject([10, { code: "OPEN_DOUBT", intent: "3" }]);
			const person = await world.purser(send, { answers: [] });
			expect([person.exit, world.asked, arrived]).toEqual([10, [], ["two"]]);
			expect(person.stderr).toContain("in doubt or being sent");
		};
		await paid("2.20", "two");
		expect(during).toBeUndefined();
	});
});

describe("after the time that the plan was good for", () => {
	describe("pay batch resume", () => {
		const resumed = () => world.purser(["pay", "batch", "resume", "1", "--yes", "--json"]);

		test("sends the one row that was proven not created", async () => {
			lost.add("two");
			const { ran } = await world.sent(three);
			expect([ran.exit, arrived]).toEqual([7, ["one", "three"]]);
			const [doubt] = (await world.purser(["pay", "doubts", "--json"])).json() as { intent: string }[];
			const settled = await notCreated(world, doubt?.intent as string);
			expect(settled.exit, settled.stderr).toBe(0);
			const again = await resumed();
			expect([again.exit, arrived], again.stderr).toEqual([0, ["one", "three", "two"]]);
			expect(again.json()).toMatchObject({ counts: { accepted: 3 }, run: { sent: 1 } });
			// Once it is accepted, nothing of it leaves any more.
			await resumed();
			expect(arrived).toEqual(["one", "three", "two"]);
		});
	});

	test("control: nothing of a batch that was not begun", async () => {
		await planned(three);
		world.clock.advance(day);
		const ran = await world.send();
		expect([ran.exit, failure(ran.stderr).code, arrived]).toEqual([10, "PLAN_EXPIRED", []]);
		expect(failure((await resume()).stderr).code).toBe("BATCH_NOT_BEGUN");
	});
});
