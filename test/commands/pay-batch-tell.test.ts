/**
 * What is told of a batch: by status, list and report, at its end, and once it is complete.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld, rowsOf } from "./batch-world.js";
import { notCreated } from "./payment-world.js";

let world: BatchWorld;
beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const limit = answered(422, '{"errorCode":"LIMIT"}');

describe("five rows: two accepted, one refused, one whose answer was lost although it was made, one that never left", () => {
	beforeEach(async () => {
		world.onTransfer(async (reference, pass) => {
			if (reference === "refused") return limit;
			if (reference === "unsent") return { kind: "not-sent", reason: "=1+1" };
			const answer = await pass();
			return reference === "lost" ? lostAnswer : answer;
		});
		const { ran } = await world.sent(rowsOf("1.10 first", "2.20 refused", "3.30 lost", "4.40 unsent", "5.50 last"));
		expect(ran.exit).toBe(7);
	});

	test("status and list tell how the rows stand, by number or by plan, with the exit code of the worst", async () => {
		const json = await world.purser("pay batch status 1 --json");
		expect([json.exit, json.json().counts]).toEqual([
			7,
			// Those that there are none of too, so that a script finds each.
			{ planned: 0, sending: 0, accepted: 2, waiting: 0, refused: 1, "not-sent": 1, "in-doubt": 1, "not-created": 0, abandoned: 0 },
		]);
		const text = await world.purser("pay batch status pay.csv.plan.json");
		expect(text.exit).toBe(7);
		for (const words of ["16.50 EUR", "purser pay settle --batch 1", "purser pay batch resume 1"]) expect(text.stdout).toContain(words);
		expect((await world.purser("pay batch list")).stdout).toContain("pay.csv");
		expect(await world.json("pay batch list")).toMatchObject([{ batch: "1", state: "begun", sending: false }]);
		const unknown = await world.purser("pay batch status 99 --json");
		expect([unknown.exit, unknown.error().code]).toEqual([2, "BATCH_UNKNOWN"]);
	});

	test("the report holds every row once, in the part of its state, with exact sums and a control", async () => {
		const report = await world.json("pay batch report 1");
		const parts = { accepted: { rows: 2 }, refused: { rows: 1 }, unsent: { rows: 1 }, doubt: { rows: 1 } };
		expect(report).toMatchObject({ folder: "batch-1", control: { agrees: true }, parts });
		expect(report.totals).toContainEqual({ state: "accepted", currency: "EUR", rows: 2, amount: "6.60" });
		expect(report.totals).toContainEqual({ state: "in-doubt", currency: "EUR", rows: 1, amount: "3.30" });
		expect(world.text("batch-1/refused.csv").split("\r\n")).toEqual([
			"ledgerFromId,ledgerToId,beneficiaryId,amount,currency,reference,allowFastPayment,allowInterLedger,row,state,status,apiCode,intent,id,why,payee",
			`${world.from},${world.to},,2.20,EUR,refused,,,3,refused,422,LIMIT,2,,,Savings`,
			"",
		]);
		// No formula for whoever opens it with a spreadsheet program.
		expect(world.text("batch-1/unsent.csv")).toContain(",'=1+1");
		expect(world.text("batch-1/doubt.csv")).toContain("the connection was closed before an answer came");
		expect([...world.files.keys()].filter((path) => path.includes("batch-1")).sort()).toEqual(
			["accepted.csv", "doubt.csv", "refused.csv", "report.html", "unsent.csv"].map((name) => `batch-1/${name}`),
		);
	});

	test("the report writes nothing in a dry run, and nothing through a link", async () => {
		const before = [...world.files.keys()];
		expect((await world.purser("pay batch report 1 --to out --dry-run")).exit).toBe(0);
		world.links.add("out");
		const linked = await world.purser("pay batch report 1 --to out --json");
		expect([linked.exit, linked.error().code, [...world.files.keys()]]).toEqual([2, "FILE_NOT_WRITTEN", before]);
	});
});

test("a planned batch is only looked at: exit 0, with the command that sends it; 0 too where all was accepted", async () => {
	world.file([["1", "a"]]);
	await world.plan();
	for (const named of ["1", "pay.csv.plan.json"]) {
		const look = await world.purser(`pay batch status ${named}`);
		expect([look.exit, look.stdout]).toEqual([0, expect.stringContaining("Next: purser pay batch send pay.csv.plan.json\n")]);
	}
	expect((await world.send("--dry-run")).exit).toBe(0);
	const kept = world.text("pay.csv.plan.json");
	world.file([["2", "a"]]);
	await world.plan();
	// That file sends batch 2 now.
	const replaced = await world.purser("pay batch status 1");
	expect(replaced.stdout).toMatch(/Next: purser pay batch plan pay\.csv\n.*\n +purser pay batch abandon 1 --reason TEXT\n/);
	world.file([["1", "a"]]);
	world.put("pay.csv.plan.json", kept);
	expect((await world.send()).exit).toBe(0);
	expect((await world.purser("pay batch status 1")).exit).toBe(0);
});

describe("refused rows of a report", () => {
	// Every character beside letters and digits that a reference may have.
	test.each(["it's 5,00?", "'. ,'5", "' , . ?", "À propos, 4711"])("are planned again as they were: %j", async (reference) => {
		world.onTransfer(async () => limit);
		await world.sent([["5.00", `"${reference}"`]]);
		await world.purser("pay batch report 1 --to out");
		// Amounts of ours have no sign: they stay numbers.
		expect(world.text("out/refused.csv")).toContain(",5.00,EUR,");
		expect((await world.purser("pay batch plan out/refused.csv")).exit).toBe(0);
		const sent: string[] = [];
		world.onTransfer(async (given, pass) => {
			sent.push(given);
			return pass();
		});
		expect([(await world.purser("pay batch send out/refused.csv.plan.json --yes")).exit, sent]).toEqual([0, [reference]]);
	});

	test("that were made all the same are found before refused.csv pays them again", async () => {
		let made = 0;
		world.onTransfer(async (_, pass) => {
			made += 1;
			await pass();
			return limit;
		});
		await world.sent([["1.10", "Rent"]]);
		await world.purser("pay batch report 1 --to out");
		expect((await world.purser("pay batch plan out/refused.csv")).exit).toBe(0);
		const again = await world.purser("pay batch send out/refused.csv.plan.json --yes --json");
		expect([again.exit, again.error().code, made]).toEqual([10, "LISTED_NOW", 1]);
	});
});

test("pay settle leads back to the batch", async () => {
	world.onTransfer(async () => lostAnswer);
	await world.sent([["1.00", "row 1"]]);
	expect((await notCreated(world, "1")).stderr).toContain("Next: purser pay batch status 1\n");
});

test.each([
	["SIGINT", 130],
	["SIGTERM", 143],
	["SIGHUP", 129],
])("a batch that %s stopped ends with %i", async (reason, exit) => {
	world.file(["row 1", "row 2", "row 3"].map((reference) => ["1.00", reference]));
	await world.plan();
	const stop = new AbortController();
	world.onTransfer(async (_, pass) => {
		stop.abort(reason);
		return pass();
	});
	const ran = await world.purser("pay batch send pay.csv.plan.json --yes --jobs 1 --json", { signal: stop.signal });
	expect([ran.exit, ran.json().stopped.code, ran.json().counts.accepted]).toEqual([exit, "INTERRUPTED", 1]);
});

test.each([
	["every row was accepted", undefined, 0, []],
	["a row was refused", "BENEFICIARY_NOT_VALID", 9, ["Refused 1: row 2, the payee is not approved yet (BENEFICIARY_NOT_VALID)"]],
])("a complete batch of which %s sends nothing more and says so, at a terminal without a question", async (_, code, exit, words) => {
	world.onTransfer((_, pass) => (code === undefined ? pass() : Promise.resolve(answered(400, JSON.stringify({ errorCode: code })))));
	await world.sent([["1.10", "first"]]);
	world.requests.length = 0;
	for (const command of ["resume 1", "send pay.csv.plan.json"]) {
		const ran = await world.purser(`pay batch ${command}`, { answers: [], terminal: true });
		expect([ran.exit, world.asked, world.requests]).toEqual([exit, [], []]);
		expect(ran.stdout.split("\n")).toEqual(expect.arrayContaining(["Batch 1 is complete: nothing left to send", ...words]));
	}
	const script = await world.purser("pay batch resume 1 --yes --json");
	expect([script.exit, script.json()]).toMatchObject([exit, { stopped: { code: "COMPLETE" }, run: { sent: 0 } }]);
});

test("whoever plans without a key where an approval may be needed has one from then on", async () => {
	await world.end();
	world = await batchWorld({ approval: "above 10 EUR" });
	world.file([["10.01", "a"]]);
	const keyless = await world.plan();
	expect([keyless.exit, keyless.json().plan.planner]).toEqual([0, (await world.json("pay batch key")).key]);
});
