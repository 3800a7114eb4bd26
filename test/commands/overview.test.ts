/**
 * Every company that needs something: `overview`, as a table, a page and a screen that renews itself, and `purser` alone.
 */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import { linesOf } from "../pages/lines.js";
import { addCompanies, uuid } from "../support/companies.js";
import { makeWorld, type World } from "../support/purser.js";
import { delivered, lostAnswer, sandboxAnswer } from "../support/world-wire.js";
import { type Canned, page, validatedOwner, worldAnswering } from "./answers.js";
import { batchWorld } from "./batch-world.js";

const corporatesPath = "GET /api/partner/corporates";
const relatedPath = (number: number) => `${corporatesPath}/${uuid(number)}/related`;
const corporate = (number: number, kybStatus: string, updateDate: string, more: object = {}) => ({
	...{ id: uuid(number), corporateName: `Example ${number} SAS`, termsAccepted: true, kybStatus, updateDate },
	...more,
});
const owner = (more: object = {}) => validatedOwner({ id: uuid(900), lastName: "Placeholder", phone: undefined, ...more });

/** A sandbox with so many companies under way; the first of them is the oldest. */
async function sandboxOf(count: number, kyb = (_number: number) => "NOT_STARTED"): Promise<World> {
	const world = await makeWorld();
	addCompanies(world, count, {
		kyb: (number) => ({ status: kyb(number) }),
		owner: { isDirector: true, isUbo: true, directSharesPercentage: "100" },
		kyc: { status: "VALIDATED", type: "FULL_KYC" },
	});
	world.requests.length = 0;
	return world;
}

describe("overview", () => {
	test("240 corporates: at most pages + open cases requests, at most eight at once, progress shown, the most urgent first", async () => {
		const world = await sandboxOf(240, (number) => (number % 2 === 0 ? "NOT_STARTED" : "NEED_ADDITIONAL_INFORMATION"));
		let [under, most] = [0, 0];
		world.wire = async (request) => {
			under += 1;
			most = Math.max(most, under);
			const answer = await sandboxAnswer(world, request);
			under -= 1;
			return delivered(answer);
		};
		const { rows, counts } = await world.json("overview");
		const ids = rows.map(({ corporateId }: { corporateId: string }) => corporateId);
		expect(ids).toEqual([1, 0].flatMap((first) => Array.from({ length: 120 }, (_, at) => uuid(first + 2 * at))));
		expect(counts).toEqual({ "to do": 240, declined: 0, waiting: 0, blocked: 0, unknown: 0, optional: 0, complete: 0 });
		// Three pages of a hundred, one a company, and the validated one of the sandbox.
		expect(world.requests.length).toBeLessThanOrEqual(3 + 241);
		expect([most > 1, most <= 8]).toEqual([true, true]);
		expect((await world.purser("overview")).stderr).toContain("Reading 241 companies …");
	});

	test("as a table: whose turn, what, since when; what to type next; narrow terminals too", async () => {
		const world = await worldAnswering({
			[corporatesPath]: page(
				corporate(1, "PENDING_VERIFICATION", "2026-02-27T10:00:00Z"),
				corporate(2, "NEED_ADDITIONAL_INFORMATION", "2026-02-19T10:00:00Z", { corporateName: "Mal\u001b[2J\nory" }),
				corporate(3, "VALIDATED", "2026-01-01T10:00:00Z"),
			),
			...{ [relatedPath(1)]: page(owner()), [relatedPath(2)]: page(owner()) },
		});
		const ran = await world.purser("overview", { columns: 140 });
		expect([ran.exit, ran.stdout.split("\n")]).toEqual([
			0,
			[
				...["2 companies need something: 1 to do, 1 waiting", ""],
				"id                                    name           KYB                          waiting on       still needed   since",
				`${uuid(2)}  Mal␛[2J␊ory    NEED_ADDITIONAL_INFORMATION  you              KYB validated  2026-02-19, 10 days`,
				`${uuid(1)}  Example 1 SAS  PENDING_VERIFICATION         compliance team  KYB validated  2026-02-27, 2 days`,
				"",
			],
		]);
		expect(ran.stderr).toContain(`Next: purser corporate status ${uuid(2)}\n      purser corporate status 'Example 1 SAS'\n`);
		const narrow = (await world.purser("overview", { columns: 50 })).stdout;
		expect([narrow.split("\n").every((line) => line.length <= 50), narrow.includes(uuid(2))]).toEqual([true, true]);
	});

	test("one corporate that cannot be read does not hide the others, and a page says so too", async () => {
		const world = await worldAnswering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-02-27T10:00:00Z"), corporate(2, "NOT_STARTED", "2026-02-26T10:00:00Z")),
			...{ [relatedPath(1)]: { status: 503 }, [relatedPath(2)]: page(owner()) },
		});
		const ran = await world.purser("overview --json --html open.html");
		expect([ran.exit, ran.json().rows.map(({ trouble }: { trouble?: string }) => trouble === undefined)]).toEqual([0, [true, false]]);
		expect(ran.stderr).toContain("The persons of 1 company could not all be read");
		for (const told of ["The persons of 1 company could not all be read.", "At least 2 companies need something"])
			expect(world.text("open.html")).toContain(told);
	});

	test("a deployment without the list of related entities is not asked a thousand times", async () => {
		const many = Array.from({ length: 60 }, (_, number) => corporate(number, "NOT_STARTED", "2026-02-27T10:00:00Z"));
		const world = await worldAnswering({ [corporatesPath]: page(...many) });
		expect((await world.json("overview")).rows).toHaveLength(60);
		expect(world.requests.length).toBeLessThanOrEqual(1 + 8);
	});

	test.each<[string, number, Canned]>([
		["", 5, { status: 404 }],
		["", 4, { status: 403 }],
		["", 6, { status: 503 }],
		...["--every 0", "--unmasked", "--force", "--html -", '--html ""'].map((flags): [string, number, Canned] => [flags, 3, page()]),
	])("%s: exit %i where the list is %j", async (flags, exit, list) => {
		expect((await (await worldAnswering({ [corporatesPath]: list })).purser(`overview ${flags}`)).exit).toBe(exit);
	});

	test("--watch: in the place of the last, each with its own moment, until Ctrl-C (exit 130)", async () => {
		const world = await worldAnswering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-03-01T09:59:00Z")),
			[relatedPath(1)]: page(owner()),
		});
		const slept: number[] = [];
		const { sleep } = world.clock;
		world.clock.sleep = async (milliseconds) => {
			if (slept.length === 2) throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run it again." });
			slept.push(milliseconds);
			await sleep(milliseconds);
		};
		const ran = await world.purser("overview --watch --every 60", { terminal: true });
		expect([ran.exit, ran.stderr]).toEqual([130, expect.stringContaining("Stopped\n")]);
		expect(ran.stderr).not.toContain("Error:");
		// A tenth more or less, so that many who watch do not all look at once.
		expect(slept.map((pause) => Math.abs(pause - 60_000) <= 6_000)).toEqual([true, true]);
		const screens = ran.stdout.split("\u001b[H\u001b[2J");
		expect(screens).toHaveLength(3);
		for (const [at, screen] of screens.entries())
			expect(screen).toMatch(new RegExp(`\\n\\nUpdated \\d\\d:0${at}:\\d\\d [+-]\\d\\d:\\d\\d · every 60 s · Ctrl-C to stop\\n$`));
		slept.length = 0;
		const read = (await world.purser("overview --watch --every 60", { terminal: true, env: { ACCESSIBLE: "1" } })).stdout;
		expect([read.includes("\u001b"), read.match(/1 company needs something/g)?.length]).toEqual([false, 3]);
	});
});

const hostile = `<img src=x onerror=alert(1)>"'&\`</title>\u202e`;

describe("overview --html", () => {
	/** Three open companies: compliance asks, a KYC was declined, and one waits for compliance. */
	const threeCompanies = (): Promise<World> =>
		worldAnswering({
			[corporatesPath]: page(
				corporate(1, "PENDING_VERIFICATION", "2026-02-27T10:00:00Z", { corporateName: hostile }),
				corporate(2, "NEED_ADDITIONAL_INFORMATION", "2026-02-19T10:00:00Z", { kybStatusReason: "The passport of Ada Placeholder" }),
				corporate(3, "COMPLETING", "2026-02-26T10:00:00Z"),
			),
			...{ [relatedPath(1)]: page(owner()), [relatedPath(2)]: page(owner()) },
			[relatedPath(3)]: page(owner({ id: uuid(903), kycInfo: { status: "DECLINED", statusReason: "Not the face of Ada Placeholder" } })),
		});

	test("a masked page: the most urgent first, whom it waits for, since when, the next command, and no person", async () => {
		const world = await threeCompanies();
		const { html } = await world.json("overview --html open.html");
		const text = world.text("open.html");
		const sha256 = createHash("sha256").update(text).digest("hex");
		expect(html).toEqual({ path: "open.html", bytes: Buffer.byteLength(text), sha256 });
		await expect(linesOf(world.files.get("open.html") as Uint8Array)).toMatchFileSnapshot("../pages/goldens/overview.txt");
		for (const hidden of ["Ada", "Placeholder", "@example", "passport", "<img"]) expect(text).not.toContain(hidden);
	});

	test("--unmasked shows persons and reasons, and the page says so; the answer's own keys stay as they are", async () => {
		const world = await threeCompanies();
		const { html, ...answer } = await world.json("overview --html open.html --unmasked");
		const { at: _, ...plain } = await world.json("overview");
		expect(answer).toMatchObject(plain);
		for (const shown of ["This file shows personal data", "KYC of Ada Placeholder (in full)", "The passport of Ada Placeholder"])
			expect(world.text(html.path)).toContain(shown);
	});

	test("an earlier page is renewed; another file and a link are refused before anything is read", async () => {
		const world = await threeCompanies();
		for (const _ of [1, 2]) expect((await world.purser("overview --html open.html")).exit).toBe(0);
		world.put("letter.txt", "Dear Sir");
		world.links.add("link.html");
		world.requests.length = 0;
		const ran = await world.purser("overview --html letter.txt");
		expect([ran.exit, ran.stderr]).toEqual([10, expect.stringContaining("letter.txt exists and is not a page of purser")]);
		expect((await world.purser("overview --html link.html --force")).exit).toBe(10);
		expect([world.requests, world.text("letter.txt")]).toEqual([[], "Dear Sir"]);
		expect((await world.purser("overview --html letter.txt --force")).stdout).toMatch(/\n\nPage written to letter\.txt\n$/);
		expect(world.text("letter.txt")).toMatch(/^<!doctype html>/);
	});
});

describe("purser alone", () => {
	const wizard = { answers: ["yes", "Ada Example", "crm-1", "Example Bakery", "^C"] };

	test.each([
		["", {}],
		["", { terminal: true }],
		["", { answers: [], env: { CI: "1" } }],
		["", { answers: [], env: { PURSER_NO_INPUT: "1" } }],
		["--no-input", { answers: [] }],
		["", { answers: [], terminal: false }],
	])("in a script it is help, byte for byte, and asks the service nothing: %j %j", async (line, options) => {
		const world = await makeWorld();
		expect((await world.purser(line, options)).stdout).toBe((await world.purser("--help")).stdout);
		expect(world.requests).toEqual([]);
	});

	test("at a terminal: profile, drafts and companies with their next command; nothing is asked", async () => {
		const world = await sandboxOf(2);
		await world.purser("onboard start", wizard);
		const ran = await world.purser("", { answers: [], columns: 200 });
		expect([ran.exit, world.asked]).toEqual([0, []]);
		expect(ran.stdout).toMatch(/^Profile sandbox {2}sandbox {2}127\.0\.0\.1:4010\n/);
		expect(ran.stdout).toContain("Example Bakery: next: Country of registration\n    purser onboard resume example-bakery\n");
		expect(ran.stdout).toMatch(
			/Companies that wait for you\n {2}Example 0 SAS: KYB validated: KYB not requested yet; since 2026-01-01, 59 days\n {4}purser corporate review 'Example 0 SAS'\n/,
		);
	});

	test("a validated company that cannot pay comes before the others, one that lacks something last, and one that lacks nothing is left out", async () => {
		const company = (number: number, kybStatus: string, termsAccepted = true) =>
			corporate(number, kybStatus, "2026-02-20T10:00:00Z", { termsAccepted });
		const unverified = { phone: { countryCode: "33", number: "639980001" }, phoneVerified: false };
		const world = await worldAnswering({
			[corporatesPath]: page(
				...[company(1, "NOT_STARTED"), company(2, "VALIDATED", false), company(3, "VALIDATED"), company(4, "VALIDATED")],
				...[company(5, "VALIDATED"), company(6, "DECLINED", false), company(7, "VALIDATED")],
			),
			...Object.fromEntries([1, 2, 4, 6].map((number) => [relatedPath(number), page(owner())])),
			[relatedPath(3)]: page(owner(unverified)),
			[relatedPath(5)]: page(owner({ email: { verified: false } })),
			[relatedPath(7)]: page(owner({ kycInfo: { status: "DECLINED" } })),
		});
		const { stdout } = await world.purser("home", { columns: 200 });
		const lines = stdout.split("\n").flatMap((line) => /^ {2}(Example \d SAS: .*)$/.exec(line)?.[1]?.replace(/; since.*/, "") ?? []);
		expect(lines).toEqual([
			"Example 2 SAS: terms not accepted, no payments until then",
			"Example 1 SAS: KYB validated: KYB not requested yet",
			"Example 5 SAS: Email of Ada Placeholder verified",
			"Example 7 SAS: KYC of Ada Placeholder (in full): declined",
			"Example 3 SAS: optional, Phone of Ada Placeholder verified",
		]);
		const { rows, counts } = await world.json("overview");
		expect(rows.map(({ name }: { name: string }) => name)).toEqual([2, 1, 5, 7, 3].map((number) => `Example ${number} SAS`));
		expect(counts).toMatchObject({ "to do": 3, declined: 1, optional: 1, complete: 0 });
	});

	test("fourteen requests at most, whatever is open, and what was not looked at is told", async () => {
		const world = await sandboxOf(60);
		const { stdout } = await world.purser("", { answers: [], columns: 200 });
		expect(world.requests.length).toBeLessThanOrEqual(14);
		expect(stdout).toContain("12 of 61 companies were checked, those that cannot pay first: purser overview");
		expect(stdout.match(/purser corporate review/g)).toHaveLength(5);
	});

	test("the service is down: what this machine knows is there, and what was not looked at is told", async () => {
		const world = await sandboxOf(1);
		await world.purser("onboard start", wizard);
		world.wire = async () => ({ kind: "not-sent", reason: "the connection was refused" });
		const ran = await world.purser("", { answers: [] });
		expect([ran.exit, ran.stdout]).toEqual([0, expect.stringMatching(/purser onboard resume example-bakery[\s\S]*Not checked:/)]);
		expect(ran.stdout).toContain("Not checked: companies that wait for you\n  List corporates: could not connect to");
	});

	test("a live profile says LIVE, and a doubt is listed with what settles it", async () => {
		const world = await batchWorld();
		world.wire = async () => lostAnswer;
		await world.pay("11", "Rent");
		expect((await world.purser("home")).stdout).toMatch(/In doubt\n {2}Intent 1: 11\.00 .*\n {4}purser pay settle 1\n/);
		expect(await world.json("home")).toMatchObject({ profile: { environment: "sandbox" }, doubts: [{ intent: "1" }] });
		await world.end();
		const live = await makeWorld({ profile: { environment: "live", baseUrl: "https://api.example.com" } });
		expect((await live.purser("home")).stdout).toMatch(/^Profile sandbox {2}LIVE {2}api\.example\.com\n/);
	});
});
