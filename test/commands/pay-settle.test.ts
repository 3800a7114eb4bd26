import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import { logInWords } from "../support/log-in.js";
import { answered } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { asksList, emptyList, errorOf, loseAnswers, losePayments, payIn } from "./payment-world.js";

const hour = 3_600_000;
/** The service dates its answers to the second only. */
const minute = 60_000;
let world: BatchWorld;
let journal: Journal;
let from: string;
let to: string;

beforeEach(async () => {
	world = await batchWorld();
	({ from, to } = world);
	journal = await world.history();
});
afterEach(() => world.end());

const pay = (...more: string[]) => payIn(world, "Invoice 2041", { more });

describe("a payment whose answer was lost", () => {
	test("is named by pay doubts, blocks its repetition, and is settled by what the service lists", async () => {
		loseAnswers(world);
		const lost = await pay();
		expect(lost.exit).toBe(7);
		expect(errorOf(lost)).toMatchObject({ intent: "1", moneyMayHaveMoved: true });
		const again = await pay();
		expect(again.exit).toBe(10);
		expect(again.stderr).toContain("OPEN_DOUBT");
		const doubts = await world.purser(["pay", "doubts"]);
		expect(doubts.exit).toBe(0);
		expect(doubts.stdout).toContain("the connection was closed before an answer came");
		expect(doubts.stdout).toContain("purser pay settle 1");
		const settled = await world.purser(["pay", "settle", "--json"]);
		expect(settled.exit).toBe(0);
		expect(settled.json()).toMatchObject([{ intent: "1", state: "accepted", evidence: { source: "service" } }]);
		expect((await world.purser(["pay", "show", settled.json()[0].id])).exit).toBe(0);
		expect((await world.purser(["pay", "doubts", "--json"])).json()).toEqual([]);
		expect((await pay()).stderr).toContain("DUPLICATE");
	});

	test("what belongs together is said", async () => {
		const fields = async (...flags: string[]) => {
			const ran = await world.purser(["pay", "settle", ...flags, "--json"]);
			return errorOf(ran).details.map(({ field }: { field: string }) => field);
		};
		expect(await fields("1", "--check", "2")).toEqual(["check"]);
		expect(await fields("1", "--not-created", "--check", "two", "--reason", "x")).toEqual(["check"]);
		expect(await fields("1", "--not-created", "--check", "2")).toEqual(["reason"]);
		expect(await fields("--not-created", "--check", "2", "--reason", "x")).toEqual(["intent"]);
		expect(await fields("1", "--batch", "1", "--not-created", "--check", "2", "--reason", "x")).toEqual(["batch"]);
		expect(await fields("1", "--accept-listed")).toEqual(["reason"]);
		expect(await fields("1", "--accept-listed", "--not-created", "--reason", "x")).toEqual(["acceptListed"]);
		expect(await fields("1", "--not-created", "--reopen", "--reason", "x")).toEqual(["reopen"]);
		expect(await fields("--reopen", "--reason", "x")).toEqual(["intent"]);
		expect(await fields("1", "--created", "--reason", "x", "--not-this", "y")).toEqual(["notThis"]);
		expect(await fields("1", "--reason", "x")).toEqual(["reason"]);
	});

	test("is not settled by a look in a dry run", async () => {
		loseAnswers(world);
		await pay();
		const { stderr } = await world.purser(["pay", "settle", "--dry-run"]);
		expect(stderr).toContain("Warning: This is a dry run: it shows what would be settled, and nothing is recorded");
		expect((await world.purser(["pay", "settle", "--dry-run", "--json"])).json()).toMatchObject([{ state: "accepted" }]);
		expect((await journal.show("1"))?.record.state).toBe("in-doubt");
	});

	test("is named once more when its profile is removed", async () => {
		losePayments(world);
		await pay();
		const { exit, stderr } = await world.purser(["profile", "remove", "sandbox", "--yes"]);
		expect([exit, stderr.includes("Still in doubt: intent 1.")]).toEqual([0, true]);
	});

	test("is not looked for at another address than the one it was sent to", async () => {
		losePayments(world);
		await pay();
		world.wire = undefined;
		const profile = world.profiles.get("sandbox") as Profile;
		world.profiles.set("sandbox", { ...profile, baseUrl: "http://127.0.0.1:4011" });
		expect((await world.purser(logInWords, { input: "sandbox-password" })).exit).toBe(0);
		world.wire = async () => emptyList;
		for (const hours of [30, 1]) {
			world.clock.advance(hours * hour);
			const { exit, stdout } = await world.purser(["pay", "settle", "1"]);
			expect(exit).toBe(7);
			expect(stdout).toContain("it was sent to http://127.0.0.1:4010, but this would check http://127.0.0.1:4011");
		}
		const named = "eeeeeeee-0001-4000-8000-000000000001";
		world.wire = async () => answered(200, JSON.stringify({ id: named, amount: 10.1, sender: { ledgerId: from } }));
		const ran = await world.purser(["pay", "settle", "1", "--transaction", named, "--json"]);
		expect([ran.exit, errorOf(ran).code]).toEqual([10, "LOOKED_ELSEWHERE"]);
		expect(await journal.checks("1")).toEqual([]);
	});

	test("is not taken for not created where its ledger is not to be seen", async () => {
		losePayments(world);
		await pay();
		world.wire = async ({ url }) => (url.includes("/ledgers/") ? answered(404, "{}") : emptyList);
		for (const hours of [30, 1]) {
			world.clock.advance(hours * hour);
			const { exit, stdout } = await world.purser(["pay", "settle", "1"]);
			expect(exit).toBe(7);
			expect(stdout).toContain("and the ledger itself cannot be seen");
		}
		expect(await journal.checks("1")).toEqual([]);
	});

	test("is settled by the transaction that somebody names, if it is that", async () => {
		loseAnswers(world);
		await pay();
		world.wire = undefined;
		const other = await payIn(world, undefined, { amount: "3" });
		const wrong = await world.purser(["pay", "settle", "1", "--transaction", other.json().id]);
		expect([wrong.exit, wrong.stderr]).toEqual([10, expect.stringContaining("may be another payment than intent 1: amount differs")]);
		const list = (await world.purser(["pay", "list", "--ledger-id", from, "--json"])).json() as { id: string; amount: number }[];
		const right = list.find(({ amount }) => amount === 10.1)?.id as string;
		expect((await world.purser(["pay", "settle", "1", "--transaction", right])).exit).toBe(0);
		expect((await journal.show("1"))?.record).toMatchObject({ state: "accepted", id: right, evidence: { source: "transaction" } });
	});

	const writeStatement = (...lines: string[]): void => {
		world.files.set("march.csv", new TextEncoder().encode(["Ref;Booked;Sum;Text;Payee ledger", ...lines].join("\r\n")));
	};
	const settleByStatement = async (...more: string[]) => {
		const ran = await world.purser(["pay", "settle", "--statement", "march.csv", "--json", ...more]);
		return [ran.exit, ran.json()];
	};

	test("is never settled by a statement of days alone, whatever it shows: a person accepts what may be it", async () => {
		loseAnswers(world);
		await pay();
		writeStatement(`A1;2026-03-01;-10.10;Invoice 2041;${to}`, `A2;2026-03-01;-5.00;Rent;${to}`);
		expect(await settleByStatement()).toMatchObject([
			7,
			[{ state: "in-doubt", candidates: [{ line: { id: "A1" }, compared: { time: "missing", reference: "same", party: "same" } }] }],
		]);
		expect(await settleByStatement("--accept-listed", "--reason", "compared")).toMatchObject([
			0,
			[{ state: "accepted", id: "A1", evidence: { source: "person" } }],
		]);
	});

	test("is settled by a statement's line of its moment that fits it alone, and surely", async () => {
		loseAnswers(world);
		await pay();
		await payIn(world, "Rent");
		const at = world.clock.now().toISOString();
		writeStatement(`A1;${at};-10.10;INVOICE 2041;${to}`, `A2;${at};-10.10;Rent;`);
		expect(await settleByStatement()).toMatchObject([
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
		const checked = await world.purser(["pay", "settle", "1"]);
		expect(checked.exit).toBe(7);
		expect(checked.stdout).toMatch(/\n {2}Check again 2026-03-02 \d\d:\d\d [+-]\d\d:\d\d \(in 24 hours\): purser pay settle 1\n/);
		world.clock.advance(24 * hour + minute);
		expect((await world.purser(["pay", "settle", "1"])).stdout).toContain(
			"\n  If you know that it was not created: purser pay settle 1 --not-created --check 2 --reason TEXT\n",
		);
	});

	test("is not settled as created by a word; two sources at once are refused, and so is a file that cannot be read", async () => {
		losePayments(world);
		await pay();
		const word = await world.purser(["pay", "settle", "1", "--created", "--reason", "seen on the statement", "--yes"]);
		expect([word.exit, word.stderr]).toEqual([2, expect.stringContaining("purser pay settle 1 --transaction ID")]);
		expect((await world.purser(["pay", "settle", "1", "--created", "--not-created", "--reason", "x", "--yes"])).exit).toBe(3);
		expect((await world.purser(["pay", "settle", "--statement", "none.csv"])).exit).toBe(2);
		world.files.set("bad.csv", new TextEncoder().encode('id,date,amount\n1,2026-03-01,"1,5"\n'));
		const bad = await world.purser(["pay", "settle", "--statement", "bad.csv"]);
		expect([bad.exit, bad.stderr.includes("bad.csv, row 2")]).toEqual([3, true]);
	});
});

test("doubts of several ledgers: what was settled before an interruption is recorded, and costs the ledger under way alone", async () => {
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
	const first = await world.purser(["pay", "settle", "--json"], { signal: person.signal });
	expect(first.exit).toBe(130);
	expect(first.stderr).toContain("1 of 2 ledgers were checked, and the results are recorded");
	expect(ledgersAsked()).toEqual([to, from]);
	expect([(await journal.checks("2")).length, (await journal.checks("1")).length]).toEqual([1, 0]);
	world.wire = pass;
	world.requests.length = 0;
	const second = await world.purser(["pay", "settle", "--json"]);
	expect([second.exit, ledgersAsked()]).toEqual([7, [to, from]]);
	// The second ledger had no money, so nothing was made there.
	expect(second.json()).toMatchObject([
		{ intent: "2", state: "in-doubt" },
		{ intent: "1", state: "accepted" },
	]);
});
