/** Doubts of several ledgers: each is settled as soon as its list was read, so that an interruption costs the ledger under way alone. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const ledgersAsked = (): string[] =>
	world.requests
		.filter(({ url }) => url.includes("/transactions?"))
		.map(({ url }) => new URL(url).searchParams.get("ledgerId") as string)
		.filter((one, at, all) => one !== all[at - 1]);

test("what was settled before an interruption is recorded", async () => {
	world.onTransfer(async (_, pass) => {
		await pass();
		return { kind: "sent", reason: "the connection was closed before an answer came" };
	});
	const { from, to } = world;
	for (const [one, other] of [
		[from, to],
		[to, from],
	] as const)
		await world.purser(["pay", "ledger", "--ledger-from-id", one, "--ledger-to-id", other, "--amount", "10.10", "--yes", "--json"]);
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	const person = new AbortController();
	world.wire = async (request) => {
		// Ctrl-C while the second list is on its way.
		if (!request.url.includes("/transactions?") || ledgersAsked().length < 2) return pass(request);
		person.abort("SIGINT");
		return { kind: "sent", reason: "aborted" };
	};
	world.requests.length = 0;
	const first = await world.purser(["pay", "settle", "--json"], { signal: person.signal });
	expect(first.exit).toBe(130);
	expect(first.stderr).toContain("1 of 2 ledgers were checked, and the results are recorded");
	expect(ledgersAsked()).toEqual([to, from]);
	const history = await world.history();
	expect([(await history.checks("2")).length, (await history.checks("1")).length]).toEqual([1, 0]);
	world.wire = pass;
	world.requests.length = 0;
	const second = await world.purser(["pay", "settle", "--json"]);
	expect([second.exit, ledgersAsked()]).toEqual([7, [to, from]]);
	// The second ledger had no money, so nothing was made there.
	expect(second.json()).toMatchObject([
		{ intent: "2", state: "in-doubt" },
		{ intent: "1", state: "accepted" },
	]);
});
