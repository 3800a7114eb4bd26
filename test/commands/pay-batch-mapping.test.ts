/**
 * Each run of a batch records the digest of the mapping that it sends with. Doubts are looked up and accepted rows followed through the
 * mapping in force.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Mapping } from "../../src/ports/mapping.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

/** The service lists its payments at `/v1/…` and `/v2/…`, too. */
function map(version: string | undefined): void {
	const path = `/${version}/movements`;
	const mapping: Mapping | undefined =
		version === undefined
			? undefined
			: {
					operations: {
						"transaction.list": { method: "GET", path },
						"transaction.get": { method: "GET", path: `${path}/{transactionId}` },
					},
				};
	const profile = world.profiles.get("sandbox");
	if (profile !== undefined) world.profiles.set("sandbox", { ...profile, mapping });
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

test("rows of two runs, between which the mapping changed, remember their own, and are all read through the one in force", async () => {
	map("v1");
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
	map("v2");
	expect((await world.purser(["pay", "batch", "resume", batch, "--yes", "--json"])).exit).toBe(7);
	const journal = await world.history();
	const mappings = (await journal.list({ batch })).sort((one, other) => Number(one.row) - Number(other.row)).map(({ mapping }) => mapping);
	const [first, , second] = mappings;
	expect(mappings).toEqual([first, first, second, second]);
	expect([first, second].map((one) => one?.length)).toEqual([64, 64]);
	expect(first).not.toBe(second);
	map(undefined);
	world.requests.length = 0;
	const settled = await world.purser(["pay", "settle", "--batch", batch, "--json"]);
	expect((settled.json() as { row: number; state: string }[]).map(({ row, state }) => [row, state])).toEqual([
		[5, "accepted"],
		[3, "accepted"],
	]);
	expect(read()).toEqual([]);
	expect((await journal.verify()).faults).toEqual([]);
});
