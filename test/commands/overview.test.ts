import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { CompaniesRead } from "../../src/onboarding/checklist/overview.js";
import { overviewPage } from "../../src/onboarding/checklist/text.js";
import { pageBytes } from "../../src/pages/page.js";
import type { WireRequest } from "../../src/ports/wire.js";
import { linesOf } from "../pages/lines.js";
import { addCompanies, uuid } from "../support/companies.js";
import { makeWorld, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";
import { answering, page, worldAnswering } from "./answers.js";

const corporatesPath = "GET /api/partner/corporates";
const relatedPath = (number: number) => `GET /api/partner/corporates/${uuid(number)}/related`;
const corporate = (number: number, kybStatus: string, updateDate: string, more: object = {}) => ({
	id: uuid(number),
	corporateName: `Example ${number} SAS`,
	termsAccepted: true,
	kybStatus,
	updateDate,
	...more,
});
const validated = {
	id: uuid(900),
	firstName: "Ada",
	lastName: "Placeholder",
	isDirector: true,
	isAccountOwner: true,
	isUbo: true,
	directSharesPercentage: 100,
	email: { address: "ada@example.com", verified: true },
	kycInfo: { status: "VALIDATED" },
};

const read = (world: World, path: string): string => new TextDecoder().decode(world.files.get(path));

/** A sandbox with so many corporates under way; the first of them is the oldest. */
async function sandboxOf(count: number): Promise<World> {
	const world = await makeWorld();
	addCompanies(world, count, {
		kyb: (number) => ({ status: number % 2 === 0 ? "NOT_STARTED" : "NEED_ADDITIONAL_INFORMATION" }),
		owner: { isDirector: true },
		kyc: { status: "NOT_STARTED", type: "FULL_KYC" },
	});
	return world;
}

describe("overview", () => {
	test("240 corporates: at most pages + open cases requests, at most eight at once, progress shown, the most urgent first", async () => {
		const world = await sandboxOf(240);
		let under = 0;
		let most = 0;
		world.wire = async (request: WireRequest) => {
			under += 1;
			most = Math.max(most, under);
			const answer = await sandboxAnswer(world, request);
			under -= 1;
			return delivered(answer);
		};
		const ran = await world.purser("overview --json");
		expect(ran.exit).toBe(0);
		const { rows, counts } = ran.json();
		expect(rows).toHaveLength(240);
		expect(rows.slice(0, 3).map(({ corporateId }: { corporateId: string }) => corporateId)).toEqual([uuid(1), uuid(3), uuid(5)]);
		expect([rows[119], rows[120], rows[121]].map(({ corporateId }) => corporateId)).toEqual([uuid(239), uuid(0), uuid(2)]);
		expect(counts).toEqual({ "to do": 240, declined: 0, waiting: 0, blocked: 0, unknown: 0, optional: 0, complete: 0 });
		// Three pages of a hundred, one a company, and the validated one of the sandbox.
		expect(world.requests.length).toBeLessThanOrEqual(3 + 241);
		expect(most).toBeLessThanOrEqual(8);
		expect(most).toBeGreaterThan(1);
		expect((await world.purser("overview")).stderr).toContain("Reading 241 companies …");
	});

	test("as a table: whose turn, what, since when; what to type next; narrow terminals too", async () => {
		const world = await worldAnswering({
			[corporatesPath]: page(
				corporate(1, "PENDING_VERIFICATION", "2026-02-27T10:00:00Z"),
				corporate(2, "NEED_ADDITIONAL_INFORMATION", "2026-02-19T10:00:00Z", { corporateName: "Mal\u001b[2J\nory" }),
				corporate(3, "VALIDATED", "2026-01-01T10:00:00Z"),
			),
			[relatedPath(1)]: page(validated),
			[relatedPath(2)]: page(validated),
		});
		const ran = await world.purser("overview", { columns: 140 });
		expect(ran.exit).toBe(0);
		expect(ran.stdout.split("\n")).toEqual([
			"2 companies need something: 1 to do, 1 waiting",
			"",
			"id                                    name           KYB                          waiting on       still needed   since",
			`${uuid(2)}  Mal␛[2J␊ory    NEED_ADDITIONAL_INFORMATION  you              KYB validated  2026-02-19, 10 days`,
			`${uuid(1)}  Example 1 SAS  PENDING_VERIFICATION         compliance team  KYB validated  2026-02-27, 2 days`,
			"",
		]);
		expect(ran.stderr).toContain(`Next: purser corporate status ${uuid(2)}\n      purser corporate status 'Example 1 SAS'\n`);
		const narrow = await world.purser("overview", { columns: 50 });
		expect(narrow.stdout.split("\n").every((line) => line.length <= 50)).toBe(true);
		expect(narrow.stdout).toContain(uuid(2));
	});

	test("one corporate that cannot be read does not hide the others, and a page says so too", async () => {
		const world = await worldAnswering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-02-27T10:00:00Z"), corporate(2, "NOT_STARTED", "2026-02-26T10:00:00Z")),
			[relatedPath(1)]: { status: 503 },
			[relatedPath(2)]: page(validated),
		});
		const ran = await world.purser("overview --json --html open.html");
		expect(ran.exit).toBe(0);
		expect(ran.json().rows.map(({ trouble }: { trouble?: string }) => trouble === undefined)).toEqual([true, false]);
		expect(ran.stderr).toContain("The persons of 1 company could not all be read");
		for (const told of ["The persons of 1 company could not all be read.", "At least 2 companies need something"])
			expect(read(world, "open.html")).toContain(told);
	});

	test("a deployment without the list of related entities is not asked a thousand times", async () => {
		const world = await makeWorld();
		const many = Array.from({ length: 60 }, (_, number) => corporate(number, "NOT_STARTED", "2026-02-27T10:00:00Z"));
		world.wire = answering({ [corporatesPath]: page(...many) });
		const ran = await world.purser("overview --json");
		expect(ran.json().rows).toHaveLength(60);
		expect(world.requests.length).toBeLessThanOrEqual(1 + 8);
	});

	test.each([
		["no list", 404, 5],
		["no right", 403, 4],
		["no answer", 503, 6],
	])("%s (%i): exit %i", async (_, status, exit) => {
		expect((await (await worldAnswering({ [corporatesPath]: { status } })).purser("overview")).exit).toBe(exit);
	});

	test.each([["--every", "0"], ["--unmasked"], ["--force"], ["--html", "-"], ["--html", ""]])(
		"%s %s is refused: exit 3",
		async (...flags) => {
			const ran = await (await makeWorld()).purser(["overview", ...flags]);
			expect(ran.exit).toBe(3);
			if (flags[1] === "") expect(ran.stderr).toContain("--html is empty; a path is needed");
		},
	);

	test("--watch: in the place of the last, each with its own moment, until Ctrl-C (exit 130)", async () => {
		const world = await worldAnswering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-03-01T09:59:00Z")),
			[relatedPath(1)]: page(validated),
		});
		const slept: number[] = [];
		const { sleep } = world.clock;
		world.clock.sleep = async (milliseconds) => {
			if (slept.length === 2) throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run it again." });
			slept.push(milliseconds);
			await sleep(milliseconds);
		};
		const argv = ["overview", "--watch", "--every", "60"];
		const ran = await world.purser(argv, { terminal: true });
		expect(ran.exit).toBe(130);
		expect(ran.stderr).toContain("Stopped\n");
		expect(ran.stderr).not.toContain("Error:");
		// A tenth more or less, so that many who watch do not all look at once.
		expect(slept.map((pause) => Math.abs(pause - 60_000) <= 6_000)).toEqual([true, true]);
		const screens = ran.stdout.split("\u001b[H\u001b[2J");
		expect(screens).toHaveLength(3);
		for (const [at, screen] of screens.entries())
			expect(screen).toMatch(new RegExp(`\\n\\nUpdated \\d\\d:0${at}:\\d\\d [+-]\\d\\d:\\d\\d · every 60 s · Ctrl-C to stop\\n$`));
		slept.length = 0;
		const read = await world.purser(argv, { terminal: true, env: { ACCESSIBLE: "1" } });
		expect(read.stdout).not.toContain("\u001b");
		expect(read.stdout.match(/1 company needs something/g)).toHaveLength(3);
	});
});

const hostile = `<img src=x onerror=alert(1)>"'&\`</title>\u202e`;

/** Three open companies: compliance asks, a KYC was declined, and one waits for compliance. */
function threeCompanies(): Promise<World> {
	return worldAnswering({
		[corporatesPath]: page(
			corporate(1, "PENDING_VERIFICATION", "2026-02-27T10:00:00Z", { corporateName: hostile }),
			corporate(2, "NEED_ADDITIONAL_INFORMATION", "2026-02-19T10:00:00Z", { kybStatusReason: "The passport of Ada Placeholder" }),
			corporate(3, "COMPLETING", "2026-02-26T10:00:00Z"),
		),
		[relatedPath(1)]: page(validated),
		[relatedPath(2)]: page(validated),
		[relatedPath(3)]: page({
			...validated,
			id: uuid(903),
			kycInfo: { status: "DECLINED", statusReason: "Not the face of Ada Placeholder" },
		}),
	});
}

describe("overview --html", () => {
	test("a masked page: the most urgent first, whom it waits for, since when, the next command, and no person", async () => {
		const world = await threeCompanies();
		const ran = await world.purser("overview --html open.html --json");
		expect(ran.exit).toBe(0);
		const html = read(world, "open.html");
		expect(ran.json().html).toEqual({
			path: "open.html",
			bytes: Buffer.byteLength(html),
			sha256: createHash("sha256").update(html).digest("hex"),
		});
		await expect(linesOf(world.files.get("open.html") as Uint8Array)).toMatchFileSnapshot("../pages/goldens/overview.txt");
		for (const hidden of ["Ada", "Placeholder", "@example", "passport", "<img"]) expect(html).not.toContain(hidden);
	});

	test("--unmasked shows persons and reasons, and the page says so; the answer's own keys stay as they are", async () => {
		const world = await threeCompanies();
		const argv = ["overview", "--json"];
		const { html, ...answer } = (await world.purser([...argv, "--html", "open.html", "--unmasked"])).json();
		const { at: _, ...plain } = (await world.purser(argv)).json();
		expect(answer).toMatchObject(plain);
		expect(Object.keys(html)).toEqual(["path", "bytes", "sha256"]);
		const text = read(world, "open.html");
		for (const shown of ["This file shows personal data", "KYC of Ada Placeholder (in full)", "The passport of Ada Placeholder"])
			expect(text).toContain(shown);
	});

	test("an earlier page is renewed; another file and a link are refused before anything is read", async () => {
		const world = await threeCompanies();
		await world.purser("overview --html open.html");
		expect((await world.purser("overview --html open.html")).exit).toBe(0);
		world.files.set("letter.txt", new TextEncoder().encode("Dear Sir"));
		world.requests.length = 0;
		const ran = await world.purser("overview --html letter.txt");
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain("letter.txt exists and is not a page of purser; it was left as it is");
		world.links.add("link.html");
		expect((await world.purser("overview --html link.html --force")).exit).toBe(10);
		expect(world.requests).toEqual([]);
		expect(read(world, "letter.txt")).toBe("Dear Sir");
		const forced = await world.purser("overview --html letter.txt --force");
		expect(forced.stdout).toMatch(/\n\nPage written to letter\.txt\n$/);
		expect(read(world, "letter.txt")).toMatch(/^<!doctype html>/);
	});
});

test("20 000 companies: the first of them, at most a megabyte, with how many there are; the same bytes twice", () => {
	const rows = Array.from({ length: 20_000 }, (_, number) => ({
		corporateId: uuid(number),
		name: `Example ${hostile} ${number}`,
		kybStatus: "NOT_STARTED",
		since: "2026-02-19T10:00:00Z",
		open: 3,
		blocker: { step: "kyb", state: "to do", label: "KYB validated", why: "KYB not requested yet" } as const,
	}));
	const overview: CompaniesRead = {
		...{ at: "2026-03-01T10:00:00.000Z", rows },
		counts: { "to do": rows.length, declined: 0, waiting: 0, blocked: 0, unknown: 0, optional: 0, complete: 0 },
		complete: false,
		notChecked: 5,
		stoppedAfter: "600 seconds",
		listed: 20_000,
		whole: false,
		troubles: [],
	};
	const looks = { masked: true, of: "acme (live)", madeBy: "purser 0.1.0", shown: () => "purser overview" };
	const bytes = pageBytes(overviewPage(overview, looks), 2_000);
	expect(bytes.length).toBeLessThanOrEqual(1_048_576);
	expect(pageBytes(overviewPage(overview, looks), 2_000)).toEqual(bytes);
	const text = new TextDecoder().decode(bytes);
	expect(text).toMatch(/The first (2 000|1 000) of 20 000\. All of them: purser overview/);
	expect(text).toContain("Stopped after 600 seconds: 20000 companies listed, and 5 of them were not checked; there may be more.");
});
