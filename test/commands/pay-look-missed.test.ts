/**
 * What the look before a word and before sending again must not miss: a payment that was sent while this machine's clock was wrong, and
 * one that the service lists with one property rewritten.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const day = 86_400_000;
let world: BatchWorld;
/** What the service's list does, and how it writes what it shows. */
let [hidden, rewritten]: [boolean, ((text: string) => string) | undefined] = [false, undefined];
/** Payments that reached the service. */
let arrived = 0;

beforeEach(async () => {
	world = await batchWorld();
	[hidden, rewritten, arrived] = [false, undefined, 0];
});
afterEach(() => world.end());

/** The next payments are made, and answered or not. */
function service(answers: boolean): void {
	world.onTransfer(async (_, pass) => {
		arrived += 1;
		const answer = await pass();
		return answers ? answer : { kind: "sent", reason: "the connection was closed before an answer came" };
	});
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	world.wire = async (request) => {
		if (!request.url.includes("/transactions?")) return pass(request);
		if (hidden) return answered(200, `{"content":[],"totalElements":0}`);
		const outcome = await pass(request);
		if (outcome.kind !== "answer" || rewritten === undefined) return outcome;
		return { ...outcome, body: new TextEncoder().encode(rewritten(new TextDecoder().decode(outcome.body))) };
	};
}

const pay = (...more: string[]) => {
	const { from, to } = world;
	const payment = ["--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10", "--reference", "Invoice 2041"];
	return world.purser(["pay", "ledger", ...payment, "--yes", "--json", ...more]);
};
const word = (...more: string[]) =>
	world.purser(["pay", "settle", "1", "--not-created", "--reason", "asked the bank", "--yes", "--json", ...more]);
const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;
const stateOf = async () => (await world.purser(["history", "show", "1", "--json"])).json();

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
		const said = await word();
		expect([said.exit, said.exit === 0 ? "settled" : errorOf(said).code]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect((await stateOf()).state).toBe("in-doubt");
	});

	test("is seen before it is sent again", async () => {
		await lostWhileWrong(ahead);
		hidden = true;
		expect((await word()).exit).toBe(0);
		hidden = false;
		service(true);
		const again = await pay();
		expect([again.exit, arrived]).toEqual([10, 1]);
		expect(errorOf(again).code).toBe("LISTED_NOW");
	});
});

describe.each([
	["reference", (text: string) => text.replaceAll("Invoice 2041", "TRANSFER 77")],
	["amount", (text: string) => text.replaceAll("10.10", "10.60").replaceAll(/10\.1\b/g, "10.6")],
] as const)("a payment that the service lists with another %s", (_, rewrite) => {
	test("is told before a word says that it was not created, and must be named", async () => {
		service(false);
		expect((await pay()).exit).toBe(7);
		rewritten = rewrite;
		const said = await word();
		expect([said.exit, said.exit === 0 ? "settled" : errorOf(said).code]).toEqual([10, "LISTED_MAY_BE_IT"]);
		const [, id = ""] = /--not-this ([0-9a-f-]{36})/.exec(errorOf(said).fix) ?? [];
		expect((await word("--not-this", id)).exit).toBe(0);
		expect((await stateOf()).evidence.before).toMatchObject({ look: { unclaimed: 0, possible: 1 }, notThis: [id] });
		service(true);
		expect([(await pay()).exit, arrived]).toEqual([0, 2]);
	});

	test("is told before it is sent again", async () => {
		service(false);
		expect((await pay()).exit).toBe(7);
		hidden = true;
		expect((await word()).exit).toBe(0);
		[hidden, rewritten] = [false, rewrite];
		service(true);
		const again = await pay();
		expect([again.exit, arrived]).toEqual([10, 1]);
		expect(errorOf(again).code).toBe("LISTED_NOW");
		expect(errorOf(again).fix).toMatch(/purser pay settle 1 --transaction [0-9a-f-]{36} --reason TEXT\n/);
	});

	test("is put right by its transaction, with a reason", async () => {
		service(false);
		expect((await pay()).exit).toBe(7);
		hidden = true;
		expect((await word()).exit).toBe(0);
		[hidden, rewritten] = [false, rewrite];
		const single = world.wire as NonNullable<BatchWorld["wire"]>;
		service(true);
		const [, id = ""] = /--transaction ([0-9a-f-]{36})/.exec(errorOf(await pay()).fix) ?? [];
		world.wire = async (request) => {
			const outcome = await single(request);
			if (outcome.kind !== "answer" || !request.url.includes(id)) return outcome;
			return { ...outcome, body: new TextEncoder().encode(rewrite(new TextDecoder().decode(outcome.body))) };
		};
		const named = ["pay", "settle", "1", "--transaction", id, "--json"];
		const without = await world.purser(named);
		expect([without.exit, errorOf(without).code]).toEqual([10, "ANOTHER_TRANSFER"]);
		expect(errorOf(without).fix).toContain(`purser pay settle 1 --transaction ${id} --reason TEXT`);
		const settled = await world.purser([...named, "--reason", "The bank rewrites it, ticket 4711"]);
		expect(settled.exit, settled.stderr).toBe(0);
		expect(await stateOf()).toMatchObject({ state: "accepted", id, evidence: { source: "transaction" } });
		expect((await stateOf()).evidence.reason).toContain("The bank rewrites it, ticket 4711");
		expect((await world.purser(["history", "verify"])).exit).toBe(0);
	});
});

test("control: a line that is exactly another payment in doubt does not hold back a word", async () => {
	service(false);
	expect((await pay()).exit).toBe(7);
	const { from, to } = world;
	const other = ["--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10", "--reference", "Invoice 2042"];
	const made = (text: string) => {
		const list = JSON.parse(text);
		const content = (list.content ?? list).filter((one: object) => !JSON.stringify(one).includes("Invoice 2041"));
		return JSON.stringify({ content, totalElements: content.length });
	};
	expect((await world.purser(["pay", "ledger", ...other, "--yes", "--json"])).exit).toBe(7);
	rewritten = made;
	expect((await word()).exit).toBe(0);
});

test("a payment that was not created, planned in a batch by a clock that is far ahead, is looked for before the row is sent", async () => {
	service(false);
	expect((await pay()).exit).toBe(7);
	hidden = true;
	expect((await word()).exit).toBe(0);
	hidden = false;
	service(true);
	clockAhead(30 * day);
	const path = world.file([["10.10", "Invoice 2041"]]);
	expect((await world.purser(["pay", "batch", "plan", path, "--json"])).exit).toBe(0);
	const sent = await world.purser(["pay", "batch", "send", `${path}.plan.json`, "--yes", "--json"]);
	expect([sent.exit, arrived], sent.stderr).toEqual([10, 1]);
	expect(errorOf(sent).code).toBe("LISTED_NOW");
});

test("a payment that was proven by a list is held back where the list lacks a payment that is known by then", async () => {
	const { from, to } = world;
	const known = ["--ledger-from-id", from, "--ledger-to-id", to, "--amount", "7.70", "--reference", "known"];
	service(false);
	expect((await pay()).exit).toBe(7);
	service(true);
	expect((await world.purser(["pay", "ledger", ...known, "--yes"])).exit).toBe(0);
	const evidence = { source: "service", reason: "not among the transactions in two complete checks" } as const;
	await (await world.history()).settle("1", { state: "not-created", evidence }, 1);
	world.clock.advance(2 * day);
	hidden = true;
	arrived = 0;
	const again = await pay();
	expect([again.exit, again.exit === 0 ? "sent" : errorOf(again).code, arrived]).toEqual([10, "NOT_LOOKED_AT", 0]);
	expect(errorOf(again).why).toContain("the service does not list transaction");
});
