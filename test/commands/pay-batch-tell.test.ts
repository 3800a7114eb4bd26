import { afterEach, describe, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";
import { notCreated } from "./not-created.js";

let world: BatchWorld;
afterEach(() => world.end());

const lost = { kind: "sent", reason: "the connection was closed before an answer came" } as const;
const codeOf = (stderr: string): string => failure(stderr).code;

/** Five rows: two accepted, one refused, one whose answer was lost although it was made, one that never left. */
async function mixed(): Promise<string> {
	world = await batchWorld();
	world.onTransfer(async (reference, pass) => {
		if (reference === "refused") return answered(422, '{"errorCode":"LIMIT"}');
		if (reference === "unsent") return { kind: "not-sent", reason: "=1+1" };
		const answer = await pass();
		return reference === "lost" ? lost : answer;
	});
	const { batch, ran } = await world.sent([
		["1.10", "first"],
		["2.20", "refused"],
		["3.30", "lost"],
		["4.40", "unsent"],
		["5.50", "last"],
	]);
	expect(ran.exit).toBe(7);
	return batch;
}

describe("pay batch status and list", () => {
	test("tell how the rows stand, by number or by plan, with the exit code of the worst", async () => {
		const batch = await mixed();
		const json = await world.purser(["pay", "batch", "status", batch, "--json"]);
		expect([json.exit, json.json().counts]).toEqual([
			7,
			// Those that there are none of too, so that a script finds each.
			{ planned: 0, sending: 0, accepted: 2, waiting: 0, refused: 1, "not-sent": 1, "in-doubt": 1, "not-created": 0, abandoned: 0 },
		]);
		const text = await world.purser(["pay", "batch", "status", "pay.csv.plan.json"]);
		expect(text.exit).toBe(7);
		for (const words of ["16.50 EUR", `purser pay settle --batch ${batch}`, `purser pay batch resume ${batch}`])
			expect(text.stdout).toContain(words);
		const list = await world.purser(["pay", "batch", "list"]);
		expect(list.exit).toBe(0);
		expect(list.stdout).toContain("pay.csv");
		expect((await world.purser(["pay", "batch", "list", "--json"])).json()).toMatchObject([{ batch, state: "begun", sending: false }]);
		const unknown = await world.purser(["pay", "batch", "status", "99", "--json"]);
		expect([unknown.exit, codeOf(unknown.stderr)]).toEqual([2, "BATCH_UNKNOWN"]);
	});

	test("a planned batch is only looked at: exit 0, with the command that sends it; 10 where it was cancelled, 0 where all was accepted", async () => {
		world = await batchWorld();
		world.file([["1", "a"]]);
		const { plan } = (await world.purser(["pay", "batch", "plan", "pay.csv", "--json"])).json();
		for (const named of [plan.batch, "pay.csv.plan.json"]) {
			const look = await world.purser(["pay", "batch", "status", named]);
			expect([look.exit, look.stdout]).toEqual([0, expect.stringContaining("Next: purser pay batch send pay.csv.plan.json\n")]);
		}
		expect((await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--dry-run", "--json"])).exit).toBe(0);
		world.file([["2", "b"]], "b.csv");
		const { batch } = (await world.purser(["pay", "batch", "plan", "b.csv", "--json"])).json().plan;
		expect((await world.purser(["pay", "batch", "abandon", batch, "--reason", "not meant", "--yes"])).exit).toBe(0);
		expect((await world.purser(["pay", "batch", "status", batch])).exit).toBe(10);
		expect((await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes"])).exit).toBe(0);
		expect((await world.purser(["pay", "batch", "status", plan.batch])).exit).toBe(0);
	});
});

describe("pay batch report", () => {
	test("holds every row once, in the part of its state, with exact sums and a control", async () => {
		const batch = await mixed();
		const { exit, json } = await world.purser(["pay", "batch", "report", batch, "--json"]);
		expect(exit).toBe(0);
		expect(json()).toMatchObject({
			folder: `batch-${batch}`,
			control: { agrees: true },
			parts: { accepted: { rows: 2 }, refused: { rows: 1 }, unsent: { rows: 1 }, doubt: { rows: 1 } },
		});
		expect(json().totals).toContainEqual({ state: "accepted", currency: "EUR", rows: 2, amount: "6.60" });
		expect(json().totals).toContainEqual({ state: "in-doubt", currency: "EUR", rows: 1, amount: "3.30" });
		const [head, ...rows] = world.text(`batch-${batch}/refused.csv`).split("\r\n");
		expect(head).toBe(
			"ledgerFromId,ledgerToId,beneficiaryId,amount,currency,reference,allowFastPayment,allowInterLedger,row,state,status,apiCode,intent,id,why,payee",
		);
		expect(rows).toEqual([`${world.from},${world.to},,2.20,EUR,refused,,,3,refused,422,LIMIT,2,,,Savings`, ""]);
		// No formula for whoever opens it with a spreadsheet program.
		expect(world.text(`batch-${batch}/unsent.csv`)).toContain(",'=1+1");
		expect(world.text(`batch-${batch}/doubt.csv`)).toContain("the connection was closed before an answer came");
		expect([...world.files.keys()].filter((path) => path.includes(`batch-${batch}`)).sort()).toEqual(
			["accepted.csv", "doubt.csv", "refused.csv", "report.html", "unsent.csv"].map((name) => `batch-${batch}/${name}`),
		);
	});

	// Every character beside letters and digits that a reference may have.
	test.each([["it's 5,00?"], ["'. ,'5"], ["' , . ?"], ["À propos, 4711"]])(
		"a refused row is planned again as it was: %j",
		async (reference) => {
			world = await batchWorld();
			world.onTransfer(async () => answered(422, '{"errorCode":"LIMIT"}'));
			world.files.set(
				"pay.csv",
				new TextEncoder().encode(`ledgerFromId,ledgerToId,amount,reference\n${world.from},${world.to},5.00,"${reference}"\n`),
			);
			const { batch } = (await world.purser(["pay", "batch", "plan", "pay.csv", "--json"])).json().plan;
			await world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes"]);
			await world.purser(["pay", "batch", "report", batch, "--to", "out"]);
			// Amounts of ours have no sign: they stay numbers.
			expect(world.text("out/refused.csv")).toContain(",5.00,EUR,");
			expect((await world.purser(["pay", "batch", "plan", "out/refused.csv"])).exit).toBe(0);
			const sent: string[] = [];
			world.onTransfer(async (given, pass) => {
				sent.push(given);
				return pass();
			});
			const ran = await world.purser(["pay", "batch", "send", "out/refused.csv.plan.json", "--yes"]);
			expect([ran.exit, sent]).toEqual([0, [reference]]);
		},
	);

	test("a row that was refused and made all the same is found before refused.csv pays it again", async () => {
		world = await batchWorld();
		let made = 0;
		world.onTransfer(async (_, pass) => {
			made += 1;
			await pass();
			return answered(422, '{"errorCode":"LIMIT"}');
		});
		const { batch } = await world.sent([["1.10", "Rent"]]);
		await world.purser(["pay", "batch", "report", batch, "--to", "out"]);
		expect((await world.purser(["pay", "batch", "plan", "out/refused.csv"])).exit).toBe(0);
		const again = await world.purser(["pay", "batch", "send", "out/refused.csv.plan.json", "--yes", "--json"]);
		expect([again.exit, codeOf(again.stderr), made]).toEqual([10, "LISTED_NOW", 1]);
	});

	test("writes nothing in a dry run, and nothing through a link", async () => {
		const batch = await mixed();
		const before = [...world.files.keys()];
		expect((await world.purser(["pay", "batch", "report", batch, "--to", "out", "--dry-run"])).exit).toBe(0);
		world.links.add("out");
		const linked = await world.purser(["pay", "batch", "report", batch, "--to", "out", "--json"]);
		expect([linked.exit, codeOf(linked.stderr), [...world.files.keys()]]).toEqual([2, "FILE_NOT_WRITTEN", before]);
	});
});

describe("pay settle --batch", () => {
	test("leads back to the batch", async () => {
		world = await batchWorld();
		world.onTransfer(async (reference, pass) => {
			if (reference === "row 1") await pass();
			return lost;
		});
		const { batch } = await world.sent([1, 2].map((row) => [`${row}.00`, `row ${row}`] as const));
		const doubts = (await world.purser(["pay", "doubts", "--json"])).json().map(({ intent }: { intent: string }) => intent);
		expect((await notCreated(world, doubts[0])).stderr).toContain(`Next: purser pay batch status ${batch}\n`);
	});
});

describe("pay batch send", () => {
	test.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	])("a batch that %s stopped ends with %i", async (reason, exit) => {
		world = await batchWorld();
		const path = world.file([
			["1.00", "row 1"],
			["2.00", "row 2"],
			["3.00", "row 3"],
		]);
		await world.purser(["pay", "batch", "plan", path]);
		const stop = new AbortController();
		world.onTransfer(async (_, pass) => {
			stop.abort(reason);
			return pass();
		});
		const ran = await world.purser(["pay", "batch", "send", `${path}.plan.json`, "--yes", "--jobs", "1", "--json"], {
			signal: stop.signal,
		});
		expect([ran.exit, ran.json().stopped.code, ran.json().counts.accepted]).toEqual([exit, "INTERRUPTED", 1]);
	});
});

test.each([
	["every row was accepted", async (_: string, pass: () => Promise<WireOutcome>) => pass(), 0, []],
	[
		"a row was refused",
		async () => answered(400, '{"errorCode":"BENEFICIARY_NOT_VALID"}'),
		9,
		["Refused 1: row 2, the payee is not approved yet (BENEFICIARY_NOT_VALID)"],
	],
])("a complete batch of which %s sends nothing more and says so, at a terminal without a question", async (_, act, exit, words) => {
	world = await batchWorld();
	world.onTransfer(act);
	const { batch } = await world.sent([["1.10", "first"]]);
	world.requests.length = 0;
	for (const command of [
		["resume", batch],
		["send", "pay.csv.plan.json"],
	]) {
		const ran = await world.purser(["pay", "batch", ...command], { answers: [], terminal: true });
		expect([ran.exit, world.asked, world.requests]).toEqual([exit, [], []]);
		for (const line of [`Batch ${batch} is complete: nothing left to send`, ...words]) expect(ran.stdout.split("\n")).toContain(line);
	}
	const script = await world.purser(["pay", "batch", "resume", batch, "--yes", "--json"]);
	expect([script.exit, script.json().stopped.code, script.json().run.sent]).toEqual([exit, "COMPLETE", 0]);
});

test("whoever plans without a key where an approval may be needed has one from then on", async () => {
	world = await batchWorld({ approval: "above 10 EUR" });
	world.file([["10.01", "a"]]);
	const keyless = await world.plan();
	const planner = (await world.purser(["pay", "batch", "key", "--json"])).json().key;
	expect([keyless.exit, keyless.json().plan.planner]).toEqual([0, planner]);
});
