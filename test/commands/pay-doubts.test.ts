/**
 * What is in doubt, or not finished, as it is told: by names, of earlier answers or asked for, the ids staying in data and in pipes; a doubt is left out where it is
 * of a sandbox that was started anew or reset since, which waits for nobody.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, rowsOf } from "./batch-world.js";
import { losePayments, payIn } from "./payment-world.js";

let world: BatchWorld;
const [earlier, now] = ["11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"];

beforeEach(async () => {
	world = await batchWorld();
	losePayments(world);
});
afterEach(() => world.end());

describe("a batch of two rows in doubt", () => {
	beforeEach(async () => {
		await world.sent(rowsOf("5.5 Salary 1", "6 Salary 2"));
		world.requests.length = 0;
	});
	const text = async (line: string): Promise<string> => (await world.purser(line, { columns: 200 })).stdout;

	describe("between ledgers whose names were shown", () => {
		beforeEach(() => {
			world.seen = [
				{ kind: "ledger", id: world.from, name: "Main account" },
				{ kind: "ledger", id: world.to, name: "Savings" },
			];
		});

		test("pay doubts names payee, ledger, row and reference, and asks the service for no name that it knows", async () => {
			const stdout = await text("pay doubts");
			expect(stdout).toMatch(
				/Intent 2 {2}6\.00 EUR to Savings\n {2}Reference +"Salary 2"\n {2}From +Main account\n {2}Row +3 of batch 1\n/,
			);
			expect([stdout.includes(world.to), world.requests]).toEqual([false, []]);
			const [latest] = await world.json("pay doubts");
			const transfer = { ledgerFromId: world.from, counterpartyId: world.to, amount: "6" };
			expect(latest).toMatchObject({ ledgerName: "Main account", payeeName: "Savings", transfer });
			const piped = await world.purser("pay doubts", { piped: true });
			expect(piped.stdout.split("\n")[0]?.split("\t").slice(-2)).toEqual(["Salary 2", ""]);
		});

		test("status names its ledger, and the report the payee of each row", async () => {
			expect(await text("pay batch status 1")).toMatch(/\nTotal +11\.50 EUR in 2 rows\nFrom +Main account\n/);
			expect((await world.json("pay batch status 1")).ledgers).toEqual([{ id: world.from, name: "Main account" }]);
			await world.purser("pay batch report 1");
			const lines = world.text("batch-1/doubt.csv").trim().split("\r\n");
			expect(lines.map((line) => line.split(",").at(-1))).toEqual(["payee", "Savings", "Savings"]);
		});
	});

	describe("between ledgers whose names this machine has not seen", () => {
		const [from, to] = ["Main account of Example Trading SAS", "Savings of Example Trading SAS"];
		beforeEach(() => {
			world.seen = [];
		});

		test.each([
			["pay doubts", `6.00 EUR to ${to}\n  Reference         "Salary 2"\n  From              ${from}\n`],
			["home", `Intent 2: 6.00 EUR to ${to}\n`],
			["home", `Batch 1 (pay.csv, from ${from}): not finished; in doubt 2\n`],
			["pay batch status 1", `From      ${from}\n`],
			["pay batch report 1", `,${to}\r\n`],
			["pay batch report 1", `${from}</`],
		])("%s asks for them: %j", async (line, wanted) => {
			const shown = await text(line);
			expect(shown + world.text("batch-1/doubt.csv") + world.text("batch-1/report.html")).toContain(wanted);
		});

		test("programs get ids, and nothing is asked for them", async () => {
			for (const command of ["doubts", "batch status 1", "batch report 1"])
				expect(JSON.stringify(await world.json(`pay ${command}`))).not.toContain("Savings");
			expect(world.requests).toEqual([]);
		});
	});
});

test("a doubt of an earlier sandbox is left out of pay doubts and of home; history list has it, and a person's word settles it", async () => {
	for (const [reference, identity] of Object.entries({ before: earlier, now, anywhere: undefined })) {
		world.identity = identity;
		expect((await payIn(world, reference)).exit).toBe(7);
	}
	world.identity = now;
	const intents = (list: { intent: string }[]): string[] => list.map(({ intent }) => intent);
	expect(intents(await world.json("pay doubts"))).toEqual(["3", "2"]);
	expect((await world.purser("pay doubts")).stdout).not.toContain("Intent 1");
	expect(intents((await world.json("home")).doubts)).toEqual(["3", "2"]);
	expect(intents(await world.json("history list --state in-doubt"))).toEqual(["3", "2", "1"]);
	expect((await world.purser('pay settle 1 --not-created --reason "that sandbox is gone" --yes')).exit).toBe(0);
	expect(intents(await world.json("history list --state in-doubt"))).toEqual(["3", "2"]);
});

test("a batch of an earlier sandbox is refused by a clear sentence, and cancelled", async () => {
	world.identity = earlier;
	world.file([["5.5", "one"]]);
	await world.plan();
	world.identity = now;
	const sent = await world.purser("pay batch send pay.csv.plan.json --yes");
	expect([sent.exit, sent.stderr]).toEqual([10, expect.stringContaining("was planned for an earlier sandbox at this address")]);
	expect((await world.purser("pay batch abandon 1 --reason gone --yes")).exit).toBe(0);
});
