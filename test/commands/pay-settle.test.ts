/**
 * `pay settle`, as whole runs: by what the service shows, by a statement, by a person's word; rows of a batch together; two at once. Which finding
 * decides what is in test/payments/settling.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settleAs } from "../../src/payments/matching/settle.js";
import type { Tools } from "../../src/payments/matching/sides.js";
import type { IntentRecord } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import { logInWords } from "../support/log-in.js";
import { answered, lostAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld, type Rows } from "./batch-world.js";
import {
	asksList,
	emptyList,
	loseAnswers,
	losePayments,
	notCreated,
	nothingListed,
	payIn,
	settlingTime,
	tellOtherwise,
} from "./payment-world.js";

const hour = 3_600_000;
let world: BatchWorld;
let journal: Journal;
beforeEach(async () => {
	world = await batchWorld();
	journal = await world.history();
});
afterEach(() => world.end());

const pay = () => payIn(world, "Invoice 2041");
const settle = (more = "") => world.purser(`pay settle ${more} --json`);

describe("a payment whose answer was lost", () => {
	test("is named by pay doubts, blocks its repetition, and is settled by what the service lists; a dry run settles nothing", async () => {
		loseAnswers(world);
		const lost = await pay();
		expect([lost.exit, lost.error()]).toMatchObject([7, { intent: "1", moneyMayHaveMoved: true }]);
		const again = await pay();
		expect([again.exit, again.error().code]).toEqual([10, "OPEN_DOUBT"]);
		const doubts = await world.purser("pay doubts");
		expect([doubts.exit, doubts.stdout]).toEqual([0, expect.stringContaining("the connection was closed before an answer came")]);
		expect(doubts.stdout).toContain("purser pay settle 1");
		const dry = await settle("--dry-run");
		expect(dry.json()).toMatchObject([{ state: "accepted" }]);
		expect(dry.stderr).toContain("This is a dry run: it shows what would be settled, and nothing is recorded");
		expect((await settle("1 --reopen --reason x --yes")).error().message).toBe("Intent 1 is in doubt already; nothing was changed");
		const settled = await settle();
		expect([settled.exit, settled.json()]).toMatchObject([0, [{ intent: "1", state: "accepted", evidence: { source: "service" } }]]);
		expect((await world.purser(`pay show ${settled.json()[0].id}`)).exit).toBe(0);
		expect(await world.json("pay doubts")).toEqual([]);
		expect((await pay()).error().code).toBe("DUPLICATE");
	});

	test.each([
		["1 --check 2", "check"],
		["1 --not-created --check two --reason x", "check"],
		["1 --not-created --check 2", "reason"],
		["--not-created --check 2 --reason x", "intent"],
		["1 --batch 1 --not-created --check 2 --reason x", "batch"],
		["1 --accept-listed", "reason"],
		["1 --accept-listed --not-created --reason x", "acceptListed"],
		["1 --not-created --reopen --reason x", "reopen"],
		["--reopen --reason x", "intent"],
		["1 --created --reason x --not-this y", "notThis"],
		["1 --reason x", "reason"],
	])("what belongs together is said: %s", async (flags, field) => {
		expect((await settle(flags)).error().details.map((one: { field: string }) => one.field)).toEqual([field]);
	});

	test("is settled as it was when it was read: what another purser does until then counts", async () => {
		const calls: unknown[][] = [];
		const tools = { journal: { settle: async (...given: unknown[]) => void calls.push(given) } } as unknown as Tools;
		const settlement = { state: "not-created", evidence: { source: "person", reason: "x" } } as const;
		await settleAs(tools, { intent: "1", attempt: 2, changed: "2026-03-01T10:00:00.000Z" } as IntentRecord, settlement);
		expect(calls).toEqual([["1", settlement, 2, "2026-03-01T10:00:00.000Z"]]);
	});

	test("is named once more when its profile is removed", async () => {
		losePayments(world);
		await pay();
		const { exit, stderr } = await world.purser("profile remove sandbox --yes");
		expect([exit, stderr]).toEqual([0, expect.stringContaining("Still in doubt: intent 1.")]);
	});

	test("is not looked for at another address than the one it was sent to", async () => {
		losePayments(world);
		await pay();
		world.wire = undefined;
		world.profiles.set("sandbox", { ...(world.profiles.get("sandbox") as Profile), baseUrl: "http://127.0.0.1:4011" });
		expect((await world.purser(logInWords, { input: "sandbox-password" })).exit).toBe(0);
		world.wire = async () => emptyList;
		world.clock.advance(30 * hour);
		const { exit, stdout } = await world.purser("pay settle 1");
		expect(exit).toBe(7);
		expect(stdout).toContain("it was sent to http://127.0.0.1:4010, but this would check http://127.0.0.1:4011");
		const named = "eeeeeeee-0001-4000-8000-000000000001";
		world.wire = async () => answered(200, JSON.stringify({ id: named, amount: 10.1, sender: { ledgerId: world.from } }));
		const ran = await settle(`1 --transaction ${named}`);
		expect([ran.exit, ran.error().code, await journal.checks("1")]).toEqual([10, "LOOKED_ELSEWHERE", []]);
	});

	test("is not taken for not created where its ledger is not to be seen", async () => {
		losePayments(world);
		await pay();
		world.wire = async ({ url }) => (url.includes("/ledgers/") ? answered(404, "{}") : emptyList);
		world.clock.advance(30 * hour);
		const { exit, stdout } = await world.purser("pay settle 1");
		expect([exit, stdout]).toEqual([7, expect.stringContaining("and the ledger itself cannot be seen")]);
		expect(await journal.checks("1")).toEqual([]);
	});

	test("is settled by the transaction that somebody names, if it is that", async () => {
		loseAnswers(world);
		await pay();
		world.wire = undefined;
		const other = await payIn(world, undefined, { amount: "3" });
		const wrong = await world.purser(`pay settle 1 --transaction ${other.json().id}`);
		expect([wrong.exit, wrong.stderr]).toEqual([10, expect.stringContaining("may be another payment than intent 1: amount differs")]);
		const list = (await world.json(`pay list --ledger-id ${world.from}`)) as { id: string; amount: number }[];
		world.wire = async () => answered(200, JSON.stringify({ error: "linkcy.not.found", status: 404 }));
		const nothing = await world.purser("pay settle 1 --transaction eeeeeeee-0001-4000-8000-000000000001", { columns: 300 });
		expect([nothing.exit, nothing.stderr]).toEqual([10, expect.stringContaining("shows neither its ledger nor its payee nor its amount")]);
		world.wire = undefined;
		const right = list.find(({ amount }) => amount === 10.1)?.id as string;
		expect((await world.purser(`pay settle 1 --transaction ${right}`)).exit).toBe(0);
		expect((await journal.show("1"))?.record).toMatchObject({ state: "accepted", id: right, evidence: { source: "transaction" } });
	});

	const byStatement = async (lines: readonly string[], more = "") => {
		world.put("march.csv", ["Ref;Booked;Sum;Text;Payee ledger", ...lines].join("\r\n"));
		const ran = await settle(`--statement march.csv ${more}`);
		return [ran.exit, ran.json()];
	};

	test("is never settled by a statement of days alone, whatever it shows: a person accepts what may be it", async () => {
		loseAnswers(world);
		await pay();
		const lines = [`A1;2026-03-01;-10.10;Invoice 2041;${world.to}`, `A2;2026-03-01;-5.00;Rent;${world.to}`];
		expect(await byStatement(lines)).toMatchObject([
			7,
			[{ state: "in-doubt", candidates: [{ line: { id: "A1" }, compared: { time: "missing", reference: "same", party: "same" } }] }],
		]);
		const accepted = [{ state: "accepted", id: "A1", evidence: { source: "person" } }];
		expect(await byStatement(lines, "--accept-listed --reason compared")).toMatchObject([0, accepted]);
	});

	test("is settled by a statement's line of its moment that fits it alone, and surely", async () => {
		loseAnswers(world);
		await pay();
		await payIn(world, "Rent");
		const at = world.clock.now().toISOString();
		expect(await byStatement([`A1;${at};-10.10;INVOICE 2041;${world.to}`, `A2;${at};-10.10;Rent;`])).toMatchObject([
			7,
			[
				{ intent: "2", state: "in-doubt", finding: "possible" },
				{ intent: "1", state: "accepted", id: "A1", evidence: { source: "statement" } },
			],
		]);
	});

	test("what stays in doubt is told with when and with which command to check again", async () => {
		losePayments(world);
		await pay();
		const checked = await world.purser("pay settle 1");
		expect(checked.stdout).toMatch(/\n {2}Check again 2026-03-02 \d\d:\d\d [+-]\d\d:\d\d \(in 24 hours\): purser pay settle 1\n/);
		world.clock.advance(settlingTime);
		const next = "If you know that it was not created: purser pay settle 1 --not-created --check 2 --reason TEXT";
		expect((await world.purser("pay settle 1")).stdout).toContain(`\n  ${next}\n`);
	});

	test("is not settled as created by a word; two sources at once are refused, and so is a file that cannot be read", async () => {
		losePayments(world);
		await pay();
		world.put("bad.csv", 'id,date,amount\n1,2026-03-01,"1,5"\n');
		for (const [words, exit, told] of [
			['1 --created --reason "seen on the statement" --yes', 2, "purser pay settle 1 --transaction ID"],
			["1 --created --not-created --reason x --yes", 3, ""],
			["--statement none.csv", 2, ""],
			["--statement bad.csv", 3, "bad.csv, row 2"],
		] as const) {
			const ran = await settle(words);
			expect([words, ran.exit, ran.stderr]).toEqual([words, exit, expect.stringContaining(told)]);
		}
	});
});

test("doubts of several ledgers: what was settled before an interruption is recorded, and costs the ledger under way alone", async () => {
	const { from, to } = world;
	const ledgersAsked = (): string[] =>
		world.requests
			.filter(asksList)
			.map(({ url }) => new URL(url).searchParams.get("ledgerId") as string)
			.filter((one, at, all) => one !== all[at - 1]);
	loseAnswers(world);
	await payIn(world);
	await payIn({ ...world, from: to, to: from });
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	const person = new AbortController();
	world.wire = async (request) => {
		// Ctrl-C while the second list is on its way.
		if (!asksList(request) || ledgersAsked().length < 2) return pass(request);
		person.abort("SIGINT");
		return { kind: "sent", reason: "aborted" };
	};
	world.requests.length = 0;
	const first = await world.purser("pay settle --json", { signal: person.signal });
	expect([first.exit, ledgersAsked()]).toEqual([130, [to, from]]);
	expect(first.stderr).toContain("1 of 2 ledgers were checked, and the results are recorded");
	expect([(await journal.checks("2")).length, (await journal.checks("1")).length]).toEqual([1, 0]);
	world.wire = pass;
	const second = await settle();
	// The second ledger had no money, so nothing was made there.
	expect([second.exit, second.json()]).toMatchObject([
		7,
		[
			{ intent: "2", state: "in-doubt" },
			{ intent: "1", state: "accepted" },
		],
	]);
});

describe("rows of a batch are settled together by the number of one check", () => {
	const rows = (...amounts: string[]): Rows => amounts.map((amount, at) => [amount, `Row ${at + 1}`]);

	test("every row that is not listed past the settling time, and they may be sent again", async () => {
		world.onTransfer(async (reference, pass) => (reference === "Row 2" ? pass() : lostAnswer));
		await world.sent(rows("10.10", "20.20", "30.30"));
		world.clock.advance(settlingTime);
		const next = "purser pay settle --batch 1 --not-created --check 1 --reason TEXT";
		expect((await world.purser("pay settle --batch 1")).stdout).toContain(`If you know for all 2 rows that they were not created: ${next}`);
		const done = await settle('--batch 1 --not-created --check 1 --reason "asked the bank"');
		const evidence = { source: "person", reason: "asked the bank", checks: [{ number: 1 }] };
		expect([done.exit, done.json()]).toMatchObject([
			0,
			[
				{ row: 4, state: "not-created", evidence },
				{ row: 2, state: "not-created" },
			],
		]);
		expect(await world.faults()).toEqual([]);
		world.onTransfer(async (_, pass) => pass());
		expect((await world.json("pay batch resume 1 --yes")).run.sent).toBe(2);
	});

	test("what is listed and may be one row alone is it, on a person's word; the rest is told", async () => {
		loseAnswers(world);
		// References are cut: two rows cannot be told apart by what is left.
		tellOtherwise(world, (text) => text.replaceAll(/Row \d/g, "Row"), asksList);
		await world.sent(rows("10.10", "20.20", "20.20"));
		const told = await world.purser("pay settle --batch 1");
		expect([told.exit, told.stdout.includes("--accept-listed")]).toEqual([7, false]);
		const accepted = await settle("--batch 1 --accept-listed --reason compared");
		const evidence = { source: "person", reason: "compared (reference could not be compared)" };
		expect([accepted.exit, accepted.json()]).toMatchObject([
			7,
			[
				{ row: 4, state: "in-doubt" },
				{ row: 3, state: "in-doubt" },
				{ row: 2, state: "accepted", evidence },
			],
		]);
	});
});

test("a word about what another terminal settled and paid again meanwhile settles nothing of the new attempt", async () => {
	losePayments(world);
	expect((await pay()).exit).toBe(7);
	const pass = world.wire as NonNullable<BatchWorld["wire"]>;
	let [checks, made] = [0, 0];
	world.wire = async (request) => {
		const answer = await pass(request);
		if (/\/transactions\?(.*&)?page=0/.test(request.url)) checks += 1;
		// The second reading is the one before the word. The other payment is made, and its answer is lost.
		if (checks !== 2) return answer;
		checks += 1;
		expect((await notCreated(world, "1")).exit).toBe(0);
		world.onTransfer(async (_, send) => {
			made += 1;
			await send();
			return lostAnswer;
		});
		tellOtherwise(world, () => nothingListed, asksList);
		expect((await pay()).exit).toBe(7);
		return answer;
	};
	expect((await notCreated(world, "1")).exit).toBe(10);
	expect(await world.json("history show 1")).toMatchObject({ state: "in-doubt", attempt: 2 });
	expect([(await pay()).exit, made]).toEqual([10, 1]);
});
