/**
 * The same payment sent again after it was settled as not created: preceded by one look, in scripts too, single and in batches. The look must
 * not miss what was sent while this machine's clock was wrong. And an answer with another payment's id.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { asksList, notCreated, nothingListed, payIn, tellOtherwise } from "./payment-world.js";

const day = 86_400_000;
let world: BatchWorld;
/** What the service's list does: show everything, nothing, or fail. */
let list: "shows" | "hides" | "fails" | "cut";
/** Requests for the list, and payments that reached the service. */
let [listed, arrived] = [0, 0];

beforeEach(async () => {
	world = await batchWorld();
	list = "shows";
	[listed, arrived] = [0, 0];
});
afterEach(() => world.end());

/** The next payments are made or not, and answered or not, by what their reference says. */
function service(answers: (reference: string) => boolean, made: (reference: string) => boolean = () => true): void {
	world.onTransfer(async (reference, pass) => {
		arrived += 1;
		const answer = made(reference) ? await pass() : lostAnswer;
		return answers(reference) ? answer : lostAnswer;
	});
	const { wire } = world;
	world.wire = async (request) => {
		listed += Number(asksList(request));
		return asksList(request) && list === "fails" ? answered(404, "{}") : (wire as NonNullable<typeof wire>)(request);
	};
	const texts = { shows: undefined, fails: undefined, hides: nothingListed, cut: '{"content":[],"totalElements":7}' };
	tellOtherwise(world, (text) => (list === "hides" && text.includes("row 1") ? withRowOne(text) : texts[list]), asksList);
}
/** Of a batch, only the row whose id is known. */
function withRowOne(text: string): string {
	const { content } = JSON.parse(text) as { content: { information?: { reference?: string } }[] };
	const known = content.filter(({ information }) => information?.reference === "row 1");
	return JSON.stringify({ content: known, totalElements: known.length });
}

const pay = (...more: string[]) => payIn(world, undefined, { more });
const byWord = async (intent = "1") => expect((await notCreated(world, intent)).exit).toBe(0);
const stateOf = (intent = "1") => world.json(`history show ${intent}`);

/** Somebody says of a payment that a list hides that it was not created; then the service answers, and counts anew. */
async function wronglyNotCreated(...intents: string[]): Promise<void> {
	list = "hides";
	for (const intent of intents) await byWord(intent);
	service(() => true);
	[listed, arrived] = [0, 0];
}

describe("one payment", () => {
	const lost = async () => {
		service(() => false);
		expect((await pay()).exit).toBe(7);
		await wronglyNotCreated("1");
	};

	test("that is listed by now is not sent again, in a script neither, and is told which", async () => {
		await lost();
		list = "shows";
		const again = await pay();
		expect([again.exit, again.error().code, arrived]).toEqual([10, "LISTED_NOW", 0]);
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
		await lost();
		list = shown;
		const again = await pay();
		expect([again.exit, arrived, listed]).toEqual([exit, payments, 1]);
		expect(again.stderr.includes("The service's list could not be checked wholly")).toBe(shown === "fails");
		if (exit === 0) expect(await stateOf()).toMatchObject({ state: "accepted", attempt: 2 });
		else expect(again.error().code).toBe("NOT_LOOKED_AT");
	});

	test("is not looked for where it was never in doubt: a payment makes no request but its own", async () => {
		service(() => true);
		expect([(await pay()).exit, listed]).toEqual([0, 0]);
	});

	/** This machine's clock goes so far ahead of the service's, which stays as it is. */
	const clockAhead = (milliseconds: number): void => {
		world.clock.advance(milliseconds);
		world.sandbox.state.ahead -= milliseconds;
	};

	test.each([2 * day, 365 * day, -2 * day])(
		"sent by a clock %i ms ahead, which is right by now, is seen before it is sent again",
		async (ahead) => {
			service(() => false);
			clockAhead(ahead);
			expect((await pay()).exit).toBe(7);
			clockAhead(-ahead);
			list = "hides";
			// Where the clock was set since, the later of both clocks' times counts, and the check says so.
			const [{ after }] = await world.json("pay settle");
			expect(Date.parse(after) - world.clock.now().getTime()).toBeCloseTo(Math.max(0, ahead) + day, -5);
			world.clock.advance(Math.max(0, ahead));
			await wronglyNotCreated("1");
			list = "shows";
			const again = await pay();
			expect([again.exit, again.error().code, arrived]).toEqual([10, "LISTED_NOW", 0]);
		},
	);
});

describe("rows of a batch, of which the second was made and wrongly settled as not created, and the third was not made,", () => {
	beforeEach(async () => {
		service(
			(reference) => reference === "row 1",
			(reference) => reference !== "row 3",
		);
		await world.sent([1, 2, 3].map((row) => [`${row}.00`, `row ${row}`] as const));
		await wronglyNotCreated("2", "3");
	});
	const resume = (more = "") => world.purser(`pay batch resume 1 --yes --json ${more}`);

	test("are not sent again where one is listed by now, by one look at their ledger", async () => {
		list = "shows";
		const ran = await resume();
		expect([ran.exit, ran.error().code, arrived, listed]).toEqual([10, "LISTED_NOW", 0, 2]);
		expect(ran.stderr).toContain("Intent 2 was settled as not created");
		const id = /lists transaction ([0-9a-f-]{36})/.exec(ran.stderr)?.[1] as string;
		expect([(await resume(`--not-this ${id}`)).exit, arrived, await world.faults()]).toEqual([0, 2, []]);
	});

	test("go on without the one that is listed, once its transaction is named", async () => {
		list = "shows";
		const id = /lists transaction ([0-9a-f-]{36})/.exec((await resume()).stderr)?.[1] as string;
		expect((await world.purser(`pay settle 2 --transaction ${id}`)).exit).toBe(0);
		expect([(await resume()).exit, arrived]).toEqual([0, 1]);
		expect((await world.json("pay batch status 1")).counts).toMatchObject({ accepted: 3, "not-created": 0 });
		expect(await world.faults()).toEqual([]);
	});

	test("control: are sent where none is listed", async () => {
		expect([(await resume()).exit, arrived, listed]).toEqual([0, 2, 2]);
	});

	test("are looked for all the same when they are planned anew in another file", async () => {
		list = "shows";
		const { ran } = await world.sent([["2.00", "row 2"]], "again.csv");
		expect([ran.exit, ran.error().code, arrived]).toEqual([10, "LISTED_NOW", 0]);
	});
});

/** Both are named, nothing is settled by itself, and neither is paid again. */
describe("an answer that bears the id of another payment, whose own answer was lost", () => {
	/** The id that the service gave to each reference. */
	let ids: Record<string, string>;
	/** Each reference that reached the service. */
	let made: string[];
	/** Whether the owner's answer is lost. */
	let losing: boolean;

	beforeEach(async () => {
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

	const hold = async () => expect((await world.pay("2.20", "holder")).json().id).toBe(ids.owner);

	test("neither is settled by itself; a person opens the holder again, names both, and neither is paid again", async () => {
		await hold();
		const contested = await world.purser("pay settle --json");
		const why = "one transaction may be it, but the service gave that id to intent 2: compare both, and decide";
		expect([contested.exit, contested.json()]).toMatchObject([7, [{ intent: "1", state: "in-doubt", finding: "contested", why }]]);
		expect((await world.purser(`pay settle 1 --transaction ${ids.owner} --json`)).error().code).toBe("TRANSACTION_HELD");
		const dry = await world.purser("pay settle 2 --reopen --reason other --dry-run --json");
		expect([dry.exit, (await stateOf("2")).id]).toEqual([7, ids.owner]);
		const reopened = await world.purser('pay settle 2 --reopen --reason "its amount is another"');
		expect(reopened.exit).toBe(7);
		expect(reopened.stdout).toContain(`it was accepted and is open again; ${ids.owner} stays named with it`);
		expect(await stateOf("2")).toMatchObject({ state: "in-doubt", formerIds: [ids.owner] });
		expect(await world.json("pay settle")).toMatchObject([{ finding: "contested" }, { finding: "contested" }]);
		expect((await world.purser(`pay settle 1 --transaction ${ids.owner}`)).exit).toBe(0);
		expect((await world.purser(`pay settle 2 --transaction ${ids.holder}`)).exit).toBe(0);
		expect(await stateOf("1")).toMatchObject({ state: "accepted", id: ids.owner });
		expect(await stateOf("2")).toMatchObject({ state: "accepted", id: ids.holder });
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
		expect([(await stateOf("1")).state, (await stateOf("2")).id]).toEqual(["in-doubt", ids.owner]);
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
});
