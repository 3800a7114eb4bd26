/**
 * What `pay settle` finds out, from what the service lists to the exit code: one table for what settles by itself, and one for what a person
 * may say. Which line is which payment is tested in `matching/`.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import { type BatchWorld, batchWorld } from "../commands/batch-world.js";
import { asksList, errorOf, payIn } from "../commands/payment-world.js";
import { answered, lostAnswer } from "../support/world-wire.js";

type Listed = Record<string, unknown> & { information?: { reference?: string }; sender: object };

/** What the service lists in place of its payments, or the whole answer. */
type List = (lines: Listed[]) => Listed[] | { content: Listed[]; totalElements: number } | WireOutcome;

const minute = 60_000;
const day = 24 * 60 * minute;
let world: BatchWorld;
let list: List | undefined;
/** What does not arrive, and what bears another payment's id. */
let notMade: ReadonlySet<string>;
/** The ids that the service gave, by reference, newest last. */
let ids: Record<string, string[]>;

beforeEach(async () => {
	world = await batchWorld();
	[list, notMade, ids] = [undefined, new Set(), {}];
});
afterEach(() => world.end());

/** The service, whose answers to payments are lost where `answers` does not give one. */
function service(answers: (reference: string, answer: WireOutcome) => WireOutcome = () => lostAnswer): void {
	world.onTransfer(async (reference, pass) => {
		if (notMade.has(reference)) return lostAnswer;
		const answer = await pass();
		if (answer.kind !== "answer") return answer;
		ids[reference] = [...(ids[reference] ?? []), (JSON.parse(new TextDecoder().decode(answer.body)) as { id: string }).id];
		return answers(reference, answer);
	});
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	world.wire = async (request) => {
		const outcome = await pass(request);
		if (list === undefined || outcome.kind !== "answer" || !asksList(request)) return outcome;
		const { content } = JSON.parse(new TextDecoder().decode(outcome.body)) as { content: Listed[] };
		const shown = list(content);
		if ("kind" in shown) return shown;
		const page = Array.isArray(shown) ? { content: shown, totalElements: shown.length } : shown;
		return answered(200, JSON.stringify(/[?&]page=0/.test(request.url) ? page : { ...page, content: [] }), {
			date: world.clock.now().toUTCString(),
		});
	};
}

const pay = (reference: string, ...more: string[]) => payIn(world, reference, { more });

/** Payments with these references, in doubt; those alike are owed. */
async function lost(...references: string[]): Promise<void> {
	for (const [at, reference] of references.entries()) {
		const before = references.slice(0, at).flatMap((one, number) => (one === reference ? [String(number + 1)] : []));
		const despite = before.length === 0 ? [] : ["--despite", before.join(","), "--reason", "owed twice"];
		expect((await pay(reference, ...despite)).exit).toBe(7);
	}
}

const settle = (...words: string[]) => world.purser(["pay", "settle", "--json", ...words]);
const reworded =
	(reference: string | undefined): List =>
	(lines) =>
		lines.map((line) => ({ ...line, information: { ...line.information, reference } }));
const withStatus =
	(status: string): List =>
	(lines) =>
		lines.map((line) => ({ ...line, status }));

interface Case {
	references: string[];
	notMade?: string[];
	list?: List;
	/** By intent. */
	expected: string[];
	exit: number;
}

const cases: Record<string, Case> = {
	"one that is listed": { references: ["Rent"], expected: ["accepted"], exit: 0 },
	"one that is not listed": { references: ["Rent"], notMade: ["Rent"], expected: ["it is not listed"], exit: 7 },
	"one that somebody else paid as well": {
		references: ["Rent"],
		list: (lines) => lines.flatMap((line) => [line, { ...line, id: "eeeeeeee-0000-4000-8000-000000000001" }]),
		expected: ["more transactions may be it than payments were sent: somebody else may have made one of them"],
		exit: 7,
	},
	"one that was declined": { references: ["Rent"], list: withStatus("DECLINED"), expected: ["accepted"], exit: 5 },
	"one that came back": { references: ["Rent"], list: withStatus("REVERSED"), expected: ["accepted"], exit: 5 },
	"where there is no list": {
		references: ["Rent"],
		list: () => answered(404, "{}"),
		expected: ["the service's list could not be read: List transactions: the service refused it (status 404)"],
		exit: 7,
	},
	"where the list announces more than it shows": {
		references: ["Rent"],
		notMade: ["Rent"],
		list: (content) => ({ content, totalElements: 3 }),
		expected: ["it is not listed, but the list announces 3 transactions and shows 0"],
		exit: 7,
	},
};

describe("by the service's list", () => {
	test.each(Object.entries(cases))("%s", async (_, { references, notMade: none = [], list: shown, expected, exit }) => {
		notMade = new Set(none);
		service();
		await lost(...references);
		list = shown;
		world.clock.advance(minute);
		const ran = await settle();
		const found = ran.json() as { intent: string; state: string; why?: string }[];
		expect(found.reverse().map(({ state, why }) => why ?? state)).toEqual(expected);
		expect(ran.exit).toBe(exit);
	});

	test("that lacks a payment whose id is known, which is said", async () => {
		service((reference, answer) => (reference === "Known" ? answer : lostAnswer));
		notMade = new Set(["Rent"]);
		expect((await pay("Known")).exit).toBe(0);
		expect((await pay("Rent")).exit).toBe(7);
		list = () => [];
		world.clock.advance(day + minute);
		const ran = await settle();
		expect([ran.exit, ran.json()]).toMatchObject([
			7,
			[{ why: "it is not listed, but the list does not show a payment that was accepted in that time", check: { complete: false } }],
		]);
	});
});

describe("what may be it is a person's to accept", () => {
	test("one by one or all that are alone at once, with a reason", async () => {
		service();
		await lost("Rent April", "Food");
		list = reworded(undefined);
		const one = await settle("--accept-listed", "--reason", "compared");
		expect([one.exit, one.json()]).toMatchObject([7, [{ state: "in-doubt" }, { state: "in-doubt" }]]);
		list = (lines) => lines.map((line) => ({ ...line, information: { reference: String(line.information?.reference).slice(0, 3) } }));
		const shown = await world.purser(["pay", "settle"], { answers: [] });
		expect(shown.exit).toBe(7);
		expect(shown.stdout).toContain('listed  10.10 EUR  to Example Trading SAS  "Ren"');
		const accepted = await settle("--accept-listed", "--reason", "compared");
		expect([accepted.exit, accepted.json()]).toMatchObject([
			0,
			[
				{
					intent: "2",
					state: "accepted",
					id: ids.Food?.[0],
					evidence: { source: "person", reason: "compared (reference could not be compared)" },
				},
				{ intent: "1", state: "accepted", id: ids["Rent April"]?.[0] },
			],
		]);
	});
});

describe("that a payment was not created is a person's to say", () => {
	const word = (...more: string[]) => settle("1", "--not-created", "--reason", "asked the bank", ...more);
	/** A check of this age, counted from the payment; its number. */
	async function checked(after: number): Promise<string> {
		world.clock.advance(after);
		return String((await settle("1")).json()[0].check.number);
	}
	beforeEach(async () => {
		service();
		notMade = new Set(["Rent"]);
		await lost("Rent");
	});

	test("by a complete check past the settling time; then it may be sent again, as a new attempt", async () => {
		const early = await settle("1");
		expect(early.json()).toMatchObject([{ why: "it is not listed", after: expect.stringMatching(/^2026-03-02T/) }]);
		const check = await checked(day + minute);
		expect((await pay("Rent")).exit).toBe(10);
		const said = await word("--check", check);
		expect([said.exit, said.json()]).toMatchObject([
			0,
			[
				{
					state: "not-created",
					evidence: { source: "person", reason: "asked the bank", checks: [{ number: 2, complete: true, fitting: 0 }] },
				},
			],
		]);
		notMade = new Set();
		expect((await pay("Rent")).exit).toBe(7);
		// The transaction may also be the first attempt, listed late.
		expect((await settle("1")).json()).toMatchObject([{ state: "in-doubt", finding: "unknown-which" }]);
		expect((await settle("1", "--transaction", ids.Rent?.[0] as string)).exit).toBe(0);
		expect((await world.purser(["history", "verify", "--json"])).json().faults).toEqual([]);
	});

	test("not by no check, an early one, another's, or one of an earlier attempt", async () => {
		const early = await checked(minute);
		for (const [check, why] of [
			[undefined, "name the check that you rely on"],
			[early, "check 1 was too early"],
			["7", "check 7 is no check of it"],
		] as const) {
			const said = await word(...(check === undefined ? [] : ["--check", check]));
			expect([said.exit, errorOf(said).code]).toEqual([10, "CHECK_NOT_ENOUGH"]);
			expect(errorOf(said).message).toContain(why);
		}
		const late = await checked(day + minute);
		expect((await word("--check", late)).exit).toBe(0);
		expect((await pay("Rent")).exit).toBe(7);
		expect(errorOf(await word("--check", late)).message).toContain("check 2 is no check of it");
	});

	test("not by a check that was not complete, nor where the list is not complete now", async () => {
		list = (content) => ({ content, totalElements: 3 });
		const part = await checked(day + minute);
		expect(errorOf(await word("--check", part)).message).toContain("the list announces 3 transactions and shows 0");
		list = undefined;
		expect(errorOf(await word("--check", part)).message).toContain("check 1 was not complete");
	});

	test("not where it is listed by now", async () => {
		list = () => [];
		const check = await checked(day + minute);
		list = undefined;
		notMade = new Set();
		// Somebody else's, or its own that came late.
		await pay("Rent", "--despite", "1", "--reason", "owed twice");
		expect((await settle("2")).exit).toBe(7);
		const said = await word("--check", check);
		expect([said.exit, errorOf(said).code]).toEqual([10, "LISTED_MAY_BE_IT"]);
	});

	test("not by a check that showed what the list does not show now", async () => {
		notMade = new Set();
		service();
		list = (lines) => [
			...lines,
			{ id: "eeeeeeee-0000-4000-8000-000000000001", amount: 10.1, currency: "EUR", sender: { ledgerId: world.from } },
		];
		const check = await checked(day + minute);
		list = () => [];
		expect(errorOf(await word("--check", check)).message).toContain("check 1 showed 1 that may be it, and the list shows 0 now");
	});

	test("where a line of its amount is nobody's, that line is named as another payment, on record", async () => {
		const other = { id: "eeeeeeee-0000-4000-8000-000000000001", amount: 10.1, currency: "EUR", creationDate: "2026-03-01T12:00:00Z" };
		list = () => [{ ...other, information: { reference: "Water" }, sender: { ledgerId: world.from } }];
		const check = await checked(day + minute);
		const unnamed = await word("--check", check);
		expect([unnamed.exit, errorOf(unnamed)]).toMatchObject([10, { code: "LISTED_MAY_BE_IT", details: [{ field: "notThis" }] }]);
		expect(errorOf(unnamed).fix).toContain(`--not-this ${other.id}`);
		const named = await word("--check", check, "--not-this", other.id.toUpperCase());
		expect([named.exit, named.json()]).toMatchObject([0, [{ evidence: { before: { notThis: [other.id.toUpperCase()] } } }]]);
		expect((await pay("Rent")).exit).toBe(7);
	});

	test("a line without an id is named as such, and one that another payment holds needs no name", async () => {
		notMade = new Set(["Rent"]);
		service((_, answer) => answer);
		expect((await pay("Water")).exit).toBe(0);
		list = (lines) => [...lines, ...lines.map(({ id: _, ...line }) => line as Listed)];
		const check = await checked(day + minute);
		const unnamed = await word("--check", check);
		expect([unnamed.exit, errorOf(unnamed).details.length]).toEqual([10, 1]);
		expect(errorOf(unnamed).fix).toContain("--not-this unnamed");
		expect((await word("--check", check, "--not-this", "unnamed")).exit).toBe(0);
	});

	test("where there is no list, after it was confirmed separately", async () => {
		list = () => answered(404, "{}");
		world.clock.advance(day + minute);
		expect((await word()).exit).toBe(2);
		expect((await world.purser(["pay", "settle", "1", "--not-created", "--reason", "asked"], { answers: [false] })).exit).toBe(10);
		const said = await word("--yes");
		expect([said.exit, said.json()]).toMatchObject([
			0,
			[{ evidence: { before: { unread: "NOT_FOUND", confirmed: expect.stringContaining("the service has no list that shows it") } } }],
		]);
	});

	test("not while the list cannot be read", async () => {
		const check = await checked(day + minute);
		list = () => answered(503, "{}");
		const said = await word("--check", check, "--yes");
		expect([said.exit, errorOf(said).code]).toEqual([10, "NOT_LOOKED_AT"]);
	});
});

test("what was decided is opened again, and what it was settled by is no proof of it any more", async () => {
	service();
	notMade = new Set(["Rent"]);
	await lost("Rent");
	world.clock.advance(day + minute);
	const check = String((await settle("1")).json()[0].check.number);
	expect((await settle("1", "--not-created", "--check", check, "--reason", "asked")).exit).toBe(0);
	expect((await settle("1", "--reopen", "--reason", "the bank corrects itself")).exit).toBe(7);
	expect((await pay("Rent")).exit).toBe(10);
	const { state, why } = (await world.purser(["history", "show", "1", "--json"])).json();
	expect([state, why]).toEqual(["in-doubt", "it was opened again: the bank corrects itself"]);
	expect((await settle("1", "--reopen", "--reason", "again")).exit).toBe(10);
});
