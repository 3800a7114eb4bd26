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
