/**
 * An answer that bears another payment's id, whose own answer was lost: the id goes to whom it fits, whenever the transaction is seen again.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

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
		if (lost.has(reference)) return { kind: "sent", reason: "the connection was closed before an answer came" };
		const other = ids.get(bears[reference] ?? "");
		return other === undefined ? outcome : answered(201, JSON.stringify({ id: other }));
	});
});
afterEach(() => world.end());

function idIn(outcome: WireOutcome): string {
	return outcome.kind === "answer" ? JSON.parse(new TextDecoder().decode(outcome.body)).id : "";
}

const pay = (amount: string, reference: string, ...more: string[]) =>
	world.purser([
		...["pay", "ledger", "--ledger-from-id", world.from, "--ledger-to-id", world.to],
		...["--amount", amount, "--reference", reference, "--yes", "--json", ...more],
	]);
const record = async (intent: string) => (await world.purser(["history", "show", intent, "--json"])).json();
const doubts = async () => (await world.purser(["pay", "doubts", "--json"])).json() as unknown[];
const owner = () => ids.get("owner") as string;
const faults = async () => (await world.purser(["history", "verify", "--json"])).json().faults;

/** What holds however it was found: the id is the owner's, and neither can be paid again. @param own whether the holder's own id was found too */
async function corrected(own = false): Promise<void> {
	expect(await record("1")).toMatchObject({ state: "accepted", id: owner() });
	const holder = await record("2");
	expect(holder).toMatchObject({ state: "accepted", ...(own ? {} : { mistaken: { id: owner() } }) });
	expect(holder.id).toBe(own ? ids.get("holder") : undefined);
	expect(holder.events.map(({ kind }: { kind: string }) => kind)).toEqual(["begun", "ended", "unnamed", ...(own ? ["named"] : [])]);
	expect(await doubts()).toEqual([]);
	expect(await faults()).toEqual([]);
	const again = await pay("2.20", "holder");
	expect([again.exit, JSON.parse(again.stderr.trim().split("\n").at(-1) as string).error.code]).toEqual([10, "DUPLICATE"]);
	expect(made).toEqual(["owner", "holder"]);
}

async function mixed(...more: string[]): Promise<Awaited<ReturnType<typeof pay>>> {
	expect((await pay("1.10", "owner")).exit).toBe(7);
	return pay("2.20", "holder", ...more);
}

describe("the owner of the id does not stay in doubt", () => {
	test("by pay settle, which finds the holder's own id too", async () => {
		expect((await mixed()).json().id).toBe(owner());
		const settled = await world.purser(["pay", "settle", "--json"]);
		expect(settled.exit).toBe(0);
		expect(settled.json()).toMatchObject([
			{ intent: "1", state: "accepted", id: owner() },
			{ intent: "2", state: "accepted", id: ids.get("holder") },
		]);
		expect(settled.json()[1].evidence.reason).toContain(`it had been answered with another payment's id (${owner()})`);
		await corrected(true);
	});

	test("by pay settle with the transaction named", async () => {
		await mixed();
		const settled = await world.purser(["pay", "settle", "1", "--transaction", owner()]);
		expect(settled.exit, settled.stderr).toBe(0);
		expect(settled.stdout).toContain("No id of its own  Intent 2");
		await corrected();
		// It is no doubt; by its number its own transaction is looked for.
		const own = await world.purser(["pay", "settle", "2", "--json"]);
		expect([own.exit, own.json()], own.stderr).toMatchObject([0, [{ intent: "2", state: "accepted", id: ids.get("holder") }]]);
		await corrected(true);
		expect((await world.purser(["pay", "settle", "2"])).exit).toBe(10);
	});

	test("by pay show, and by pay show --wait", async () => {
		await mixed();
		const shown = await world.purser(["pay", "show", owner()]);
		expect(shown.stderr).toContain("Intent 2 was answered with another payment's id");
		expect(shown.stderr).toContain(`Intent 1, which was in doubt, was created as ${owner()}`);
		await corrected();
		const again = await world.purser(["pay", "show", owner(), "--wait"]);
		expect([again.exit, again.stderr.includes("Intent")]).toEqual([0, false]);
	});

	test("by the waiting after the payment, whose own status is not told by another one's", async () => {
		const paid = await mixed("--wait");
		expect(paid.exit).toBe(8);
		expect(paid.json().transaction).toBeUndefined();
		expect(paid.json().id).toBeUndefined();
		expect(paid.stderr).toContain("It stays accepted and is never sent again");
		await corrected();
	});

	test("by following a batch, of which both are rows", async () => {
		const { batch, ran } = await world.sent([
			["1.10", "owner"],
			["2.20", "holder"],
			["3.30", "third"],
		]);
		expect([ran.exit, ran.json().counts]).toMatchObject([7, { accepted: 2, "in-doubt": 1 }]);
		const waited = await world.purser(["pay", "batch", "wait", batch, "--json"]);
		expect(waited.json()).toMatchObject({ final: { APPROVED: 1 }, unnamed: 1 });
		expect([await record("1"), await record("2")]).toMatchObject([
			{ state: "accepted", id: owner() },
			{ state: "accepted", mistaken: { id: owner() } },
		]);
		expect(await faults()).toEqual([]);
		const status = await world.purser(["pay", "batch", "status", batch, "--json"]);
		expect([status.exit, status.json().counts]).toMatchObject([0, { accepted: 3, "in-doubt": 0 }]);
		const resumed = await world.purser(["pay", "batch", "resume", batch, "--yes", "--json"]);
		expect([resumed.json().run.sent, made]).toEqual([0, ["owner", "holder", "third"]]);
	});
});

test("history show tells it in words, and what to type next is not another's transaction", async () => {
	await mixed();
	await world.purser(["pay", "show", owner()]);
	const shown = await world.purser(["history", "show", "2"]);
	expect(shown.stdout).toContain("unknown: the service answered with another payment's id");
	expect(shown.stdout).toContain(`transaction ${owner()} is another payment: amount and reference differ`);
	expect(shown.stdout + shown.stderr).not.toContain(`purser pay show ${owner()}`);
	expect(shown.stdout + shown.stderr).toContain("purser pay settle 2");
});

test("a dry run takes nothing away", async () => {
	await mixed();
	expect((await world.purser(["pay", "settle", "--dry-run", "--json"])).json()).toHaveLength(2);
	expect([(await record("1")).state, (await record("2")).id]).toEqual(["in-doubt", owner()]);
});

describe("what is the payment's own is not taken away", () => {
	/** What the service tells of the single payment with this reference, in the list and by itself. */
	function told(change: (text: string) => string): void {
		const pass = world.wire as NonNullable<BatchWorld["wire"]>;
		world.wire = async (request) => {
			const outcome = await pass(request);
			if (request.method !== "GET" || outcome.kind !== "answer") return outcome;
			const text = change(new TextDecoder().decode(outcome.body));
			return { ...outcome, body: new TextEncoder().encode(text) };
		};
	}

	test.each([
		["a fee is added to the amount", (text: string) => text.replace('"amount":2.2', '"amount":2.45'), "amount differs"],
		["the reference is another one", (text: string) => text.replaceAll("holder", "NOTPROVIDED"), "reference differs"],
		["sender and receiver are told the wrong way round", (text: string) => swapped(text), "ledger and payee differ"],
	])("where %s: it is told", async (_, change, words) => {
		const paid = await pay("2.20", "holder");
		const { id } = paid.json();
		told(change);
		const shown = await world.purser(["pay", "show", id]);
		expect(shown.exit).toBe(0);
		expect(shown.stderr).toContain(`differs from what intent 1 sent: ${words}`);
		expect(await record("1")).toMatchObject({ state: "accepted", id });
	});

	test("where fields are missing, nothing is said at all", async () => {
		const { id } = (await pay("2.20", "holder")).json();
		told(() => `{"id":"${id}","status":"APPROVED"}`);
		const shown = await world.purser(["pay", "show", id]);
		expect(shown.stderr).not.toContain("ntent");
		expect(await record("1")).toMatchObject({ id });
	});

	const swapped = (text: string): string =>
		text.replaceAll(world.from, "FROM").replaceAll(world.to, world.from).replaceAll("FROM", world.to);
});

test("an amount alone that differs is taken away where it is exactly what is in doubt", async () => {
	// Told apart from the owner by its amount alone.
	expect((await pay("1.10", "owner")).exit).toBe(7);
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	world.wire = async (request) => {
		const outcome = await pass(request);
		const isOther = request.method === "POST" && new TextDecoder().decode(request.body).includes('"amount":7');
		return isOther ? answered(201, JSON.stringify({ id: ids.get("first") })) : outcome;
	};
	const first = owner();
	ids.set("first", first);
	lost.clear();
	const other = await pay("7", "owner");
	lost.add("owner");
	expect(other.json().id).toBe(first);
	expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([
		{ intent: "1", state: "accepted", id: first },
		{ intent: "2", state: "accepted", id: ids.get("owner") },
	]);
});

test("where the service's own record cannot be read, nothing is taken away, and the owner is not held for not created", async () => {
	await mixed();
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	world.wire = async (request) =>
		request.method === "GET" && request.url.endsWith(`/transactions/${owner()}`) ? answered(404, "{}") : pass(request);
	for (let day = 0; day < 3; day += 1) {
		expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([{ intent: "1", state: "in-doubt" }]);
		world.clock.advance(24 * 3_600_000);
	}
	expect((await record("2")).id).toBe(owner());
});

describe("two that were answered with each other's ids", () => {
	/** Both are made, each is told the other's id, and a third payment of the ledger stays in doubt so that there is something to settle. */
	async function swapped(): Promise<void> {
		const pass = world.wire as NonNullable<BatchWorld["wire"]>;
		let first: string | undefined;
		world.wire = async (request) => {
			const outcome = await pass(request);
			const body = request.method === "POST" ? new TextDecoder().decode(request.body) : "";
			if (body.includes("one")) {
				// Answered only when the other one is made too.
				first = ids.get("one");
				const { id } = JSON.parse(new TextDecoder().decode((await other()).body)) as { id: string };
				ids.set("two", id);
				return answered(201, JSON.stringify({ id }));
			}
			return body.includes("two") ? answered(201, JSON.stringify({ id: first })) : outcome;
			async function other() {
				const text = body.replace('"amount":1', '"amount":2').replace("one", "two");
				const answer = await pass({ ...request, body: new TextEncoder().encode(text) });
				if (answer.kind !== "answer") throw new Error("it was not made");
				return answer;
			}
		};
		expect((await pay("1", "one")).json().id).toBe(ids.get("two"));
		world.wire = async (request) =>
			request.method === "POST" && new TextDecoder().decode(request.body).includes("two")
				? answered(201, JSON.stringify({ id: ids.get("one") }))
				: pass(request);
		expect((await pay("2", "two")).json().id).toBe(ids.get("one"));
		lost.add("third");
		world.wire = pass;
		expect((await pay("3", "third")).exit).toBe(7);
		lost.delete("third");
	}

	test("both get their own by pay settle", async () => {
		await swapped();
		const settled = await world.purser(["pay", "settle", "--json"]);
		expect(settled.exit, settled.stderr).toBe(0);
		expect([await record("1"), await record("2"), await record("3")]).toMatchObject([
			{ state: "accepted", id: ids.get("one") },
			{ state: "accepted", id: ids.get("two") },
			{ state: "accepted", id: ids.get("third") },
		]);
		expect(await faults()).toEqual([]);
	});
});

describe("the owner is not said to be not created because another holds its id", () => {
	const codeOf = ({ stderr }: { stderr: string }): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error.code;
	const word = (...more: string[]) =>
		world.purser(["pay", "settle", "1", "--not-created", "--reason", "asked", "--yes", "--json", ...more]);

	test("by a word", async () => {
		await mixed();
		const said = await word();
		expect([said.exit, said.exit === 0 ? "settled" : codeOf(said)]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect(said.stderr).toContain(`purser pay settle 1 --transaction ${owner()}`);
		expect((await world.purser(["pay", "settle", "1", "--transaction", owner()])).exit).toBe(0);
		await corrected();
	});

	test("and is not sent again", async () => {
		expect((await pay("1.10", "owner")).exit).toBe(7);
		// A list hid it, and so it was settled; only then another payment is answered with its id.
		const evidence = { source: "service", reason: "not among the transactions in two complete checks" } as const;
		await (await world.history()).settle("1", { state: "not-created", evidence }, 1);
		expect((await pay("2.20", "holder")).json().id).toBe(owner());
		lost.clear();
		const again = await pay("1.10", "owner");
		expect([again.exit, again.exit === 0 ? "sent" : codeOf(again)]).toEqual([10, "LISTED_NOW"]);
		expect(made).toEqual(["owner", "holder"]);
	});
});

test("an id that is taken away and that nobody is known to be keeps the list from proving absence", async () => {
	lost.clear();
	expect((await pay("2.20", "holder")).exit).toBe(0);
	const { id } = await record("1");
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	// From now on the service tells this one as a payment to somebody unknown.
	world.wire = async (request) => {
		if (request.method === "POST" && request.url.includes("/transactions/"))
			return { kind: "sent", reason: "the connection was closed before an answer came" };
		const outcome = await pass(request);
		if (outcome.kind !== "answer" || !request.url.includes("/transactions")) return outcome;
		const text = new TextDecoder().decode(outcome.body).replaceAll(world.to, "3f1c9a52-7f0e-4b6e-9d2a-cccccccccccc");
		return { ...outcome, body: new TextEncoder().encode(text) };
	};
	expect((await pay("5", "never made")).exit).toBe(7);
	let last = await world.purser(["pay", "settle", "--json"]);
	for (let day = 0; day < 3; day += 1) {
		world.clock.advance(24 * 3_600_000);
		last = await world.purser(["pay", "settle", "--json"]);
	}
	expect([last.exit, last.json()[0].state]).toEqual([7, "in-doubt"]);
	expect(last.json()[0].why).toContain(`the service gave the id ${id}`);
	expect(await record("1")).toMatchObject({ state: "accepted", mistaken: { id } });
});
