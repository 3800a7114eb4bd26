/**
 * The same payment sent again after it was settled as not created: preceded by one look, in scripts too, single and in batches.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { notCreated } from "./not-created.js";
import { asksList, errorOf, payIn } from "./payment-world.js";

let world: BatchWorld;
/** What the service's list does: show everything, nothing, or fail; or show row 2 twice, first without its id. */
let list: "shows" | "hides" | "fails" | "cut" | "doubles";
/** Requests for the list, and payments that reached the service. */
let [listed, arrived] = [0, 0];

beforeEach(async () => {
	world = await batchWorld();
	list = "shows";
	[listed, arrived] = [0, 0];
});
afterEach(() => world.end());

/** The next payments are made or not, and answered or not. */
function service({ made, answers }: { made: boolean; answers: boolean }): void {
	world.onTransfer(async (_, pass) => {
		arrived += 1;
		const answer = made ? await pass() : undefined;
		return answers && answer ? answer : lostAnswer;
	});
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	world.wire = async (request) => {
		if (!asksList(request)) return pass(request);
		listed += 1;
		if (list === "fails") return answered(404, "{}");
		if (list === "cut") return answered(200, '{"content":[],"totalElements":7}');
		const outcome = await pass(request);
		if (list === "shows" || outcome.kind !== "answer") return outcome;
		const { content } = JSON.parse(new TextDecoder().decode(outcome.body)) as { content: { information?: { reference?: string } }[] };
		const isOf = ({ information }: (typeof content)[number], reference: string): boolean => information?.reference === reference;
		const doubled = content.flatMap((line) => (isOf(line, "row 2") ? [{ ...line, id: undefined }, line] : [line]));
		const known = list === "doubles" ? doubled : content.filter((line) => isOf(line, "row 1"));
		return answered(200, JSON.stringify({ content: known, totalElements: known.length }));
	};
}

const pay = (...more: string[]) => payIn(world, undefined, { more });
async function byWord(intent = "1"): Promise<void> {
	const said = await notCreated(world, intent);
	expect(said.exit, said.stderr).toBe(0);
}
const stateOf = async (intent = "1") => (await world.purser(["history", "show", intent, "--json"])).json();

/** A payment that was made, whose answer was lost, and which a list that hides it let somebody settle as not created. */
async function wronglyNotCreated(): Promise<void> {
	service({ made: true, answers: false });
	expect((await pay()).exit).toBe(7);
	list = "hides";
	await byWord();
	service({ made: true, answers: true });
	[listed, arrived] = [0, 0];
}

describe("one payment", () => {
	test("that is listed by now is not sent again, in a script neither, and is told which", async () => {
		await wronglyNotCreated();
		list = "shows";
		const again = await pay();
		expect([again.exit, errorOf(again).code, arrived]).toEqual([10, "LISTED_NOW", 0]);
		expect(again.stderr).toMatch(/Intent 1 was settled as not created, but the service lists transaction [0-9a-f-]{36}, of 2026-03-01T/);
		expect(await stateOf()).toMatchObject({ state: "not-created", attempt: 1 });
		expect((await pay("--despite", "1", "--reason", "another one, as the bank says")).exit).toBe(0);
		expect([arrived, (await stateOf()).state, (await stateOf("2")).state]).toEqual([1, "not-created", "accepted"]);
	});

	test.each<[string, typeof list, number, number]>([
		["control: where it is not listed, is sent after one look", "hides", 0, 1],
		["where the service has no list, is sent with a warning", "fails", 0, 1],
		["where the list does not show everything, is held back", "cut", 10, 0],
	])("%s", async (_, shown, exit, payments) => {
		await wronglyNotCreated();
		list = shown;
		const again = await pay();
		expect([again.exit, arrived, listed]).toEqual([exit, payments, 1]);
		expect(again.stderr.includes("The service's list could not be checked wholly")).toBe(shown === "fails");
		if (exit === 0) expect(await stateOf()).toMatchObject({ state: "accepted", attempt: 2 });
		else expect(errorOf(again).code).toBe("NOT_LOOKED_AT");
	});

	test("is not looked for where it was never in doubt: a payment makes no request but its own", async () => {
		service({ made: true, answers: true });
		expect([(await pay()).exit, listed]).toEqual([0, 0]);
	});
});

describe("rows of a batch", () => {
	/** Three rows, of which the second was made, its answer lost, and wrongly settled as not created; the third was not made. */
	async function begun(): Promise<string> {
		service({ made: true, answers: true });
		const pass = world.wire as NonNullable<BatchWorld["wire"]>;
		world.wire = async (request) => {
			const body = new TextDecoder().decode(request.body);
			const made = !body.includes("row 3");
			if (request.method !== "POST" || !request.url.includes("/transactions/") || body.includes("row 1")) return pass(request);
			if (made) await pass(request);
			return lostAnswer;
		};
		const { batch } = await world.sent([1, 2, 3].map((row) => [`${row}.00`, `row ${row}`] as const));
		list = "hides";
		for (const intent of ["2", "3"]) await byWord(intent);
		service({ made: true, answers: true });
		[listed, arrived] = [0, 0];
		return batch;
	}
	const resume = (batch: string, ...more: string[]) => world.purser(["pay", "batch", "resume", batch, "--yes", "--json", ...more]);

	test("of which one is listed by now are not sent again, by one look at their ledger", async () => {
		const batch = await begun();
		list = "shows";
		const ran = await resume(batch);
		expect([ran.exit, errorOf(ran).code, arrived, listed]).toEqual([10, "LISTED_NOW", 0, 2]);
		expect(ran.stderr).toContain("Intent 2 was settled as not created");
		const id = /lists transaction ([0-9a-f-]{36})/.exec(ran.stderr)?.[1] as string;
		expect((await resume(batch, "--not-this", id)).exit).toBe(0);
		expect(arrived).toBe(2);
		expect((await world.purser(["history", "verify"])).exit).toBe(0);
	});

	test("of which one is listed go on without it, once its transaction is named", async () => {
		const batch = await begun();
		list = "shows";
		const id = /lists transaction ([0-9a-f-]{36})/.exec((await resume(batch)).stderr)?.[1] as string;
		expect((await world.purser(["pay", "settle", "2", "--transaction", id])).exit).toBe(0);
		expect([(await resume(batch)).exit, arrived]).toEqual([0, 1]);
		expect((await world.purser(["pay", "batch", "status", batch, "--json"])).json().counts).toMatchObject({
			accepted: 3,
			"not-created": 0,
		});
		expect((await world.purser(["history", "verify"])).exit).toBe(0);
	});

	test("control: of which none is listed are sent", async () => {
		const batch = await begun();
		expect([(await resume(batch)).exit, arrived, listed]).toEqual([0, 2, 2]);
	});

	test("planned anew in another file are looked for all the same", async () => {
		await begun();
		list = "shows";
		const { ran } = await world.sent([["2.00", "row 2"]], "again.csv");
		expect([ran.exit, errorOf(ran).code, arrived]).toEqual([10, "LISTED_NOW", 0]);
	});
});
