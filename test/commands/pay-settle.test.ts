import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { removeFolders } from "../journal/journals.js";
import { logInWords } from "../support/log-in.js";
import { answered, delivered, type World } from "../support/purser.js";
import { makeSettlingWorld } from "./settling-world.js";

const hour = 3_600_000;
/** The service dates its answers to the second only. */
const minute = 60_000;
let world: World;
let journal: Journal;
let from: string;
let to: string;

beforeEach(async () => {
	({ world, journal, from, to } = await makeSettlingWorld());
});

afterEach(async () => {
	await journal.close();
	removeFolders();
});

const isTransfer = ({ method, url }: WireRequest): boolean => method === "POST" && url.includes("/transactions/");

/** What is done with each transfer on its way; everything else reaches the sandbox. */
function onTransfer(act: (request: WireRequest, pass: () => Promise<WireOutcome>) => Promise<WireOutcome>): void {
	const pass = async (request: WireRequest): Promise<WireOutcome> => {
		const { pathname, search } = new URL(request.url);
		const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
		const answer = await world.sandbox.handle({
			method: request.method,
			target: pathname + search,
			headers,
			body: request.body ?? new Uint8Array(),
		});
		return delivered(answer);
	};
	world.wire = (request) => (isTransfer(request) ? act(request, () => pass(request)) : pass(request));
}

const lostAfter = async (_: WireRequest, pass: () => Promise<WireOutcome>): Promise<WireOutcome> => {
	await pass();
	return { kind: "sent", reason: "the connection was closed before an answer came" };
};
const lostBefore = async (): Promise<WireOutcome> => ({ kind: "sent", reason: "the connection was closed before an answer came" });

const payFor = (reference: string, ...more: string[]) =>
	world.purser([
		"pay",
		"ledger",
		"--ledger-from-id",
		from,
		"--ledger-to-id",
		to,
		"--amount",
		"10.10",
		"--reference",
		reference,
		"--yes",
		"--json",
		...more,
	]);
const pay = (...more: string[]) => payFor("Invoice 2041", ...more);

describe("a payment whose answer was lost", () => {
	test("is named by pay doubts, blocks its repetition, and is settled by what the service lists", async () => {
		onTransfer(lostAfter);
		const lost = await pay();
		expect(lost.exit).toBe(7);
		expect(JSON.parse(lost.stderr.trim().split("\n").at(-1) as string).error).toMatchObject({ intent: "1", moneyMayHaveMoved: true });
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

	test("that was never made is not created only after time, two looks and a person's word, and may then be paid", async () => {
		onTransfer(lostBefore);
		expect((await pay()).exit).toBe(7);
		world.wire = undefined;
		const first = await world.purser(["pay", "settle", "1", "--json"]);
		expect(first.exit).toBe(7);
		expect(first.json()).toMatchObject([{ state: "in-doubt", why: "it is not listed, but it may still appear" }]);
		world.clock.advance(24 * hour + minute);
		const second = await world.purser(["pay", "settle", "1", "--json"]);
		expect(second.json()).toMatchObject([{ state: "in-doubt", why: "it is not listed; a second check must agree" }]);
		world.clock.advance(hour / 6);
		const third = await world.purser(["pay", "settle", "1", "--json"]);
		expect(third.exit).toBe(7);
		expect(third.json()).toMatchObject([
			{
				state: "in-doubt",
				why: "not found in two checks, which look complete; a person decides whether it was created",
				confirm: "purser pay settle 1 --not-created --look 3 --reason TEXT",
				look: { number: 3, agrees: 2, complete: true },
			},
		]);
		expect((await pay()).exit).toBe(10);
		const word = await world.purser(confirming("3"));
		expect([word.exit, word.json()]).toMatchObject([
			0,
			[{ state: "not-created", evidence: { source: "person", reason: "asked the bank", looks: [{ number: 2 }, { number: 3 }] } }],
		]);
		expect((await journal.verify()).faults).toEqual([]);
		expect((await pay()).exit).toBe(0);
		const shown = (await world.purser(["history", "show", "1", "--json"])).json();
		expect(shown).toMatchObject({ state: "accepted", attempt: 2 });
		expect(shown.events.map(({ kind }: { kind: string }) => kind)).toEqual([
			"begun",
			"ended",
			"looked",
			"looked",
			"looked",
			"settled",
			"begun",
			"ended",
		]);
	});

	/** A script's word on a look. */
	const confirming = (look: string) => ["pay", "settle", "1", "--not-created", "--look", look, "--reason", "asked the bank", "--json"];
	/** Looks past the settling time, each ten minutes after the one before. */
	async function look(times: number): Promise<void> {
		for (let time = 0; time < times; time++) {
			world.clock.advance(time === 0 ? 24 * hour + minute : hour / 6);
			expect((await world.purser(["pay", "settle"])).exit).toBe(7);
		}
	}

	test.each([
		["is the older of the two", 2, "1"],
		["was never taken", 2, "7"],
		["agrees with no other one", 1, "1"],
	])("is not confirmed by a look that %s", async (_, looks, number) => {
		onTransfer(lostBefore);
		await pay();
		world.wire = undefined;
		await look(looks);
		const ran = await world.purser(confirming(number));
		expect([ran.exit, JSON.parse(ran.stderr).error.code]).toEqual([10, "LOOKS_DISAGREE"]);
		expect((await journal.show("1"))?.record.state).toBe("in-doubt");
	});

	test("is not confirmed by a look from before one that showed something, nor by one at an earlier attempt", async () => {
		onTransfer(lostBefore);
		await pay();
		world.wire = undefined;
		await look(2);
		// A payment alike but for its reference, by somebody else.
		const id = (await payFor("Rent")).json().id as string;
		const holders = journal.holders.bind(journal);
		journal.holders = async (ids) => new Map([...(await holders(ids))].filter(([held]) => held !== id));
		world.clock.advance(hour);
		const seen = await world.purser(["pay", "settle", "1", "--json"]);
		expect(seen.json()).toMatchObject([
			{ why: expect.stringContaining(`differs from it only in reference, amount or date; a person must check: ${id}`) },
		]);
		expect((await world.purser(confirming("2"))).exit).toBe(10);
		journal.holders = holders;
		await look(2);
		expect((await world.purser(confirming("5"))).exit).toBe(0);
		onTransfer(lostBefore);
		await pay();
		const late = await world.purser(confirming("5"));
		expect([late.exit, JSON.parse(late.stderr).error.code]).toEqual([10, "LOOKS_DISAGREE"]);
	});

	test("is confirmed at a terminal by a Yes to what was seen, and by nothing else", async () => {
		onTransfer(lostBefore);
		await pay();
		world.wire = undefined;
		await look(2);
		const no = await world.purser(["pay", "settle"], { answers: [false] });
		expect([no.exit, JSON.stringify(world.asked)]).toEqual([7, expect.stringContaining("Intent 1, 10.10")]);
		expect(JSON.stringify(world.asked)).toContain("two checks did not find it, and they look complete. Check 3, ");
		expect(no.stdout).toContain("If you know that it was not created: purser pay settle 1 --not-created --look 3 --reason TEXT");
		// A Yes in advance has seen no look.
		expect((await world.purser(["pay", "settle", "--yes"], { answers: [] })).exit).toBe(7);
		const yes = await world.purser(["pay", "settle"], { answers: [true] });
		expect(yes.exit).toBe(0);
		expect((await journal.show("1"))?.record).toMatchObject({
			state: "not-created",
			evidence: { source: "person", reason: "confirmed at a terminal, after check 5" },
		});
	});

	test("what belongs together of a word on a look is said", async () => {
		const fields = async (...flags: string[]) => {
			const ran = await world.purser(["pay", "settle", ...flags, "--json"]);
			return JSON.parse(ran.stderr).error.details.map(({ field }: { field: string }) => field);
		};
		expect(await fields("1", "--look", "2")).toEqual(["look"]);
		expect(await fields("--confirm-absent", "--look", "2", "--reason", "x")).toEqual(["batch"]);
		expect(await fields("--batch", "1", "--confirm-absent", "--reason", "x")).toEqual(["look"]);
		expect(await fields("--batch", "1", "--confirm-absent", "--look", "2")).toEqual(["reason"]);
		expect(await fields("--batch", "1", "--confirm-absent", "--look", "two", "--reason", "x")).toEqual(["look"]);
	});

	describe("where the profile says that its list is complete", () => {
		/** The service dates its answers, and payments are on record with the clocks of their time. */
		function dated(): void {
			const profile = world.profiles.get("sandbox") as Profile;
			world.profiles.set("sandbox", { ...profile, settings: { absence: "list" } });
			const begin = journal.begin.bind(journal);
			journal.begin = (intent) => begin({ ...intent, skew: intent.skew ?? 0 });
			const pass = world.wire as NonNullable<typeof world.wire>;
			world.wire = async (...given) => {
				const outcome = await pass(...given);
				if (outcome.kind !== "answer") return outcome;
				return { ...outcome, headers: { ...outcome.headers, date: world.clock.now().toUTCString() } };
			};
		}

		test("two looks prove that it was not created, if a payment that is known to be made stands there", async () => {
			onTransfer(lostBefore);
			dated();
			await pay();
			await look(2);
			expect((await world.purser(["pay", "settle"])).stdout).toContain(
				"no payment from this ledger is known to be made in the time of the list",
			);
			onTransfer(async (_, pass) => pass());
			dated();
			// One that is known, in the time of the list that the next look is by.
			world.clock.advance(-24 * hour);
			expect((await known()).exit).toBe(0);
			world.clock.advance(48 * hour);
			const first = await world.purser(["pay", "settle", "--json"]);
			expect(first.json()).toMatchObject([{ state: "in-doubt", look: { number: 4 } }]);
			expect(first.json()[0].look.lacks).toBeUndefined();
			world.clock.advance(hour / 6);
			const second = await world.purser(["pay", "settle", "--json"]);
			expect([second.exit, second.json()]).toMatchObject([
				0,
				[{ state: "not-created", evidence: { source: "service", looks: [{ number: 4 }, { number: 5 }] } }],
			]);
		});

		test("no other address is believed by it", async () => {
			dated();
			const explained = async (...flags: string[]) =>
				((await world.purser(["config", "explain", "--json", ...flags])).json() as { key: string; value: string }[]).find(
					({ key }) => key === "absence",
				);
			expect(await explained()).toMatchObject({ value: "list", from: "profile" });
			expect(await explained("--base-url", "http://127.0.0.1:4010/other")).toMatchObject({ value: "person", from: "default" });
		});
	});

	test("is not given another payment's transaction because the list tells ids in capitals", async () => {
		expect((await pay()).exit).toBe(0);
		onTransfer(lostBefore);
		expect((await pay("--despite", "1", "--reason", "second delivery")).exit).toBe(7);
		const wire = world.wire;
		world.wire = async (request) => {
			const outcome = await (wire as NonNullable<typeof wire>)(request);
			if (outcome.kind !== "answer" || !request.url.includes("/transactions?")) return outcome;
			const text = new TextDecoder().decode(outcome.body).replace(/"id":"([^"]+)"/g, (whole) => whole.toUpperCase().replace("ID", "id"));
			return { ...outcome, body: new TextEncoder().encode(text) };
		};
		expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([
			{ intent: "2", state: "in-doubt", why: "it is not listed, but it may still appear" },
		]);
	});

	test("is not settled by a look in a dry run", async () => {
		onTransfer(lostAfter);
		await pay();
		const { stderr } = await world.purser(["pay", "settle", "--dry-run"]);
		expect(stderr).toContain("Warning: This is a dry run: it shows what would be settled, and nothing is recorded");
		expect((await world.purser(["pay", "settle", "--dry-run", "--json"])).json()).toMatchObject([{ state: "accepted" }]);
		expect((await journal.show("1"))?.record.state).toBe("in-doubt");
	});

	test("stays in doubt where the deployment has no list, which is said", async () => {
		onTransfer(lostBefore);
		await pay();
		world.wire = async () => ({ kind: "answer", status: 404, headers: {}, body: new Uint8Array() });
		world.clock.advance(30 * hour);
		const { exit, stdout } = await world.purser(["pay", "settle"]);
		expect(exit).toBe(7);
		expect(stdout).toContain("the service's list could not be read");
		expect(await journal.looks("1")).toEqual([]);
	});

	test.each([
		["drop-after", "accepted"],
		["cut", "accepted"],
		["drop-before", "in-doubt"],
		["delay:70000ms", "accepted"],
	])("by the sandbox itself (%s): 7, and settling finds what became of it", async (fault, state) => {
		await world.purser(["sandbox", "simulate", "fault", `transaction.interLedger=${fault}:x1`]);
		const lost = await pay();
		expect([lost.exit, lost.stderr.includes("moneyMayHaveMoved")]).toEqual([7, true]);
		expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([{ state }]);
	});

	test("is named once more when its profile is removed", async () => {
		onTransfer(lostBefore);
		await pay();
		const { exit, stderr } = await world.purser(["profile", "remove", "sandbox", "--yes"]);
		expect([exit, stderr.includes("Still in doubt: intent 1.")]).toEqual([0, true]);
	});

	test("is not looked for under another path of the address: a gateway may serve a test there beside the live service", async () => {
		onTransfer(lostBefore);
		await pay();
		const profile = world.profiles.get("sandbox") as Profile;
		world.profiles.set("sandbox", { ...profile, baseUrl: "http://127.0.0.1:4010/test" });
		world.wire = async () => answered(200, '{"content":[],"totalElements":0}');
		for (const hours of [30, 1]) {
			world.clock.advance(hours * hour);
			const { exit, stdout } = await world.purser(["pay", "settle", "1"]);
			expect(exit).toBe(7);
			expect(stdout).toContain("it was sent to http://127.0.0.1:4010, but this would check http://127.0.0.1:4010/test");
		}
		expect((await pay()).exit).toBe(10);
	});

	test("is settled at its base path, where an older build kept the origin and the whole path of it", async () => {
		const profile = world.profiles.get("sandbox") as Profile;
		const use = (baseUrl: string) => world.profiles.set("sandbox", { ...profile, baseUrl });
		onTransfer(lostAfter);
		const below = world.wire as NonNullable<typeof world.wire>;
		world.wire = (request) => below({ ...request, url: request.url.replace("/api/v1/", "/") });
		const begin = journal.begin.bind(journal);
		journal.begin = ({ service: _, ...old }) => begin(old);
		use("http://127.0.0.1:4010/api/v1");
		expect((await pay()).exit).toBe(7);
		expect((await journal.show("1"))?.record).toMatchObject({
			origin: "http://127.0.0.1:4010",
			path: "/api/v1/api/partner/transactions/inter-ledger",
		});
		use("http://127.0.0.1:4010");
		const elsewhere = await world.purser(["pay", "settle", "1"]);
		expect([elsewhere.exit, elsewhere.stdout.includes("it was sent to http://127.0.0.1:4010/api/v1/api/partner")]).toEqual([7, true]);
		use("http://127.0.0.1:4010/api/v1");
		expect((await pay()).stderr).toContain("OPEN_DOUBT");
		expect((await world.purser(["pay", "settle", "1", "--json"])).json()).toMatchObject([{ intent: "1", state: "accepted" }]);
		expect((await journal.verify()).faults).toEqual([]);
	});

	test("is not looked for at another address than the one it was sent to", async () => {
		onTransfer(lostBefore);
		await pay();
		world.wire = undefined;
		const profile = world.profiles.get("sandbox") as Profile;
		world.profiles.set("sandbox", { ...profile, baseUrl: "http://127.0.0.1:4011" });
		expect((await world.purser(logInWords, { input: "sandbox-password" })).exit).toBe(0);
		world.wire = async () => answered(200, '{"content":[],"totalElements":0}');
		for (const hours of [30, 1]) {
			world.clock.advance(hours * hour);
			const { exit, stdout } = await world.purser(["pay", "settle", "1"]);
			expect(exit).toBe(7);
			expect(stdout).toContain("it was sent to http://127.0.0.1:4010, but this would check http://127.0.0.1:4011");
		}
		const named = "eeeeeeee-0001-4000-8000-000000000001";
		world.wire = async () => answered(200, JSON.stringify({ id: named, amount: 10.1, sender: { ledgerId: from } }));
		const ran = await world.purser(["pay", "settle", "1", "--transaction", named, "--json"]);
		expect([ran.exit, JSON.parse(ran.stderr).error.code]).toEqual([10, "LOOKED_ELSEWHERE"]);
		expect(await journal.looks("1")).toEqual([]);
	});

	test("is not taken for not created where its ledger is not to be seen", async () => {
		onTransfer(lostBefore);
		await pay();
		world.wire = async ({ url }) => (url.includes("/ledgers/") ? answered(404, "{}") : answered(200, '{"content":[],"totalElements":0}'));
		for (const hours of [30, 1]) {
			world.clock.advance(hours * hour);
			const { exit, stdout } = await world.purser(["pay", "settle", "1"]);
			expect(exit).toBe(7);
			expect(stdout).toContain("and the ledger itself cannot be seen");
		}
		expect(await journal.looks("1")).toEqual([]);
	});

	test("is not taken for not created because this machine's clock runs ahead of the service's", async () => {
		onTransfer(lostBefore);
		await pay();
		const dated = (minutes: number) => ({ date: new Date(Date.parse("2026-03-01T10:00:00Z") + minutes * 60_000).toUTCString() });
		let minutes = 5;
		world.wire = async ({ url }) =>
			url.includes("/ledgers/") ? answered(200, `{"id":"${from}"}`) : answered(200, '{"content":[],"totalElements":0}', dated(minutes));
		// The clock jumps by two days, and the two looks are half an hour apart.
		world.clock.advance(48 * hour);
		for (minutes of [5, 35]) {
			world.clock.advance(hour / 2);
			const { exit, stdout } = await world.purser(["pay", "settle", "1"]);
			expect([exit, stdout.includes("it is not listed, but it may still appear")]).toEqual([7, true]);
		}
		minutes = 25 * 60;
		expect((await world.purser(["pay", "settle", "1"])).stdout).toContain("a second check must agree");
		minutes = 26 * 60;
		expect((await world.purser(["pay", "settle", "1"])).stdout).toContain("not found in two checks, which look complete");
	});

	test("is settled by the transaction that somebody names, if it is that", async () => {
		onTransfer(lostAfter);
		await pay();
		world.wire = undefined;
		const other = await world.purser(["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "3", "--yes", "--json"]);
		const wrong = await world.purser(["pay", "settle", "1", "--transaction", other.json().id]);
		expect([wrong.exit, wrong.stderr.includes("is not the transfer of intent 1")]).toEqual([10, true]);
		const list = (await world.purser(["pay", "list", "--ledger-id", from, "--json"])).json() as { id: string; amount: number }[];
		const right = list.find(({ amount }) => amount === 10.1)?.id as string;
		expect((await world.purser(["pay", "settle", "1", "--transaction", right])).exit).toBe(0);
		expect((await journal.show("1"))?.record).toMatchObject({ state: "accepted", id: right, evidence: { source: "transaction" } });
	});

	test("is settled by the beginning of its transaction's id, where that fits one alone in a list read whole", async () => {
		onTransfer(lostAfter);
		await pay();
		world.wire = undefined;
		const [right] = (await world.purser(["pay", "list", "--ledger-id", from, "--json"])).json() as { id: string }[];
		const start = (right?.id ?? "").slice(0, 8);
		const settle = (...more: string[]) => world.purser(["pay", "settle", "1", "--transaction", ...more, "--json"]);
		const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;
		expect((await settle(start.slice(0, 7))).exit).toBe(3);
		const none = await settle(start === "00000000" ? "11111111" : "00000000");
		expect([none.exit, errorOf(none).message]).toEqual([3, expect.stringContaining("No transaction of the ledger")]);
		// Another transaction begins so too.
		const twin = `${start}-0000-4000-8000-000000000001`;
		const answers =
			(more: object) =>
			async ({ url }: WireRequest) => {
				if (!url.includes("/transactions?")) throw new Error(`not expected: ${url}`);
				return answered(200, JSON.stringify({ content: [{ id: right?.id }], totalElements: 1, ...more }));
			};
		world.wire = answers({ content: [{ id: right?.id }, { id: twin, amount: 3, currency: "EUR" }], totalElements: 2 });
		const two = await settle(start);
		expect([two.exit, errorOf(two).code]).toEqual([2, "AMBIGUOUS"]);
		expect(errorOf(two).details[1]).toEqual({ field: "transaction", message: `may be ${twin} · 3.00 EUR` });
		// The list has more than it shows, so another one may fit too.
		world.wire = async (request) =>
			request.url.includes("page=0") ? answers({ totalElements: 2 })(request) : answers({ content: [], totalElements: 2 })(request);
		const part = await settle(start);
		expect([part.exit, errorOf(part).message]).toEqual([3, expect.stringContaining("did not list all transactions of the ledger")]);
		expect((await journal.show("1"))?.record.state).toBe("in-doubt");
		world.wire = undefined;
		const settled = await settle(start.toUpperCase());
		expect([settled.exit, settled.json()[0].id]).toEqual([0, right?.id]);
	});

	test("is settled by a person's word, with a reason, asked for by default", async () => {
		onTransfer(lostBefore);
		await pay();
		const missing = await world.purser(["pay", "settle", "1", "--not-created", "--yes", "--json"]);
		expect([missing.exit, missing.stderr.includes("reason")]).toEqual([2, true]);
		const word = ["pay", "settle", "1", "--not-created", "--reason", "The bank confirmed, ticket 4711"];
		expect((await world.purser(word)).exit).toBe(2);
		expect((await world.purser(word, { answers: [false] })).exit).toBe(10);
		expect((await journal.show("1"))?.record.state).toBe("in-doubt");
		expect((await world.purser([...word, "--yes"])).exit).toBe(0);
		expect((await journal.show("1"))?.record).toMatchObject({
			state: "not-created",
			evidence: { source: "person", reason: "The bank confirmed, ticket 4711" },
		});
	});

	/** A payment that is known to be made: what a statement must show to be believed. */
	const known = () =>
		world.purser([
			...["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "3", "--reference", "Known 1", "--yes", "--json"],
		]);
	const writeStatement = (through: string, ...lines: string[]): void => {
		const rows = ["Ref;Booked;Sum;Text", "A1;2026-02-20;-5.00;Rent", ...lines, `A9;${through};-5.00;Rent`];
		world.files.set("march.csv", new TextEncoder().encode(rows.join("\r\n")));
	};
	const settleByStatement = (...more: string[]) =>
		world.purser([
			...["pay", "settle", "--statement", "march.csv", "--json", "--columns", "id=Ref", "--columns", "date=Booked"],
			...["--columns", "amount=Sum", "--columns", "reference=Text", ...more],
		]);

	test("is settled by a statement; the same one twice is one look", async () => {
		await known();
		onTransfer(lostBefore);
		await pay();
		const line = "A2;2026-03-01;-3.00;Known 1";
		writeStatement("2026-03-05", line);
		expect((await settleByStatement()).json()).toMatchObject([{ state: "in-doubt" }]);
		expect((await settleByStatement()).json()).toMatchObject([{ state: "in-doubt" }]);
		world.clock.advance(10 * 24 * hour);
		expect((await settleByStatement()).json()).toMatchObject([{ state: "in-doubt", why: "it is not listed; a second check must agree" }]);
		writeStatement("2026-03-09", line);
		expect((await settleByStatement()).json()).toMatchObject([
			{ state: "in-doubt", confirm: "purser pay settle 2 --not-created --look 4 --reason TEXT", look: { source: "statement", agrees: 3 } },
		]);
	});

	test("a statement that is too short says which one is needed, not that it may be of another ledger", async () => {
		await known();
		onTransfer(lostBefore);
		await pay();
		world.clock.advance(10 * 24 * hour);
		const line = "A2;2026-03-01;-3.00;Known 1";
		writeStatement("2026-03-01", line);
		expect((await settleByStatement()).json()).toMatchObject([
			{ state: "in-doubt", why: expect.stringContaining("ends too early: use one with a line of 2026-03-04 or later") },
		]);
		const late = ["Ref;Booked;Sum;Text", "A1;2026-02-27;-5.00;Rent", line, "A9;2026-03-08;-5.00;Rent"];
		world.files.set("march.csv", new TextEncoder().encode(late.join("\r\n")));
		expect((await settleByStatement()).json()).toMatchObject([
			{ state: "in-doubt", why: expect.stringContaining("begins too late: use one with a line of 2026-02-26 or earlier") },
		]);
		// Those that it names are enough.
		const enough = ["Ref;Booked;Sum;Text", "A1;2026-02-26;-5.00;Rent", line, "A9;2026-03-04;-5.00;Rent"];
		world.files.set("march.csv", new TextEncoder().encode(enough.join("\r\n")));
		expect((await settleByStatement()).json()).toMatchObject([{ why: "it is not listed; a second check must agree" }]);
	});

	test("a statement is believed by a payment on its last days too, which prove no absence", async () => {
		onTransfer(lostBefore);
		await pay();
		world.wire = undefined;
		world.clock.advance(30 * hour);
		expect((await known()).exit).toBe(0);
		world.clock.advance(10 * 24 * hour);
		writeStatement("2026-03-04", "A2;2026-03-02;-3.00;Known 1");
		expect((await settleByStatement()).json()).toMatchObject([{ why: "it is not listed; a second check must agree" }]);
	});

	test.each<[string, string[]]>([
		["of another ledger", ["A2;2026-03-02;-44.00;Other 7"]],
		["with the signs the other way round", ["A2;2026-03-01;3.00;Known 1", "A3;2026-03-01;10.10;Invoice 2041"]],
		["whose references are the bank's own", ["A2;2026-03-01;-3.00;FT26060AAA", "A3;2026-03-01;-10.10;FT26060AAB"]],
		["that books several payments as one", ["A2;2026-03-01;-13.10;Collective"]],
	])("a statement %s proves no absence, however often", async (_, lines) => {
		await known();
		onTransfer(lostAfter);
		await pay();
		world.clock.advance(10 * 24 * hour);
		for (const through of ["2026-03-08", "2026-03-09", "2026-03-10"]) {
			writeStatement(through, ...lines);
			const [told] = (await settleByStatement()).json() as { state: string; why: string; after?: string }[];
			expect(told).toMatchObject({
				state: "in-doubt",
				why: expect.stringMatching(/^it was not found, but the statement does not show the payment of intent 1|a person must check: A3$/),
			});
			expect(told?.after).toBeUndefined();
		}
	});

	test("is not taken for not created by a list that shows none of the payments that the service named itself", async () => {
		const pass = world.wire;
		await known();
		onTransfer(lostAfter);
		await pay();
		const through = world.wire;
		const blank = answered(200, '{"content":[],"totalElements":0}');
		world.wire = async (request) => (request.url.includes("/transactions?") ? blank : ((await through?.(request)) as WireOutcome));
		world.clock.advance(26 * hour);
		for (let look = 0; look < 3; look++) {
			const [told] = (await world.purser(["pay", "settle", "--json"])).json() as { state: string; why: string }[];
			expect(told).toMatchObject({
				state: "in-doubt",
				why: expect.stringContaining("the service does not list transaction "),
			});
			world.clock.advance(hour);
		}
		world.wire = pass;
		expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([{ state: "accepted" }]);
	});

	test("is found where our clock was an hour ahead when it was sent, and never takes it for not created", async () => {
		onTransfer(async (request, pass) => {
			// The service makes it at its own time, an hour before ours.
			world.clock.advance(-hour);
			await pass();
			world.clock.advance(hour);
			return { kind: "sent", reason: `the connection was closed before an answer came to ${request.method}` };
		});
		await pay();
		for (const hours of [24, 2, 1]) {
			world.clock.advance(hours * hour);
			expect((await world.purser(["pay", "settle", "--json"])).json()).toMatchObject([
				{ state: "in-doubt", why: expect.stringContaining("1 listed may be it") },
			]);
		}
	});

	test("what stays in doubt is told with when and with which command to look again; a word without an id is told as it is", async () => {
		onTransfer(lostBefore);
		await pay();
		const looked = await world.purser(["pay", "settle", "1"]);
		expect(looked.exit).toBe(7);
		expect(looked.stdout).toMatch(/\n {2}Check again 2026-03-02 \d\d:\d\d [+-]\d\d:\d\d \(in 24 hours\): purser pay settle 1\n/);
		const word = await world.purser(["pay", "settle", "1", "--created", "--reason", "seen on the statement", "--yes"]);
		expect(word.stdout).toContain("\n  without an id (seen on the statement)\n");
	});

	test("a word may name a transaction as the statement does, and then nothing suggests to show it", async () => {
		onTransfer(lostBefore);
		await pay();
		const alone = await world.purser(["pay", "settle", "1", "--reason", "seen", "--json"]);
		expect(JSON.parse(alone.stderr).error.details).toEqual([
			{ field: "reason", message: "only works with --created, --not-created, --confirm-absent or --transaction" },
		]);
		const word = await world.purser(["pay", "settle", "1", "--created", "--id", "BK-4711", "--reason", "seen", "--yes"]);
		expect(word.stdout).toContain("\n  as BK-4711 (seen)\n");
		expect(word.stderr).not.toContain("pay show");
		expect((await world.purser(["history", "show", "1"])).stderr).not.toContain("pay show");
	});

	test("two sources at once are refused, and so is a file that cannot be read", async () => {
		onTransfer(lostBefore);
		await pay();
		expect((await world.purser(["pay", "settle", "1", "--created", "--not-created", "--reason", "x", "--yes"])).exit).toBe(3);
		expect((await world.purser(["pay", "settle", "--statement", "none.csv"])).exit).toBe(2);
		world.files.set("bad.csv", new TextEncoder().encode('id,date,amount\n1,2026-03-01,"1,5"\n'));
		const bad = await world.purser(["pay", "settle", "--statement", "bad.csv"]);
		expect([bad.exit, bad.stderr.includes("bad.csv, line 2")]).toEqual([3, true]);
	});
});

describe("the history", () => {
	test("lists, shows, exports and verifies what was asked", async () => {
		expect((await pay()).exit).toBe(0);
		const { stdout } = await world.purser(["history", "list"]);
		expect(stdout).toMatch(/1 +2026-03-01 \d\d:\d\d [+-]\d\d:\d\d +accepted +10\.10 EUR to Savings +Invoice 2041/);
		expect((await world.purser(["history", "show", "1"])).stdout).toContain("accepted");
		expect((await world.purser(["history", "show", "7"])).exit).toBe(2);
		const lines = (await world.purser(["history", "export", "--output", "ndjson"])).stdout.trim().split("\n");
		expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["installed", "settings", "begun", "ended"]);
		const since = (await world.purser(["history", "export", "--after", "3", "--output", "ndjson"])).stdout.trim();
		expect(JSON.parse(since)).toMatchObject({ seq: 4, kind: "ended" });
		const verified = await world.purser(["history", "verify", "--json"]);
		expect([verified.exit, verified.json()]).toMatchObject([0, { events: 4, intents: 1, faults: [] }]);
	});

	test("is purged of what is over by the service's time, never of a doubt", async () => {
		const unknown = await world.purser(["history", "purge", "--before", "2026-02-01", "--yes", "--json"]);
		expect([unknown.exit, JSON.parse(unknown.stderr).error.code]).toEqual([10, "NO_SERVICE_TIME"]);
		await pay();
		world.clock.advance(48 * hour);
		const guarding = await world.purser(["history", "purge", "--before", "2026-03-02", "--yes", "--json"]);
		expect([guarding.exit, JSON.parse(guarding.stderr).error]).toMatchObject([
			10,
			{ code: "STILL_GUARDS", details: [{ field: "before" }] },
		]);
		expect(JSON.parse(guarding.stderr).error.fix).toContain("purser history purge --before 2026-02-22");
		expect((await pay()).exit).toBe(10);
		world.clock.advance(7 * 24 * hour);
		// This machine's clock alone makes nothing old: the service has to tell its time.
		const unseen = await world.purser(["history", "purge", "--before", "2026-03-02", "--yes", "--json"]);
		expect([unseen.exit, JSON.parse(unseen.stderr).error.code]).toEqual([10, "STILL_GUARDS"]);
		expect((await payFor("Invoice 2042")).exit).toBe(0);
		expect((await world.purser(["history", "purge", "--before", "2026-03-02"])).exit).toBe(2);
		expect((await world.purser(["history", "purge", "--before", "2027-01-01", "--yes"])).exit).toBe(3);
		const dry = (await world.purser(["history", "purge", "--before", "2026-03-02", "--dry-run", "--json"])).json();
		expect(dry).toEqual({
			events: 4,
			intents: 1,
			kinds: { installed: 1, settings: 1, begun: 1, ended: 1 },
			oldest: "2026-03-01T10:00:00.000Z",
			newest: "2026-03-01T10:00:00.000Z",
		});
		expect((await world.purser(["history", "verify", "--json"])).json()).toMatchObject({ events: 6, intents: 2 });
		expect((await world.purser(["history", "purge", "--before", "2026-03-02", "--yes", "--json"])).json()).toEqual({
			events: 4,
			intents: 1,
		});
		expect((await world.purser(["history", "verify"])).exit).toBe(0);
		onTransfer(lostBefore);
		await pay();
		world.clock.advance(8 * 24 * hour);
		onTransfer((_, pass) => pass());
		await payFor("Invoice 2043");
		const refused = await world.purser(["history", "purge", "--before", "2026-03-11", "--yes"]);
		expect([refused.exit, refused.stderr.includes("not settled")]).toEqual([10, true]);
	});
});
