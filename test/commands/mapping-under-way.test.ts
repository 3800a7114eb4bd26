/**
 * Another mapping is not stored while money leaves by the one that the profile has; a doubt keeps nobody from it.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
/** What the commands said while a payment was on its way. */
let said: [exit: number, message: string | undefined][];
const movements = { method: "GET", path: "/v2/movements/{transactionId}" } as const;
const file = (operations: object) => new TextEncoder().encode(JSON.stringify({ purser: "mapping", version: 1, operations }));
const use = (name: string) => world.purser(`api use ${name} --yes --json`);
const told = ({ exit, stderr }: Ran): [number, string | undefined] => [
	exit,
	exit === 0 ? undefined : JSON.parse(stderr.trim().split("\n").at(-1) as string).error.message,
];
const stored = () => world.profiles.get("sandbox")?.mapping;

beforeEach(async () => {
	world = await batchWorld({}, { mapping: { operations: {} } });
	said = [];
	world.files.set("bank.json", file({ "transaction.get": { send: "GET /v2/movements/{transactionId}" } }));
	world.files.set("same.json", file({}));
	world.onTransfer(async () => {
		for (const name of ["bank.json", "same.json"]) said.push(told(await use(name)));
		return { kind: "sent", reason: "the connection was closed before an answer came" };
	});
});
afterEach(() => world.end());

test("while a single payment is being sent", async () => {
	const pay = ["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", "1.10", "--reference", "Rent", "--yes"];
	expect((await world.purser(pay)).exit).toBe(7);
	const refused = "Payment 1 is being sent by the mapping that the profile sandbox has; nothing was stored";
	expect([said, stored()]).toEqual([
		[
			[10, refused],
			[0, undefined],
		],
		{ operations: {} },
	]);
	// It is in doubt now.
	expect((await use("bank.json")).exit).toBe(0);
	expect(stored()).toEqual({ operations: { "transaction.get": movements } });
});

test("while a batch is under way", async () => {
	const { batch } = await world.sent([["1.00", "Row 1"]]);
	const refused = `Batch ${batch} is being sent by the mapping that the profile sandbox has; nothing was stored`;
	expect([said, stored()]).toEqual([
		[
			[10, refused],
			[0, undefined],
		],
		{ operations: {} },
	]);
	expect((await use("bank.json")).exit).toBe(0);
});
