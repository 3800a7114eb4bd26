/**
 * Each run of a batch records what its rows were sent through, and each accepted row is followed as the service was described in the run
 * that sent it. Doubts are looked up as it is described today.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OperationBinding } from "../../src/ports/binding.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

/** The service lists its payments at `/v1/…` and `/v2/…`, too. */
function bind(version: string | undefined): void {
	const path = `/${version}/movements`;
	const overrides: Record<string, OperationBinding> =
		version === undefined ? {} : { "transaction.list": { path }, "transaction.get": { path: `${path}/{transactionId}` } };
	const profile = world.profiles.get("sandbox");
	if (profile !== undefined) world.profiles.set("sandbox", { ...profile, overrides });
	world.onTransfer(async (reference, pass) => {
		const answer = await pass();
		return reference.startsWith("Lost") ? { kind: "sent", reason: "the connection was closed before an answer came" } : answer;
	});
	const { wire } = world;
	world.wire = async (request) =>
		wire?.({ ...request, url: request.url.replace(/\/v\d\/movements/, "/api/partner/transactions") }) as never;
}

/** The versions at which payments were read. */
const read = () => [
	...new Set(world.requests.flatMap(({ method, url }) => (method === "GET" ? (/\/(v\d)\/movements/.exec(url)?.[1] ?? []) : []))),
];

test("rows of two runs, between which the service was described differently, are each followed as in their own run", async () => {
	bind("v1");
	const rows = [
		["1.00", "Row 1"],
		["2.00", "Lost 2"],
		["3.00", "Row 3"],
		["4.00", "Lost 4"],
	] as const;
	const path = world.file(rows);
	const { batch } = (await world.purser(["pay", "batch", "plan", path, "--json"])).json().plan;
	expect((await world.purser(["pay", "batch", "send", `${path}.plan.json`, "--yes", "--json", "--stop-after", "2"])).exit).toBe(7);
	await world.nextProcess();
	bind("v2");
	expect((await world.purser(["pay", "batch", "resume", batch, "--yes", "--json"])).exit).toBe(7);
	const journal = await world.history();
	const bindings = (await journal.list({ batch })).map(({ row, binding }) => [row, binding?.digest, binding?.lookUps] as const).sort();
	expect(bindings.map(([row, digest]) => [row, digest])).toEqual([1, 2, 3, 4].map((row) => [row, null]));
	expect(bindings[0]?.[2]).toBe(bindings[1]?.[2]);
	expect(bindings[2]?.[2]).toBe(bindings[3]?.[2]);
	expect(bindings[0]?.[2]).not.toBe(bindings[2]?.[2]);
	bind(undefined);
	world.requests.length = 0;
	const settled = await world.purser(["pay", "settle", "--batch", batch, "--json"]);
	expect((settled.json() as { row: number; state: string }[]).map(({ row, state }) => [row, state])).toEqual([
		[4, "accepted"],
		[2, "accepted"],
	]);
	expect(read()).toEqual([]);
	world.requests.length = 0;
	world.clock.advance(3_600_000);
	const waited = await world.purser(["pay", "batch", "wait", batch, "--json"]);
	expect(waited.json().final).toEqual({ APPROVED: 4 });
	expect(read().sort()).toEqual(["v1", "v2"]);
	expect(world.requests.some(({ url }) => url.includes("/api/partner/transactions/"))).toBe(false);
	expect((await journal.verify()).faults).toEqual([]);
});

test("a batch of a profile that binds nothing says so, and its doubts are looked up as the service is described today", async () => {
	bind(undefined);
	const { batch } = await world.sent([["1.00", "Lost 1"]]);
	bind("v1");
	expect((await (await world.history()).list({ batch }))[0]?.binding).toBeNull();
	world.requests.length = 0;
	expect((await world.purser(["pay", "settle", "--batch", batch, "--json"])).json()).toMatchObject([{ state: "accepted" }]);
	expect(read()).toEqual(["v1"]);
});

test("a payment of a batch that was seen final proves the binding that it was sent through", async () => {
	bind("v1");
	const profile = world.profiles.get("sandbox");
	if (profile === undefined) throw new Error("there is no profile");
	world.profiles.set("sandbox", {
		...profile,
		overrides: { ...profile.overrides, "transaction.interLedger": { headers: { "x-channel": "7" } } },
	});
	const words = ["api", "confirm", "transaction.interLedger"];
	const confirmed = (await world.purser([...words, "--dry-run", "--json"])).json().digest;
	expect((await world.purser([...words, "--confirm-binding", confirmed, "--no-first-cap", "--reason", "seen by hand"])).exit).toBe(0);
	const { batch } = await world.sent([["1.00", "Row 1"]]);
	const journal = await world.history();
	const digest = (await journal.list({ batch }))[0]?.binding?.digest ?? "";
	expect(await journal.paidThrough("transaction.interLedger", digest)).toEqual({ accepted: true, final: false });
	expect(await journal.paidThrough("transaction.beneficiary", digest)).toEqual({ accepted: false, final: false });
	world.clock.advance(3_600_000);
	expect((await world.purser(["pay", "batch", "wait", batch])).exit).toBe(0);
	expect(await journal.paidThrough("transaction.interLedger", digest)).toEqual({ accepted: true, final: true });
});
