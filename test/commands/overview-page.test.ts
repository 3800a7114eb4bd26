import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { overviewOf, type ReachedOverview } from "../../src/onboarding/checklist/overview.js";
import { overviewPage } from "../../src/onboarding/checklist/overview-page.js";
import { pageBytes } from "../../src/pages/page.js";
import { linesOf } from "../pages/lines.js";
import { uuid } from "../support/companies.js";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const hostile = `<img src=x onerror=alert(1)>"'&\`</title>\u202e`;
const page = (...content: object[]) => ({ body: { content, totalElements: content.length } });
const company = (number: number, kybStatus: string, updateDate: string, more: object = {}) => ({
	id: uuid(number),
	externalId: `crm-${number}`,
	corporateName: `Example ${number} SAS`,
	termsAccepted: true,
	kybStatus,
	updateDate,
	...more,
});
const person = (number: number, more: object = {}) => ({
	id: uuid(number),
	firstName: "Ada",
	lastName: "Placeholder",
	isDirector: true,
	isAccountOwner: true,
	isUbo: true,
	directSharesPercentage: 100,
	email: { address: "ada@example.com", verified: true },
	kycInfo: { status: "VALIDATED" },
	...more,
});

/** Three open companies: compliance asks, a KYC was declined, and one waits for compliance. */
async function threeCompanies(): Promise<World> {
	const world = await makeWorld();
	world.wire = answering({
		"GET /api/partner/corporates": page(
			company(1, "PENDING_VERIFICATION", "2026-02-27T10:00:00Z", { corporateName: hostile }),
			company(2, "NEED_ADDITIONAL_INFORMATION", "2026-02-19T10:00:00Z", {
				kybStatusReason: "The passport of Ada Placeholder",
			}),
			company(3, "COMPLETING", "2026-02-26T10:00:00Z"),
		),
		[`GET /api/partner/corporates/${uuid(1)}/related`]: page(person(901)),
		[`GET /api/partner/corporates/${uuid(2)}/related`]: page(person(902)),
		[`GET /api/partner/corporates/${uuid(3)}/related`]: page(
			person(903, { kycInfo: { status: "DECLINED", statusReason: "Not the face of Ada Placeholder" } }),
		),
	});
	return world;
}

const read = (world: World, path: string): string => new TextDecoder().decode(world.files.get(path));
describe("overview --html", () => {
	test("a masked page: the most urgent first, whom it waits for, since when, the next command, and no person", async () => {
		const world = await threeCompanies();
		const ran = await world.purser(["overview", "--html", "open.html", "--json"]);
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
		await world.purser(["overview", "--html", "open.html"]);
		expect((await world.purser(["overview", "--html", "open.html"])).exit).toBe(0);
		world.files.set("letter.txt", new TextEncoder().encode("Dear Sir"));
		world.requests.length = 0;
		const ran = await world.purser(["overview", "--html", "letter.txt"]);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain("letter.txt exists and is not a page of purser; it was left as it is");
		world.links.add("link.html");
		expect((await world.purser(["overview", "--html", "link.html", "--force"])).exit).toBe(10);
		expect(world.requests).toEqual([]);
		expect(read(world, "letter.txt")).toBe("Dear Sir");
		const forced = await world.purser(["overview", "--html", "letter.txt", "--force"]);
		expect(forced.stdout).toMatch(/\n\nPage written to letter\.txt\n$/);
		expect(read(world, "letter.txt")).toMatch(/^<!doctype html>/);
	});

	test("its other flags without a file are refused", async () => {
		const world = await makeWorld();
		for (const argv of [["--unmasked"], ["--force"], ["--html", "-"]]) expect((await world.purser(["overview", ...argv])).exit).toBe(3);
	});

	test("what was read in part is said on the page", async () => {
		const world = await makeWorld();
		world.wire = answering({
			"GET /api/partner/corporates": page(company(1, "NOT_STARTED", "2026-02-27T10:00:00Z")),
			[`GET /api/partner/corporates/${uuid(1)}/related`]: { status: 503 },
		});
		await world.purser(["overview", "--html", "open.html"]);
		expect(read(world, "open.html")).toContain("The persons of 1 company could not all be read; their rows say so.");
		expect(read(world, "open.html")).toContain("1 or more open company");
		world.wire = answering({ "GET /api/partner/corporates": page() });
		await world.purser(["overview", "--html", "open.html"]);
		expect(read(world, "open.html")).toContain("No open companies.");
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
	const overview: ReachedOverview = {
		...overviewOf(rows, new Date("2026-03-01T10:00:00Z")),
		complete: false,
		notChecked: 5,
		stoppedAfter: "600 seconds",
	};
	const looks = { masked: rows.map(({ blocker }) => blocker), of: "acme (live)", madeBy: "purser 0.1.0", shown: () => "purser overview" };
	const bytes = pageBytes(overviewPage(overview, looks), 2_000);
	expect(bytes.length).toBeLessThanOrEqual(1_048_576);
	expect(pageBytes(overviewPage(overview, looks), 2_000)).toEqual(bytes);
	const text = new TextDecoder().decode(bytes);
	expect(text).toMatch(/The first (2 000|1 000) of 20 000\. All of them: purser overview/);
	expect(text).toContain("Reading stopped after 600 seconds: 20000 companies were listed and 5 of them not checked. There may be more.");
});
