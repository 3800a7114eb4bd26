/**
 * The right thing at the wrong moment: what another process does while a person looks at the preview of a batch or while a payment alike is
 * on its way, a batch that outlives its plan, and a mapping that changes between two runs.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld, type Rows, rowsOf } from "./batch-world.js";
import { notCreated } from "./payment-world.js";

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
		if (lost.delete(reference)) return lostAnswer;
		arrived.push(reference);
		const act = during;
		during = undefined;
		await act?.();
		return pass();
	});
});
afterEach(() => world.end());

const three = rowsOf("1.10 one", "2.20 two", "3.30 three");
const two = three.slice(0, 2);
const send = "pay batch send pay.csv.plan.json";
const resume = (...more: string[]) => world.purser(["pay", "batch", "resume", "1", "--yes", "--json", ...more]);

async function planned(rows: Rows, ...more: string[]): Promise<void> {
	world.file(rows);
	const ran = await world.plan(...more);
	expect(ran.exit, ran.stderr).toBe(0);
}
const paid = async (amount: string, reference: string) => expect((await world.pay(amount, reference)).exit).toBe(0);

/** Runs it, does something while the question stands on the screen, and answers with Yes. */
const meanwhile = (line: string, act: () => Promise<unknown>) => world.purser(line, { answers: [() => act().then(() => true)] });

describe("pay batch send", () => {
	test("a Yes pays nothing that was paid before or since: only a plan that says so and why", async () => {
		await planned(two);
		const ran = await meanwhile(send, () => paid("2.20", "two"));
		expect([ran.exit, arrived]).toEqual([10, ["two"]]);
		expect(ran.stderr).toContain("Of 2 rows, 0 are the same as another row of the file and 1 like a payment");
		const asked = await world.purser(send, { answers: [] });
		expect([asked.exit, world.asked, asked.stderr]).toEqual([10, [], expect.stringMatching(/batch plan FILE\s+--despite-duplicates 1/)]);
		await planned(two, "--despite-duplicates", "1", "--reason", "two deliveries");
		const again = await world.purser(send, { answers: [true] });
		expect([again.exit, arrived]).toEqual([0, ["two", "one", "two"]]);
		expect(again.stderr).toMatch(
			/Row 3 \(two, 2\.20 EUR to Savings of Example Trading SAS\) was already paid on 1 Mar as\s+[0-9a-f-]{36}\n/,
		);
	});

	test("a batch that another terminal began and stopped is not gone on with by a Yes to the whole of it", async () => {
		await planned(two);
		const ran = await meanwhile(send, () => world.send("--stop-after", "1"));
		expect([ran.exit, arrived, ran.stderr]).toEqual([10, ["one"], expect.stringContaining("has changed since it was checked")]);
		expect([(await resume()).exit, arrived]).toEqual([0, ["one", "two"]]);
	});

	test("is refused beside the same payment that another purser is sending at this moment, to a person before any question", async () => {
		await planned(two);
		during = async () => {
			const script = await world.send();
			expect([script.exit, script.error()]).toMatchObject([10, { code: "OPEN_DOUBT", intent: "3" }]);
			const person = await world.purser(send, { answers: [] });
			expect([person.exit, world.asked, arrived]).toEqual([10, [], ["two"]]);
			expect(person.stderr).toContain("in doubt or being sent");
		};
		await paid("2.20", "two");
		expect(during).toBeUndefined();
	});
});

describe("pay batch resume", () => {
	test("the plan's word for a payment made before it lets no row out that was paid by hand since", async () => {
		away.add("two");
		await paid("1.10", "one");
		await planned(two, "--despite-duplicates", "1", "--reason", "two deliveries");
		expect((await world.send()).exit).toBe(9);
		away.clear();
		await paid("2.20", "two");
		const ran = await resume();
		expect([ran.exit, ran.error().code, arrived]).toEqual([10, "DUPLICATE", ["one", "one", "two"]]);
	});

	test("what is paid by hand since is not sent by a Yes, and the rest of it goes as another batch", async () => {
		away.add("one").add("two");
		await planned(two);
		expect((await world.send()).exit).toBe(10);
		away.clear();
		const behind = await meanwhile("pay batch resume 1", () => paid("2.20", "two"));
		const before = await world.purser("pay batch resume 1", { answers: [] });
		expect([behind.exit, before.exit, world.asked, arrived]).toEqual([10, 10, [], ["two"]]);
		expect(before.stderr).toContain("Send the rest as another batch: cancel what was never sent");
		await world.purser("pay batch abandon 1 --reason paid --yes");
		await planned(two.slice(0, 1));
		expect([(await world.send()).exit, arrived]).toEqual([0, ["two", "one"]]);
	});

	test("a Yes to so many rows is not one to others that another terminal's run left", async () => {
		await planned(three);
		await world.send("--stop-after", "1");
		const ran = await meanwhile("pay batch resume 1", () => resume("--stop-after", "1"));
		expect([ran.exit, arrived, ran.stderr]).toEqual([10, ["one", "two"], expect.stringContaining("has changed since it was checked")]);
	});
});

describe("after the time that the plan was good for", () => {
	test("pay batch resume sends the one row that was proven not created", async () => {
		lost.add("two");
		expect([(await world.sent(three)).ran.exit, arrived]).toEqual([7, ["one", "three"]]);
		const [doubt] = await world.json("pay doubts");
		expect((await notCreated(world, doubt.intent)).exit).toBe(0);
		const again = await resume();
		expect([again.exit, arrived], again.stderr).toEqual([0, ["one", "three", "two"]]);
		expect(again.json()).toMatchObject({ counts: { accepted: 3 }, run: { sent: 1 } });
		// Once it is accepted, nothing of it leaves any more.
		await resume();
		expect(arrived).toHaveLength(3);
	});

	test("control: nothing of a batch that was not begun", async () => {
		await planned(three);
		world.clock.advance(24 * 3_600_000);
		const ran = await world.send();
		expect([ran.exit, ran.error().code, arrived]).toEqual([10, "PLAN_EXPIRED", []]);
		expect((await resume()).error().code).toBe("BATCH_NOT_BEGUN");
	});
});

test("rows of two runs, between which the mapping changed, remember their own, and are read through the one in force", async () => {
	/** The service lists its payments at `/v1/…` and `/v2/…`, too. */
	const map = (version?: string): void => {
		const list = { "transaction.list": { method: "GET" as const, path: `/${version}/movements` } };
		const profile = world.profiles.get("sandbox");
		if (profile) world.profiles.set("sandbox", { ...profile, mapping: version ? { operations: list } : undefined });
	};
	map("v1");
	world.onTransfer(async (reference, pass) => {
		const answer = await pass();
		return reference.startsWith("Lost") ? lostAnswer : answer;
	});
	world.file(["Row 1", "Lost 2", "Row 3", "Lost 4"].map((reference, at) => [`${at + 1}.00`, reference]));
	await world.plan();
	expect((await world.send("--stop-after", "2")).exit).toBe(7);
	await world.nextProcess();
	map("v2");
	expect((await resume()).exit).toBe(7);
	const journal = await world.history();
	const mappings = (await journal.list({ batch: "1" }))
		.sort((one, other) => Number(one.row) - Number(other.row))
		.map(({ mapping }) => mapping);
	const [first, , second] = mappings;
	expect(mappings).toEqual([first, first, second, second]);
	expect([first?.length, second?.length, first === second]).toEqual([64, 64, false]);
	map();
	world.requests.length = 0;
	const settled = (await world.json("pay settle --batch 1")) as { row: number; state: string }[];
	expect(settled.map(({ row, state }) => `${row} ${state}`)).toEqual(["5 accepted", "3 accepted"]);
	expect(world.requests.filter(({ url }) => url.includes("/movements"))).toEqual([]);
	expect(await world.faults()).toEqual([]);
});
