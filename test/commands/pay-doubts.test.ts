/**
 * What is in doubt, or not finished, as it is told: by names, of earlier answers or asked for, the ids staying in data and in pipes; a doubt is left out where it is
 * of a sandbox that was started anew or reset since, which waits for nobody.
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
	test("pay doubts names payee, ledger, row and reference, and asks the service for no name that it knows", async () => {
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
});

describe("names that this machine has not seen", () => {
	const [from, to] = ["Main account of Example Trading SAS", "Savings of Example Trading SAS"];
	const text = async (...command: string[]): Promise<string> => (await world.purser(command, { columns: 200 })).stdout;
	const report = async (): Promise<string> => {
		await text("pay", "batch", "report", "1");
		return world.text("batch-1/doubt.csv") + world.text("batch-1/report.html");
	};
	const shown: [string, (one: string, other: string) => string, () => Promise<string>][] = [
		[
			"pay doubts",
			(from, to) => `6.00 EUR to ${to}\n  Reference         "Salary 2"\n  From              ${from}\n`,
			() => text("pay", "doubts"),
		],
		["home", (_, to) => `Intent 2: 6.00 EUR to ${to}\n`, () => text("home")],
		["home, of a batch", (from) => `Batch 1 (pay.csv, from ${from}): not finished; in doubt 2\n`, () => text("home")],
		["pay batch status", (from) => `From      ${from}\n`, () => text("pay", "batch", "status", "1")],
		["pay batch report, by row", (_, to) => `,${to}\r\n`, report],
		["pay batch report, on its page", (from) => `${from}</`, report],
	];
	beforeEach(async () => {
		await salaries();
		world.seen = [];
	});

	test.each(shown)("%s asks for them", async (_, wanted, read) => expect(await read()).toContain(wanted(from, to)));

	test("programs get ids, and nothing is asked for them", async () => {
		const commands = [["doubts"], ["batch", "status", "1"], ["batch", "report", "1"]];
		for (const command of commands) expect((await world.purser(["pay", ...command, "--json"])).stdout).not.toContain("Savings");
		expect(world.requests).toEqual([]);
	});
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

	test("is left out of pay doubts and of home; history list has it", async () => {
		expect(intents((await world.purser(["pay", "doubts", "--json"])).json())).toEqual(["3", "2"]);
		expect((await world.purser(["pay", "doubts"])).stdout).not.toContain("Intent 1");
		expect(intents((await world.purser(["home", "--json"])).json().doubts)).toEqual(["3", "2"]);
		expect(intents((await world.purser(["history", "list", "--state", "in-doubt", "--json"])).json())).toEqual(["3", "2", "1"]);
	});

	test("is settled by a person's word", async () => {
		expect((await world.purser(["pay", "settle", "1", "--not-created", "--reason", "that sandbox is gone", "--yes"])).exit).toBe(0);
		expect(intents((await world.purser(["history", "list", "--state", "in-doubt", "--json"])).json())).toEqual(["3", "2"]);
	});
});

test("a batch of an earlier sandbox is refused by a clear sentence, and cancelled", async () => {
	world.identity = earlier;
	world.file([["5.5", "one"]]);
	expect((await world.purser(["pay", "batch", "plan", "pay.csv"])).exit).toBe(0);
	world.identity = now;
	const sent = await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes"]);
	expect([sent.exit, sent.stderr]).toEqual([10, expect.stringContaining("was planned for an earlier sandbox at this address")]);
	expect((await world.purser(["pay", "batch", "abandon", "1", "--reason", "that sandbox is gone", "--yes"])).exit).toBe(0);
});
