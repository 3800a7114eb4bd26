/**
 * A person's word that a payment was not created: the service's list is looked at before it, and what may be the payment must be named.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;

beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const lost = { kind: "sent", reason: "the connection was closed before an answer came" } as const;

/** The payment's answer is lost; it was made or not. */
async function payLost(made: boolean, ...more: string[]): Promise<void> {
	world.onTransfer(async (_, pass) => {
		if (made) await pass();
		return lost;
	});
	const { from, to } = world;
	const argv = ["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10", "--yes", "--json", ...more];
	expect((await world.purser(argv)).exit).toBe(7);
}

const word = (...more: string[]) => ["pay", "settle", "1", "--not-created", "--reason", "The bank confirmed, ticket 4711", ...more];
const shown = async () => (await world.purser(["history", "show", "1", "--json"])).json();
const idsListed = async (): Promise<string[]> =>
	(await world.purser(["pay", "list", "--ledger-id", world.from, "--json"])).json().map(({ id }: { id: string }) => id);

describe("a payment that is listed", () => {
	test("is not settled by a word that does not name it, in a script or at a terminal", async () => {
		await payLost(true);
		const [id] = await idsListed();
		const ran = await world.purser(word("--yes", "--json"));
		expect([ran.exit, ran.stdout]).toEqual([10, ""]);
		const { error } = JSON.parse(ran.stderr.trim().split("\n").at(-1) as string);
		expect(error).toMatchObject({ code: "LISTED_MAY_BE_IT", intent: "1", details: [{ field: "notThis" }] });
		expect(error.message).toContain(`transaction ${id}, of 2026-03-01T`);
		expect(error.fix).toContain(`purser pay settle 1 --transaction ${id}`);
		const asked = await world.purser(word(), { answers: [] });
		expect([asked.exit, world.asked]).toEqual([10, []]);
		expect((await world.purser(word("--not-this", "eeeeeeee-0001-4000-8000-000000000001", "--yes"))).exit).toBe(10);
		expect((await shown()).state).toBe("in-doubt");
	});

	test("is settled by one that names it as another payment, which is shown and on record", async () => {
		await payLost(true);
		const [id = ""] = await idsListed();
		const ran = await world.purser(word("--not-this", id.toUpperCase(), "--yes", "--json"));
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain(`The service's list shows only payments that you say are not intent 1: transaction ${id}`);
		expect(ran.json()).toMatchObject([
			{
				state: "not-created",
				seen: { listed: [{ id, amount: "10.10" }] },
				evidence: { source: "person", before: { look: { complete: true, unclaimed: 1, possible: 0 }, notThis: [id] } },
			},
		]);
		expect((await shown()).evidence.before).toMatchObject({ look: { source: "service", unclaimed: 1 }, notThis: [id] });
		expect((await world.purser(["history", "show", "1"])).stdout).toContain(`1 listed that may be it; confirmed as other payments: ${id}`);
		expect((await world.purser(["history", "verify"])).exit).toBe(0);
	});

	test("and held by another attempt needs no name", async () => {
		world.onTransfer(async (_, pass) => pass());
		const { from, to } = world;
		const argv = ["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10", "--yes", "--json"];
		expect((await world.purser(argv)).exit).toBe(0);
		await payLost(false, "--despite", "1", "--reason", "owed twice");
		const ran = await world.purser(["pay", "settle", "2", "--not-created", "--reason", "asked", "--yes", "--json"]);
		expect([ran.exit, ran.json()[0].evidence.before.look.unclaimed]).toEqual([0, 0]);
	});

	test("without an id is named as such", async () => {
		await payLost(true);
		const pass = world.wire as NonNullable<BatchWorld["wire"]>;
		world.wire = async (request) => {
			const outcome = await pass(request);
			if (outcome.kind !== "answer" || !request.url.includes("/transactions?")) return outcome;
			const text = new TextDecoder().decode(outcome.body).replace(/"id":"[^"]+",/g, "");
			return { ...outcome, body: new TextEncoder().encode(text) };
		};
		const ran = await world.purser(word("--yes", "--json"));
		expect([ran.exit, ran.stderr.includes("--not-this unnamed")]).toEqual([10, true]);
		expect((await world.purser(word("--not-this", "unnamed", "--yes"))).exit).toBe(0);
		expect((await shown()).evidence.before.notThis).toEqual(["unnamed"]);
	});
});

describe("a payment that is not listed", () => {
	test("is told so before the question", async () => {
		await payLost(false);
		let listed = 0;
		world.requests.length = 0;
		const ran = await world.purser(word(), {
			answers: [
				async () => {
					listed = world.requests.filter(({ url }) => url.includes("/transactions?")).length;
					return true;
				},
			],
		});
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("The service's list shows no transaction that may be intent 1");
		expect(listed).toBe(1);
		expect((await shown()).evidence.before).toMatchObject({ look: { complete: true, unclaimed: 0, possible: 0 } });
	});

	test("by a list that cannot be read is settled by the word alone, which is told and on record", async () => {
		await payLost(false);
		world.wire = async () => answered(404, "{}");
		const ran = await world.purser(word("--yes", "--json"));
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("only your word counts for intent 1");
		const { before } = (await shown()).evidence;
		expect([before.look, typeof before.unread]).toEqual([undefined, "string"]);
	});

	test("by a list that is not complete is told so", async () => {
		await payLost(false);
		world.wire = async ({ url }) =>
			url.includes("/ledgers/") ? answered(200, `{"id":"${world.from}"}`) : answered(200, '{"content":[],"totalElements":3}');
		const ran = await world.purser(word("--yes", "--json"));
		expect([ran.exit, ran.stderr.includes("the list announces 3 transactions and shows 0")]).toEqual([0, true]);
		expect((await shown()).evidence.before.look.complete).toBe(false);
	});
});

test("--not-this only works with --not-created", async () => {
	const ran = await world.purser(["pay", "settle", "1", "--created", "--reason", "seen", "--not-this", "x", "--yes", "--json"]);
	expect([ran.exit, ran.stderr.includes("only works with --not-created")]).toEqual([3, true]);
});
