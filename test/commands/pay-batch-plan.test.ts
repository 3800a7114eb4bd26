/**
 * Planning a batch, through the command: what stands in the report of faults, what is kept, what is shown.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

async function given(text: string, name = "pay.csv"): Promise<string> {
	world = await batchWorld();
	world.files.set(name, new TextEncoder().encode(text.replaceAll("FROM", world.from).replaceAll("TO", world.to)));
	return name;
}

async function nothingKept(): Promise<void> {
	expect((await world.purser(["pay", "batch", "list", "--json"])).json()).toEqual([]);
	expect([...world.files.keys()].filter((name) => name.endsWith(".plan.json"))).toEqual([]);
}

describe("a file with faults", () => {
	const file = [
		"Note;Debit account;ledgerToId;amount;reference",
		"=1+1;FROM;TO;5 €;fine",
		"fine;FROM;TO;1.00;fine",
		'"a;b";FROM;FROM;1.234,56;x',
		"-2;nobody;TO;;x",
		"short;FROM",
		"",
	].join("\r\n");

	test("each fault is told with its row and column, and nothing is planned", async () => {
		await given(file);
		const ran = await world.purser(["pay", "batch", "plan", "pay.csv", "--json"]);
		expect([ran.exit, ran.stdout]).toEqual([3, ""]);
		const { code, message, details } = failure(ran.stderr);
		expect([code, message]).toEqual(["ROWS_INVALID", "4 of 5 rows cannot be paid (6 errors); nothing was planned or sent"]);
		expect(details.map(({ row, field, message }: Record<string, string>) => `${row} ${field} ${message}`)).toEqual([
			'2 amount "5 €" is not an amount; write digits alone, without sign or currency, like 1234.56 or 1234,56',
			expect.stringMatching(/^4 amount "1.234,56" is not written like "1.00" in row 3; write all amounts in one way/),
			expect.stringMatching(/^4 ledgerToId /),
			'5 ledgerFromId "nobody" is no ledger',
			expect.stringMatching(/^5 amount /),
			"6  has 2 cells, but the header has 5",
		]);
		await nothingKept();
	});

	test("a fault in the last of many groups takes back what was loaded before", async () => {
		await given(`ledgerFromId,ledgerToId,amount\n${"FROM,TO,1\n".repeat(3_500)}FROM,TO,1e3\n`);
		const ran = await world.purser(["pay", "batch", "plan", "pay.csv", "--json"]);
		expect(failure(ran.stderr).details).toMatchObject([{ row: 3502, field: "amount" }]);
		await nothingKept();
	});
});

test.each(["", "From,To,Amount\n"])("a file without a payment is refused: %j", async (text) => {
	await given(text);
	const ran = await world.plan();
	expect([ran.exit, failure(ran.stderr).message]).toEqual([3, "pay.csv has no rows; nothing was planned"]);
	await nothingKept();
});

describe("a file that can be paid", () => {
	test("the same rows in another order on standard input are the same batch", async () => {
		await given("ledgerFromId,ledgerToId,amount,reference\nFROM,TO,10.10,a\nFROM,TO,7,b\n");
		const { batch, plan: csv } = (await world.purser(["pay", "batch", "plan", "pay.csv", "--json"])).json();
		// The number stands where the other commands of a batch have it.
		expect(batch).toBe(csv.batch);
		const input = [
			"reference,amount,ledgerToId,ledgerFromId",
			`b,7,${world.to},${world.from}`,
			`a,10.10,${world.to},${world.from.toUpperCase()}`,
		].join("\n");
		const ran = await world.purser(["pay", "batch", "plan", "-", "--to", "lines.plan.json", "--json"], { input });
		const lines = ran.json().plan;
		expect(lines.source).toBe("-");
		expect(lines.digest.rows).toBe(csv.digest.rows);
		expect(lines.digest.sequence).not.toBe(csv.digest.sequence);
		expect(world.files.has("lines.plan.json")).toBe(true);
	});

	test("the printed example is planned as it is: names become ids, and each list is read once for all of them", async () => {
		world = await batchWorld();
		world.requests.length = 0;
		const printed = await world.purser(["pay", "batch", "plan", "--print-template"]);
		expect([printed.exit, printed.stdout, world.requests]).toEqual([
			0,
			"From,To,Amount,Reference\r\nMain account,Example Supplies Ltd,1250.00,Invoice 7\r\nMain account,Savings,99.90,Savings March\r\n",
			[],
		]);
		world.put("pay.csv", printed.stdout.replace("1250.00", '"1,250.00"'));
		const { plan, amountRead } = (await world.plan()).json();
		expect(plan.totals).toEqual([{ ledgerFromId: world.from, currency: "EUR", rows: 2, amount: "1349.90" }]);
		expect(amountRead).toEqual({ row: 2, reference: "Invoice 7", cell: "1,250.00", amount: "1250.00" });
		const lists = world.requests.filter(({ url }) => /\/(ledgers|beneficiaries)(\?|$)/.test(url)).map(({ url }) => new URL(url).pathname);
		// For names, balances and statuses alike.
		expect(lists.sort()).toEqual(["/api/partner/beneficiaries", "/api/partner/ledgers"]);
		expect(JSON.stringify(plan)).not.toContain("Savings");
		expect((await world.send()).json().counts.accepted).toBe(2);
	});

	test("a person is not asked for what no Yes goes round", async () => {
		await given("ledgerFromId,ledgerToId,amount\nFROM,TO,1\n");
		await world.sent([["1", "x"]], "first.csv");
		world.file([["1", "x"]], "again.csv");
		await world.purser(["pay", "batch", "plan", "again.csv"]);
		world.asked.length = 0;
		const ran = await world.purser(["pay", "batch", "send", "again.csv.plan.json"], { answers: [], terminal: true });
		expect([ran.exit, world.asked]).toEqual([10, []]);
		expect(ran.stderr).toContain("Error: These rows are those of batch ");
	});

	test("rows alike, a ledger that runs dry and the same file again are told", async () => {
		await given("ledgerFromId,ledgerToId,amount,reference\nFROM,TO,9000,a\nFROM,TO,9000,a\n");
		const first = await world.purser(["pay", "batch", "plan", "pay.csv"], { columns: 100 });
		expect(first.exit).toBe(0);
		expect(first.stdout).toContain("Note: Row 3 (a, 9 000.00 EUR to Savings of Example Trading SAS) is the same as row 2\n");
		expect(first.stdout).toMatch(/ 10 000\.00 EUR {2}8 000\.00 EUR missing from row/);
		await world.sent([["1", "x"]], "other.csv");
		world.file([["1.0", "x"]], "again.csv");
		const again = await world.purser(["pay", "batch", "plan", "again.csv"], { columns: 100 });
		expect(again.stdout).toContain("Note: Row 2 (x, 1.00 EUR to Savings of Example Trading SAS) was already paid on 1 Mar as");
	});

	test("--dry-run keeps nothing", async () => {
		await given("ledgerFromId,ledgerToId,amount\nFROM,TO,1\n");
		expect((await world.purser(["pay", "batch", "plan", "pay.csv", "--dry-run"])).exit).toBe(0);
		await nothingKept();
	});
});

describe("a plan that a group shares", () => {
	const rows = [["1.00", "one"]] as const;
	test("is its group's to read, with its page; without one it is its owner's alone", async () => {
		world = await batchWorld();
		world.file(rows);
		const ran: (readonly string[])[] = [];
		world.program = async (words) => {
			ran.push(words);
			return undefined;
		};
		expect((await world.plan()).exit).toBe(0);
		expect(ran).toEqual([]);
		expect((await world.plan("--share", "payroll", "--page")).exit).toBe(0);
		expect(ran).toEqual([
			["chgrp", "--", "payroll", "pay.csv.plan.json", "pay.csv.plan.html"],
			["chmod", "--", "640", "pay.csv.plan.json", "pay.csv.plan.html"],
		]);
	});

	test.each([
		["the system knows no such group", "linux", "usage", /^The plan could not be shared with the group nobody-here; nothing was planned$/],
		["there are no groups", "win32", "usage", /^Windows has no groups that a plan's file could be shared with; nothing was planned$/],
	])("is not planned where %s", async (_, platform, kind, message) => {
		world = await batchWorld();
		world.file(rows);
		world.platform = platform;
		world.program = async () => "it ended with 1";
		const { exit, stderr } = await world.plan("--share", "nobody-here", "--page");
		expect([exit, failure(stderr)]).toMatchObject([2, { kind, code: "PLAN_NOT_SHARED", message: expect.stringMatching(message) }]);
		await nothingKept();
		expect([...world.files.keys()]).toEqual(["pay.csv"]);
	});
});
