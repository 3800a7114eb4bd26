/**
 * An answer that bears another payment's id, whose own answer was lost: both are named, nothing is settled by itself, and neither is paid again.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./payment-world.js";

let world: BatchWorld;
/** The id that the service gave to each reference. */
let ids: Record<string, string>;
/** Each reference that reached the service. */
let made: string[];
/** Whether the owner's answer is lost. */
let losing: boolean;

beforeEach(async () => {
	world = await batchWorld();
	[ids, made, losing] = [{}, [], true];
	world.onTransfer(async (reference, pass) => {
		made.push(reference);
		const outcome = await pass();
		ids[reference] = outcome.kind === "answer" ? JSON.parse(new TextDecoder().decode(outcome.body)).id : "";
		if (reference === "owner") return losing ? lostAnswer : outcome;
		return answered(201, JSON.stringify({ id: ids.owner }));
	});
	expect((await world.pay("1.10", "owner")).exit).toBe(7);
});
afterEach(() => world.end());

const record = (intent: string) => world.json(`history show ${intent}`);
const hold = async () => expect((await world.pay("2.20", "holder")).json().id).toBe(ids.owner);

test("neither is settled by itself; a person opens the holder again, names both, and neither is paid again", async () => {
	await hold();
	const contested = await world.purser("pay settle --json");
	const why = "one transaction may be it, but the service gave that id to intent 2: compare both, and decide";
	expect([contested.exit, contested.json()]).toMatchObject([7, [{ intent: "1", state: "in-doubt", finding: "contested", why }]]);
	expect((await world.purser(`pay settle 1 --transaction ${ids.owner} --json`)).error().code).toBe("TRANSACTION_HELD");
	const dry = await world.purser("pay settle 2 --reopen --reason other --dry-run --json");
	expect([dry.exit, (await record("2")).id]).toEqual([7, ids.owner]);
	const reopened = await world.purser('pay settle 2 --reopen --reason "its amount is another"');
	expect(reopened.exit).toBe(7);
	expect(reopened.stdout).toContain(`it was accepted and is open again; ${ids.owner} stays named with it`);
	expect(await record("2")).toMatchObject({ state: "in-doubt", formerIds: [ids.owner] });
	expect(await world.json("pay settle")).toMatchObject([{ finding: "contested" }, { finding: "contested" }]);
	expect((await world.purser(`pay settle 1 --transaction ${ids.owner}`)).exit).toBe(0);
	expect((await world.purser(`pay settle 2 --transaction ${ids.holder}`)).exit).toBe(0);
	expect(await record("1")).toMatchObject({ state: "accepted", id: ids.owner });
	expect(await record("2")).toMatchObject({ state: "accepted", id: ids.holder });
	expect([await world.json("pay doubts"), await world.faults()]).toEqual([[], []]);
	expect((await world.pay("2.20", "holder")).error().code).toBe("DUPLICATE");
	expect(made).toEqual(["owner", "holder"]);
});

test("that the id is another's is told by pay show, which changes nothing", async () => {
	await hold();
	const shown = await world.purser(`pay show ${ids.owner}`);
	const told = `Transaction ${ids.owner} is not what intent 2 sent: amount and reference differ.`;
	expect([shown.exit, shown.stderr]).toEqual([0, expect.stringContaining(told)]);
	expect(shown.stderr).toContain("purser pay settle 2 --reopen --reason TEXT");
	expect([(await record("1")).state, (await record("2")).id]).toEqual(["in-doubt", ids.owner]);
});

describe("the owner is not said to be not created because another holds its id", () => {
	test("by a word", async () => {
		await hold();
		const said = await notCreated(world, "1", "--json");
		expect([said.exit, said.error().code]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect(said.stderr).toContain(`purser pay settle 1 --transaction ${ids.owner}`);
	});

	test("and is not sent again", async () => {
		// A list hid it, and so it was settled; only then another payment is answered with its id.
		await (await world.history()).settle("1", { state: "not-created", evidence: { source: "person", reason: "asked" } }, 1);
		await hold();
		losing = false;
		const again = await world.pay("1.10", "owner");
		expect([again.exit, again.error().code, made]).toEqual([10, "LISTED_NOW", ["owner", "holder"]]);
	});
});
