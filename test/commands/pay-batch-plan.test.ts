/**
 * Planning a batch, through the command: what stands in the report of faults, what is kept, what is shown; and what a slip at the command
 * line must not do to a batch.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const given = (text: string): string => world.put("pay.csv", text.replaceAll("FROM", world.from).replaceAll("TO", world.to));

async function nothingKept(): Promise<void> {
	expect(await world.json("pay batch list")).toEqual([]);
	expect([...world.files.keys()].filter((name) => name !== "pay.csv")).toEqual([]);
}

describe("a file with faults", () => {
	test("each fault is told with its row and column, and nothing is planned", async () => {
		given(
			[
				...["Note;Debit account;ledgerToId;amount;reference", "=1+1;FROM;TO;5 €;fine", "fine;FROM;TO;1.00;fine"],
				...['"a;b";FROM;FROM;1.234,56;x', "-2;nobody;TO;;x", "short;FROM", ""],
			].join("\r\n"),
		);
		const ran = await world.plan();
		expect([ran.exit, ran.stdout]).toEqual([3, ""]);
		const { code, message, details } = ran.error();
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
		given(`ledgerFromId,ledgerToId,amount\n${"FROM,TO,1\n".repeat(3_500)}FROM,TO,1e3\n`);
		expect((await world.plan()).error().details).toMatchObject([{ row: 3502, field: "amount" }]);
		await nothingKept();
	});

	test("one without a payment is refused", async () => {
		given("From,To,Amount\n");
		const ran = await world.plan();
		expect([ran.exit, ran.error().message]).toEqual([3, "pay.csv has no rows; nothing was planned"]);
		await nothingKept();
	});
});

describe("a file that can be paid", () => {
	test("the same rows in another order on standard input are the same batch", async () => {
		given("ledgerFromId,ledgerToId,amount,reference\nFROM,TO,10.10,a\nFROM,TO,7,b\n");
		const { batch, plan: csv } = (await world.plan()).json();
		// The number stands where the other commands of a batch have it.
		expect(batch).toBe(csv.batch);
		const rows = [`b,7,${world.to},${world.from}`, `a,10.10,${world.to},${world.from.toUpperCase()}`];
		const input = ["reference,amount,ledgerToId,ledgerFromId", ...rows].join("\n");
		const { plan: lines } = await world.json("pay batch plan - --to lines.plan.json", { input });
		expect([lines.source, lines.digest.rows]).toEqual(["-", csv.digest.rows]);
		expect(lines.digest.sequence).not.toBe(csv.digest.sequence);
		expect(world.files.has("lines.plan.json")).toBe(true);
	});

	test("the printed example is planned as it is: names become ids, and each list is read once for all of them", async () => {
		world.requests.length = 0;
		const { stdout } = await world.purser("pay batch plan --print-template");
		const lines = [
			"From,To,Amount,Reference",
			"Main account,Example Supplies Ltd,1250.00,Invoice 7",
			"Main account,Savings,99.90,Savings March",
		];
		expect([stdout, world.requests]).toEqual([`${lines.join("\r\n")}\r\n`, []]);
		world.put("pay.csv", stdout.replace("1250.00", '"1,250.00"'));
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
		await world.sent([["1", "x"]], "first.csv");
		world.file([["1", "x"]], "again.csv");
		const planned = await world.purser("pay batch plan again.csv");
		expect(planned.stdout).toContain("Note: This is batch 1 again: the same rows\n");
		expect(planned.stderr).toContain("Next: Check its status: purser pay batch status 1\n");
		const ran = await world.purser("pay batch send again.csv.plan.json", { answers: [], terminal: true });
		expect([ran.exit, world.asked, ran.stderr]).toEqual([10, [], expect.stringContaining("Error: These rows are those of batch ")]);
		expect(planned.stderr + ran.stderr).not.toMatch(/batch (send|resume)/);
	});

	test("rows alike, a ledger that runs dry and the same file again are told", async () => {
		given("ledgerFromId,ledgerToId,amount,reference\nFROM,TO,9000,a\nFROM,TO,9000,a\n");
		const first = await world.purser("pay batch plan pay.csv", { columns: 100 });
		expect([first.exit, first.stdout]).toEqual([0, expect.stringMatching(/ 10 000\.00 EUR {2}8 000\.00 EUR missing from row/)]);
		expect(first.stderr).toContain("purser pay batch plan FILE --despite-duplicates 1 --reason TEXT");
		expect(first.stdout).toContain("Note: Row 3 (a, 9 000.00 EUR to Savings of Example Trading SAS) is the same as row 2\n");
		await world.sent([["1", "x"]], "other.csv");
		world.file([["1.0", "x"]], "again.csv");
		const again = await world.purser("pay batch plan again.csv", { columns: 100 });
		expect(again.stdout).toContain("Note: Row 2 (x, 1.00 EUR to Savings of Example Trading SAS) was already paid on 1 Mar as");
	});

	test("--dry-run keeps nothing", async () => {
		world.file([["1", "a"]]);
		expect((await world.plan("--dry-run")).exit).toBe(0);
		await nothingKept();
	});
});

describe("a plan that a group shares", () => {
	beforeEach(() => void world.file([["1.00", "one"]]));

	test("is its group's to read, with its page; without one it is its owner's alone", async () => {
		const ran: (readonly string[])[] = [];
		world.program = async (words) => void ran.push(words) as undefined;
		expect([(await world.plan()).exit, ran]).toEqual([0, []]);
		expect((await world.plan("--share", "payroll", "--page")).exit).toBe(0);
		expect(ran).toEqual([
			["chgrp", "--", "payroll", "pay.csv.plan.json", "pay.csv.plan.html"],
			["chmod", "--", "640", "pay.csv.plan.json", "pay.csv.plan.html"],
		]);
	});

	test.each([
		["the system knows no such group", "linux", "The plan could not be shared with the group nobody-here; nothing was planned"],
		["there are no groups", "win32", "Windows has no groups that a plan's file could be shared with; nothing was planned"],
	])("is not planned where %s", async (_, platform, message) => {
		world.platform = platform;
		world.program = async () => "it ended with 1";
		const ran = await world.plan("--share", "nobody-here", "--page");
		expect([ran.exit, ran.error()]).toMatchObject([2, { kind: "usage", code: "PLAN_NOT_SHARED", message }]);
		await nothingKept();
	});
});

describe("a slip at the command line", () => {
	test.each(["status", "resume", "report"])(
		"%s does nothing with the plan of another machine that has the number of a batch here",
		async (verb) => {
			await world.sent([["1", "a"]]);
			const file = JSON.parse(world.text("pay.csv.plan.json"));
			file.plan.installation = "11111111-0000-4000-8000-000000000009";
			world.put("other.plan.json", JSON.stringify(file));
			const run = (plan: string) => world.purser(`pay batch ${verb} ${plan} --json ${verb.startsWith("re") ? "--yes" : ""}`);
			const ran = await run("other.plan.json");
			expect([ran.exit, ran.error().code]).toEqual([10, "PLAN_FOREIGN"]);
			// The control: with its own plan it goes on to what it does.
			expect((await run("pay.csv.plan.json")).stderr).not.toContain("PLAN_FOREIGN");
		},
	);

	test("a currency that --expect-total names twice is no expectation, and a plan does not replace its file", async () => {
		world.file([["1.10", "a"]]);
		await world.plan();
		const twice = await world.send("--expect-total", "EUR=5", "--expect-total", "eur=1.1");
		expect([twice.exit, twice.error().why]).toEqual([10, "a currency is named twice in --expect-total"]);
		const before = world.text("pay.csv");
		const ran = await world.plan("--to", "./pay.csv");
		expect([ran.exit, ran.error().details[0].field, world.text("pay.csv")]).toEqual([3, "to", before]);
		expect((await world.send("--expect-total", "EUR=1.1")).exit).toBe(0);
	});

	test("rows alike are counted by what they are like, not twice over", async () => {
		await world.pay("3", "a");
		world.file(["a", "a"].map((reference) => ["3", reference] as const));
		await world.plan();
		const ran = await world.send();
		const message = "Of 2 rows, 1 is the same as another row of the file and 2 like a payment made recently or under way; nothing was sent";
		expect([ran.exit, ran.error().message]).toEqual([10, message]);
	});
});
