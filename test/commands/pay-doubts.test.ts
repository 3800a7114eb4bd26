/**
 * What is in doubt, or not finished, as it is told: by the names that earlier answers gave, the ids staying in data and in pipes; and left
 * out where it is of a sandbox that was started anew or reset since, which waits for nobody.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { losePayments, payIn } from "./payment-world.js";

let world: BatchWorld;
const [earlier, now] = ["11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"];

beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

/** A batch of two rows in doubt, between ledgers whose names were shown. */
async function salaries(): Promise<void> {
	losePayments(world);
	await world.sent([
		["5.5", "Salary 1"],
		["6", "Salary 2"],
	]);
	world.seen = [
		{ kind: "ledger", id: world.from, name: "Main account" },
		{ kind: "ledger", id: world.to, name: "Savings" },
	];
	world.requests.length = 0;
}

describe("a row of a batch in doubt", () => {
	beforeEach(salaries);
	test("pay doubts names payee, ledger, row and reference, and asks the service nothing", async () => {
		const { stdout } = await world.purser(["pay", "doubts"], { columns: 200 });
		expect(stdout).toMatch(/Intent 2 {2}6\.00 EUR to Savings\n {2}Reference +"Salary 2"\n {2}From +Main account\n {2}Row +3 of batch 1\n/);
		expect(stdout).not.toContain(world.to);
		expect(world.requests).toEqual([]);
	});

	test("the ids stand in data", async () => {
		const [latest] = (await world.purser(["pay", "doubts", "--json"])).json();
		expect(latest).toMatchObject({
			ledgerName: "Main account",
			payeeName: "Savings",
			transfer: { ledgerFromId: world.from, counterpartyId: world.to, amount: "6" },
		});
		const piped = await world.purser(["pay", "doubts"], { piped: true });
		expect(piped.stdout.split("\n")[0]?.split("\t").slice(-2)).toEqual(["Salary 2", ""]);
	});

	test("settle and history name it too", async () => {
		const settled = await world.purser(["pay", "settle", "--batch", "1"], { columns: 200 });
		expect(settled.stdout).toContain('Intent 1  5.50 EUR to Savings, row 2 of batch 1, "Salary 1"\n');
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
	await salaries();
	const status = await world.purser(["pay", "batch", "status", "1"], { columns: 200 });
	expect(status.stdout).toMatch(/\nTotal +11\.50 EUR in 2 rows\nFrom +Main account\n/);
	expect((await world.purser(["pay", "batch", "status", "1", "--json"])).json().ledgers).toEqual([
		{ id: world.from, name: "Main account" },
	]);
	await world.purser(["pay", "batch", "report", "1"]);
	const lines = world.text("batch-1/doubt.csv").trim().split("\r\n");
	expect(lines.map((line) => line.split(",").at(-1))).toEqual(["payee", "Savings", "Savings"]);
	world.seen = [];
	expect((await world.purser(["pay", "batch", "status", "1"], { columns: 200 })).stdout).toContain(world.from);
});

async function payLost(reference: string, identity: string | undefined): Promise<void> {
	world.identity = identity;
	losePayments(world);
	expect((await payIn(world, reference)).exit).toBe(7);
}

const intents = (list: { intent: string }[]): string[] => list.map(({ intent }) => intent);

describe("a doubt of an earlier sandbox", () => {
	beforeEach(async () => {
		await payLost("then", earlier);
		await payLost("now", now);
		await payLost("anywhere", undefined);
		world.identity = now;
	});

	test("is left out of pay doubts, which says so in one line, and of home", async () => {
		const ran = await world.purser(["pay", "doubts", "--json"]);
		expect(intents(ran.json())).toEqual(["3", "2"]);
		const text = await world.purser(["pay", "doubts"]);
		expect(text.stdout).not.toContain("Intent 1");
		expect(text.stderr).toContain("1 doubt of an earlier sandbox at this address is left out: purser history list --state in-doubt\n");
		expect(intents((await world.purser(["home", "--json"])).json().doubts)).toEqual(["3", "2"]);
		expect(intents((await world.purser(["history", "list", "--state", "in-doubt", "--json"])).json())).toEqual(["3", "2", "1"]);
	});

	test("is shown where the sandbox is not known", async () => {
		world.identity = undefined;
		const ran = await world.purser(["pay", "doubts"]);
		expect(ran.stdout).toContain("Intent 1");
		expect(ran.stderr).not.toContain("earlier sandbox");
	});

	test("is led to what settles it, and that does", async () => {
		const shown = await world.purser(["history", "show", "1"]);
		expect(shown.stderr).toContain("purser pay settle 1 --not-created --reason TEXT\n");
		expect((await world.purser(["history", "show", "2"])).stderr).toContain("Next: purser pay settle 2\n");
		expect((await world.purser(["history", "show", "1", "--json"])).json()).toMatchObject({ intent: "1", earlierSandbox: true });
		expect((await world.purser(["pay", "settle", "1", "--not-created", "--reason", "that sandbox is gone", "--yes"])).exit).toBe(0);
		expect((await world.purser(["pay", "doubts"])).stderr).not.toContain("earlier sandbox");
	});
});

describe("a batch of an earlier sandbox", () => {
	test("is marked, is not in home, and what its next step says can be done", async () => {
		world.identity = earlier;
		world.file([["5.5", "one"]]);
		expect((await world.purser(["pay", "batch", "plan", "pay.csv"])).exit).toBe(0);
		expect((await world.purser(["home", "--json"])).json().batches).toHaveLength(1);
		world.identity = now;
		expect((await world.purser(["home", "--json"])).json().batches).toEqual([]);
		const list = await world.purser(["pay", "batch", "list"], { columns: 200 });
		expect(list.stdout).toContain("planned, at an earlier sandbox");
		const status = await world.purser(["pay", "batch", "status", "1"]);
		expect(status.stdout).toContain("Service           an earlier sandbox at this address; nothing more of it is sent\n");
		expect(status.stdout).toContain("Next: purser pay batch abandon 1 --reason TEXT\n");
		expect((await world.purser(["pay", "batch", "report", "1"])).stderr).toContain("Next: purser pay batch status 1\n");
		expect((await world.purser(["pay", "batch", "abandon", "1", "--reason", "gone", "--yes"])).exit).toBe(0);
		const closed = await world.purser(["pay", "batch", "status", "1"]);
		expect(closed.stdout).not.toContain("Next:");
	});
});
