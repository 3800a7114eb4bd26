/**
 * Rows, doubts and what became of them name the ledgers that earlier answers named; the ids stay in data and in pipes.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
	world.onTransfer(async () => ({ kind: "sent", reason: "the connection was closed before an answer came" }));
	await world.sent([
		["5.5", "Salary 1"],
		["6", "Salary 2"],
	]);
	world.seen = [
		{ kind: "ledger", id: world.from, name: "Main account" },
		{ kind: "ledger", id: world.to, name: "Savings" },
	];
	world.requests.length = 0;
});
afterEach(() => world.end());

describe("a row of a batch in doubt", () => {
	test("pay doubts names payee, ledger, row and reference, and asks the service nothing", async () => {
		const { stdout } = await world.purser(["pay", "doubts"], { columns: 200 });
		expect(stdout).toMatch(/Intent 2 {2}6\.00 EUR to Savings\n {2}Reference +"Salary 2"\n {2}From +Main account\n {2}Row +2 of batch 1\n/);
		expect(stdout).not.toContain(world.to);
		expect(world.requests).toEqual([]);
	});

	test("the ids stand in data and in a pipe", async () => {
		const [latest] = (await world.purser(["pay", "doubts", "--json"])).json();
		expect(latest).toMatchObject({
			ledgerName: "Main account",
			payeeName: "Savings",
			transfer: { ledgerFromId: world.from, counterpartyId: world.to, amount: "6" },
		});
		const piped = await world.purser(["pay", "doubts"], { piped: true });
		expect(piped.stdout.split("\n")[0]?.split("\t").slice(-6)).toEqual(["Salary 2", "", "1", "2", world.from, world.to]);
	});

	test("settle and history name it too", async () => {
		const settled = await world.purser(["pay", "settle", "--batch", "1"], { columns: 200 });
		expect(settled.stdout).toContain('Intent 1  5.50 EUR to Savings, row 1 of batch 1, "Salary 1"\n');
		expect((await world.purser(["history", "list"], { columns: 200 })).stdout).toContain("6.00 EUR to Savings");
		expect((await world.purser(["history", "show", "2"], { columns: 200 })).stdout).toContain(`To           Savings · ledger ${world.to}`);
		expect((await world.purser(["home"], { columns: 200 })).stdout).toContain("Intent 2: 6.00 EUR to Savings\n");
	});

	test.each([
		["no name is known", () => []],
		["two ledgers have one name", () => ["from", "to"].map((one) => ({ kind: "ledger" as const, id: world[one as "to"], name: "Main" }))],
	])("the id stands there where %s", async (_, seen) => {
		world.seen = seen();
		expect((await world.purser(["pay", "doubts"], { columns: 200 })).stdout).toContain(`Intent 2  6.00 EUR to ledger ${world.to}\n`);
	});
});

test("a batch names its ledger, and its report the payee of each row", async () => {
	const status = await world.purser(["pay", "batch", "status", "1"], { columns: 200 });
	expect(status.stdout).toMatch(/\nTotal +11\.50 EUR\nFrom +Main account\n/);
	expect((await world.purser(["pay", "batch", "status", "1", "--json"])).json().ledgers).toEqual([
		{ id: world.from, name: "Main account" },
	]);
	await world.purser(["pay", "batch", "report", "1"]);
	const lines = world.text("batch-1/doubt.csv").trim().split("\r\n");
	expect(lines.map((line) => line.split(",").at(-1))).toEqual(["payee", "Savings", "Savings"]);
	world.seen = [];
	expect((await world.purser(["pay", "batch", "status", "1"], { columns: 200 })).stdout).toContain(world.from);
});
