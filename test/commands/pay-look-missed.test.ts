/**
 * What the check before a word and before sending again must not miss: a payment that was sent while this machine's clock was wrong, and
 * one that the service lists with another reference.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./not-created.js";
import { asksList, errorOf, payIn, tellOtherwise } from "./payment-world.js";

const day = 86_400_000;
let world: BatchWorld;
/** How the service writes what its list shows. */
let list: ((text: string) => string) | undefined;
/** Payments that reached the service. */
let arrived = 0;

beforeEach(async () => {
	world = await batchWorld();
	[list, arrived] = [undefined, 0];
});
afterEach(() => world.end());

/** The next payments are made, and answered or not. */
function service(answers: boolean): void {
	world.onTransfer(async (_, pass) => {
		arrived += 1;
		const answer = await pass();
		return answers ? answer : lostAnswer;
	});
	tellOtherwise(world, (text) => list?.(text), asksList);
}

const nothing = () => '{"content":[],"totalElements":0}';
const pay = () => payIn(world, "Invoice 2041");
const stateOf = async () => (await world.purser(["history", "show", "1", "--json"])).json();

/** Somebody says of what the list hides that it was not created. */
async function hiddenAndNotCreated(): Promise<void> {
	list = nothing;
	const said = await notCreated(world, "1");
	expect(said.exit, said.stderr).toBe(0);
	list = undefined;
}

/** This machine's clock goes so far ahead of the service's, which stays as it is. */
function clockAhead(milliseconds: number): void {
	world.clock.advance(milliseconds);
	world.sandbox.state.ahead -= milliseconds;
}

/** A payment that was made while this machine's clock was wrong, and whose answer was lost; then the clock is set right. */
async function lostWhileWrong(ahead: number): Promise<void> {
	service(false);
	clockAhead(ahead);
	expect((await pay()).exit).toBe(7);
	clockAhead(-ahead);
}

describe.each([2 * day, 365 * day, -2 * day])("a payment that was sent by a clock %i ms ahead, which is right by now", (ahead) => {
	test("is seen before a word says that it was not created", async () => {
		await lostWhileWrong(ahead);
		const said = await world.purser(["pay", "settle", "1", "--not-created", "--reason", "asked the bank", "--yes", "--json"]);
		expect([said.exit, said.exit === 0 ? "settled" : errorOf(said).code]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect((await stateOf()).state).toBe("in-doubt");
	});

	test("is seen before it is sent again", async () => {
		await lostWhileWrong(ahead);
		list = nothing;
		// Where the clock was set since, the later of both clocks' times counts, and the check says so.
		const [{ after }] = (await world.purser(["pay", "settle", "--json"])).json();
		expect(Date.parse(after) - world.clock.now().getTime()).toBeCloseTo(Math.max(0, ahead) + day, -5);
		world.clock.advance(Math.max(0, ahead));
		await hiddenAndNotCreated();
		service(true);
		const again = await pay();
		expect([again.exit, arrived]).toEqual([10, 1]);
		expect(errorOf(again).code).toBe("LISTED_NOW");
	});
});

test("a payment that the service lists with another reference is put right by its transaction, with a reason", async () => {
	service(false);
	expect((await pay()).exit).toBe(7);
	await hiddenAndNotCreated();
	const [{ id }] = (await world.purser(["pay", "list", "--ledger-id", world.from, "--json"])).json() as [{ id: string }];
	tellOtherwise(
		world,
		(text) => text.replaceAll("Invoice 2041", "TRANSFER 77"),
		({ url }) => url.includes(id),
	);
	const named = ["pay", "settle", "1", "--transaction", id, "--json"];
	const without = await world.purser(named);
	expect([without.exit, errorOf(without).code]).toEqual([10, "ANOTHER_TRANSFER"]);
	expect(errorOf(without).fix).toContain(`purser pay settle 1 --transaction ${id} --reason TEXT`);
	const settled = await world.purser([...named, "--reason", "The bank rewrites it, ticket 4711"]);
	expect(settled.exit, settled.stderr).toBe(0);
	const { evidence, ...state } = await stateOf();
	expect([state, evidence]).toMatchObject([{ state: "accepted", id }, { source: "transaction" }]);
	expect(evidence.reason).toContain("The bank rewrites it, ticket 4711");
	expect((await world.purser(["history", "verify"])).exit).toBe(0);
});

test("control: a line that is exactly another payment in doubt does not hold back a word", async () => {
	service(false);
	expect((await pay()).exit).toBe(7);
	expect((await payIn(world, "Invoice 2042")).exit).toBe(7);
	list = (text) => {
		const content = JSON.parse(text).content.filter((one: object) => !JSON.stringify(one).includes("Invoice 2041"));
		return JSON.stringify({ content, totalElements: content.length });
	};
	expect((await notCreated(world, "1")).exit).toBe(0);
});

test("a payment that was not created, planned in a batch by a clock that is far ahead, is looked for before the row is sent", async () => {
	service(false);
	expect((await pay()).exit).toBe(7);
	await hiddenAndNotCreated();
	service(true);
	clockAhead(30 * day);
	const path = world.file([["10.10", "Invoice 2041"]]);
	expect((await world.purser(["pay", "batch", "plan", path, "--json"])).exit).toBe(0);
	const sent = await world.purser(["pay", "batch", "send", `${path}.plan.json`, "--yes", "--json"]);
	expect([sent.exit, arrived], sent.stderr).toEqual([10, 1]);
	expect(errorOf(sent).code).toBe("LISTED_NOW");
});
