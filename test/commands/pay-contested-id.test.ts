/**
 * An answer that bears another payment's id, whose own answer was lost: both are named, nothing is settled by itself, and neither is paid again.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./not-created.js";
import { errorOf, payIn } from "./payment-world.js";

let world: BatchWorld;
/** The id that the service gave to each reference. */
let ids: Map<string, string>;
/** How often each reference reached the service. */
let made: string[];

/** Whose answer is lost, and whose id an answer bears in the place of its own. */
let lost: Set<string>;
let bears: Record<string, string>;

beforeEach(async () => {
	world = await batchWorld();
	lost = new Set(["owner"]);
	bears = { holder: "owner" };
	ids = new Map();
	made = [];
	world.onTransfer(async (reference, pass) => {
		made.push(reference);
		const outcome = await pass();
		ids.set(reference, idIn(outcome));
		if (lost.has(reference)) return lostAnswer;
		const other = ids.get(bears[reference] ?? "");
		return other === undefined ? outcome : answered(201, JSON.stringify({ id: other }));
	});
});
afterEach(() => world.end());

function idIn(outcome: WireOutcome): string {
	return outcome.kind === "answer" ? JSON.parse(new TextDecoder().decode(outcome.body)).id : "";
}

const pay = (amount: string, reference: string, ...more: string[]) => payIn(world, reference, { amount, more });
const record = async (intent: string) => (await world.purser(["history", "show", intent, "--json"])).json();
const doubts = async () => (await world.purser(["pay", "doubts", "--json"])).json() as unknown[];
const owner = () => ids.get("owner") as string;
const faults = async () => (await world.purser(["history", "verify", "--json"])).json().faults;

async function mixed(...more: string[]): Promise<Awaited<ReturnType<typeof pay>>> {
	expect((await pay("1.10", "owner")).exit).toBe(7);
	return pay("2.20", "holder", ...more);
}

test("neither is settled by itself; a person opens the holder again, names both, and neither is paid again", async () => {
	expect((await mixed()).json().id).toBe(owner());
	const contested = await world.purser(["pay", "settle", "--json"]);
	const why = "one transaction may be it, but the service gave that id to intent 2: compare both, and decide";
	expect([contested.exit, contested.json()]).toMatchObject([7, [{ intent: "1", state: "in-doubt", finding: "contested", why }]]);
	expect(errorOf(await world.purser(["pay", "settle", "1", "--transaction", owner(), "--json"])).code).toBe("TRANSACTION_HELD");
	const dry = await world.purser(["pay", "settle", "2", "--reopen", "--reason", "another's", "--dry-run", "--json"]);
	expect([dry.exit, (await record("2")).id]).toEqual([7, owner()]);
	const reopened = await world.purser(["pay", "settle", "2", "--reopen", "--reason", "its amount is another"]);
	expect(reopened.exit).toBe(7);
	expect(reopened.stdout).toContain(`it was accepted and is open again; ${owner()} stays named with it`);
	expect(await record("2")).toMatchObject({ state: "in-doubt", formerIds: [owner()] });
	expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([{ finding: "contested" }, { finding: "contested" }]);
	expect((await world.purser(["pay", "settle", "1", "--transaction", owner()])).exit).toBe(0);
	expect((await world.purser(["pay", "settle", "2", "--transaction", ids.get("holder") as string])).exit).toBe(0);
	expect([await record("1"), await record("2")]).toMatchObject([
		{ state: "accepted", id: owner() },
		{ state: "accepted", id: ids.get("holder") },
	]);
	expect(await doubts()).toEqual([]);
	expect(await faults()).toEqual([]);
	expect(errorOf(await pay("2.20", "holder")).code).toBe("DUPLICATE");
	expect(made).toEqual(["owner", "holder"]);
});

describe("that the id is another's is told", () => {
	test("by pay show, which changes nothing", async () => {
		await mixed();
		const shown = await world.purser(["pay", "show", owner()]);
		expect([shown.exit, shown.stderr]).toEqual([
			0,
			expect.stringContaining(`Transaction ${owner()} is not what intent 2 sent: amount and reference differ.`),
		]);
		expect(shown.stderr).toContain("purser pay settle 2 --reopen --reason TEXT");
		expect([(await record("1")).state, (await record("2")).id]).toEqual(["in-doubt", owner()]);
	});
});

describe("the owner is not said to be not created because another holds its id", () => {
	test("by a word", async () => {
		await mixed();
		const said = await notCreated(world, "1", "--json");
		expect([said.exit, errorOf(said).code]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect(said.stderr).toContain(`purser pay settle 1 --transaction ${owner()}`);
	});

	test("and is not sent again", async () => {
		expect((await pay("1.10", "owner")).exit).toBe(7);
		// A list hid it, and so it was settled; only then another payment is answered with its id.
		const evidence = { source: "person", reason: "asked" } as const;
		await (await world.history()).settle("1", { state: "not-created", evidence }, 1);
		expect((await pay("2.20", "holder")).json().id).toBe(owner());
		lost.clear();
		const again = await pay("1.10", "owner");
		expect([again.exit, again.exit === 0 ? "sent" : errorOf(again).code]).toEqual([10, "LISTED_NOW"]);
		expect(made).toEqual(["owner", "holder"]);
	});
});
