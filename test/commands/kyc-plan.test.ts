import { describe, expect, test } from "vitest";
import type { WireOutcome } from "../../src/ports/wire.js";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ids = {
	ada: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80",
	grace: "1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f",
	noa: "2d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f",
};
const listPath = `GET /api/partner/corporates/${corporate}/related`;
const linkPath = "POST /api/partner/kyc";
const ada = (more: object = {}) => ({
	id: ids.ada,
	firstName: "Ada",
	lastName: "Example",
	isDirector: true,
	isAccountOwner: true,
	...more,
});
const grace = (more: object = {}) => ({ id: ids.grace, firstName: "Grace", lastName: "Sample", isDirector: true, ...more });
const noa = (more: object = {}) => ({ id: ids.noa, firstName: "Noa", lastName: "Test", ...more });
const kyc = (status: string, type?: string, statusReason?: string) => ({ kycInfo: { status, type, statusReason } });
const page = (...content: object[]) => ({ body: { content, totalElements: content.length } });

async function planOf(...records: object[]) {
	const world = await makeWorld();
	world.wire = answering({ [listPath]: page(...records) });
	return { world, ran: await world.purser(["kyc", "plan", corporate, "--json"]) };
}
const needs = (plan: { people: { name: string; need: string; state: string }[] }) =>
	plan.people.map(({ name, need, state }) => `${name.split(" ")[0]} ${need} ${state}`);

describe("kyc plan: who needs what (specification 4, rule 5)", () => {
	test("one director in full, the account owner first; the others documents; who is neither none", async () => {
		const { ran } = await planOf(grace(), noa(), ada());
		expect(needs(ran.json())).toEqual(["Ada full to do", "Grace documents to do", "Noa none not needed"]);
		expect(ran.json().warnings).toEqual([]);
	});

	test("what the service has decided stands", async () => {
		const { ran } = await planOf(ada(kyc("VALIDATED", "DOC_ONLY")), grace(kyc("CREATED", "FULL_KYC")), noa(kyc("PROCESSING", "DOC_ONLY")));
		expect(needs(ran.json())).toEqual(["Grace full link given", "Ada documents done", "Noa documents under way"]);
	});

	test("a status that nobody knows is under way: nothing is asked for anew", async () => {
		const { world, ran } = await planOf(ada(kyc("ON_HOLD", "FULL_KYC")));
		expect(needs(ran.json())).toEqual(["Ada full under way"]);
		expect(ran.json().people[0].command).toBe(`purser kyc status ${ids.ada} --wait`);
		expect((await world.purser(["kyc", "link", "--all", "--corporate-id", corporate, "--json"])).json().links).toEqual([]);
		expect(posts(world)).toEqual([]);
	});

	test("no director in full is warned of, and no director at all", async () => {
		expect((await planOf(ada(kyc("NOT_STARTED", "DOC_ONLY")))).ran.json().warnings[0]).toContain("No director is planned for the full KYC");
		expect((await planOf(noa())).ran.json().warnings[0]).toContain("No director is declared");
	});

	test("who holds the threshold through layers needs one, marked or not", async () => {
		const holding = { id: "5d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f", corporateName: "Example Holding BV", directSharesPercentage: 50 };
		const { ran } = await planOf(ada(), holding, noa({ shares: [{ ownedCorporate: "Example Holding BV", directSharesPercentage: 50 }] }));
		expect(needs(ran.json())).toEqual(["Ada full to do", "Noa documents to do"]);
		expect(ran.json().people[1].because).toEqual(["holds an effective 25 %"]);
		expect(ran.json().warnings).toEqual(["Noa Test holds an effective 25 % and is not marked as a UBO"]);
	});

	test("shares that cannot be read are told: who holds them may need a KYC that is not planned", async () => {
		const { ran } = await planOf(ada(), noa({ directSharesPercentage: "30,5" }));
		expect(ran.json().warnings).toEqual([`Shares of Noa Test in ${corporate} (30,5) are not counted: that is no percentage from 0 to 100`]);
	});

	test("a UBO of whom the service asks nothing is told", async () => {
		const { ran } = await planOf(ada(), noa({ isUbo: true, ...kyc("NOT_STARTED", "NOT_REQUIRED") }));
		expect(needs(ran.json())).toEqual(["Ada full to do", "Noa none not needed"]);
		expect(ran.json().warnings).toEqual(["The service requires no KYC of Noa Test (UBO), although every UBO and director needs one"]);
	});

	test("as a table, with hostile words made harmless, and what to type", async () => {
		const { world } = await planOf(ada(kyc("DECLINED", "FULL_KYC", "Blurred\u001b[2J")), grace());
		const ran = await world.purser(["kyc", "plan", corporate], { columns: 60 });
		expect(ran.stdout).toContain("declined");
		expect(ran.stdout).not.toContain("\u001b");
		expect(ran.stderr).toBe(`Next: purser kyc link --all --corporate-id ${corporate}\n`);
		const done = await planOf(ada(kyc("VALIDATED", "FULL_KYC")));
		expect((await done.world.purser(["kyc", "plan", corporate])).stderr).toBe(`Next: purser kyb status ${corporate}\n`);
	});

	test("exit codes: no such corporate 5, no answer 6, no id 2", async () => {
		const world = await makeWorld();
		world.wire = answering({});
		expect((await world.purser(["kyc", "plan", corporate])).exit).toBe(5);
		world.wire = answering({ [listPath]: { status: 503 } });
		expect((await world.purser(["kyc", "plan", corporate])).exit).toBe(6);
		expect((await world.purser(["kyc", "plan"])).exit).toBe(2);
	});
});

// ── kyc link --all ──────────────────────────────────────────────────────────────────────────────────────────────

const link = (name: string) => ({ body: { id: ids.noa, url: `https://kyc.example.com/s/${name}`, ttl: "PT720H" } });
const all = ["kyc", "link", "--all", "--corporate-id", corporate];
const posts = (world: World) =>
	world.requests.filter(({ line }) => line === linkPath).map(({ body }) => JSON.parse(body).relatedPhysicalPersonId);

test("kyc status --watch tells a program each warning when it happens, and not again with the error that ends it", async () => {
	const world = await makeWorld();
	const away = [{ status: 503 }, { status: 503 }, { status: 503 }];
	world.wire = answering({
		[`GET /api/partner/corporates/related/${ids.ada}`]: [
			{ body: ada(kyc("CREATED")) },
			...away,
			{ body: ada(kyc("CREATED")) },
			{ status: 404 },
		],
	});
	const ran = await world.purser(["kyc", "status", ids.ada, "--watch", "--output", "ndjson"]);
	const lines = ran.stderr
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(lines).toEqual([
		{ warning: { message: expect.stringContaining("trying again") } },
		{ error: expect.not.objectContaining({ warnings: expect.anything() }) },
	]);
});

describe("kyc status --all", () => {
	test("of whom nobody is known nothing is decided: exit 8, not 0", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(noa()) });
		const argv = ["kyc", "status", "--all", "--corporate-id", corporate];
		const waited = await world.purser([...argv, "--wait", "--wait-timeout", "5", "--json"]);
		expect([waited.exit, waited.json()]).toEqual([8, { corporateId: corporate, partial: true, people: [] }]);
		const { stderr } = await world.purser(argv);
		expect(stderr).toContain("Nobody who is declared needs a KYC, and at least one director has to do one");
		expect(stderr).toContain(`Next: purser related list ${corporate}\n`);
	});
});

describe("kyc link --all", () => {
	test("links for those who miss one, and as a table for a mail merge that no spreadsheet executes", async () => {
		const world = await makeWorld();
		const hostile = grace({ firstName: '=HYPERLINK("https://example.com")', emailAddress: "grace@example.com" });
		world.wire = answering({ [listPath]: page(ada(), hostile, noa()), [linkPath]: [link("one"), link("two")] });
		const ran = await world.purser([...all, "-o", "csv"]);
		expect(ran.exit).toBe(0);
		expect(posts(world)).toEqual([ids.ada, ids.grace]);
		expect(ran.stdout).toContain("https://kyc.example.com/s/one");
		expect(ran.stdout).toContain(`"'=HYPERLINK(""https://example.com"") Sample"`);
	});

	test("an answer without a link is in doubt, has no end of validity, and stops the run", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada(), grace(), noa()), [linkPath]: [link("one"), { status: 204 }] });
		const ran = await world.purser([...all, "--json"]);
		expect(ran.exit).toBe(7);
		expect(ran.json().links).toMatchObject([
			{ relatedPhysicalPersonId: ids.ada, state: "obtained", url: "https://kyc.example.com/s/one" },
			{ relatedPhysicalPersonId: ids.grace, state: "in doubt", error: { code: "LINK_MISSING", kind: "unknown" } },
		]);
		expect(ran.json().links[1]).not.toHaveProperty("expiresAt");
		expect(posts(world)).toEqual([ids.ada, ids.grace]);
	});

	test("never twice while a link is valid, as the service says", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada(kyc("CREATED", "FULL_KYC")), grace(kyc("PROCESSING"))), [linkPath]: link("x") });
		const ran = await world.purser(all);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(/^0 KYC links obtained, 1 still valid from before\n/);
		expect(posts(world)).toEqual([]);
	});

	test("never twice, as the journal knows where the service does not; after 30 days, or with --again, anew", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada()), [linkPath]: link("x") });
		await world.purser(all);
		const again = await world.purser([...all, "--json"]);
		expect(again.json().links).toEqual([
			{ relatedPhysicalPersonId: ids.ada, name: "Ada Example", need: "full", state: "valid", expiresAt: "2026-03-31T10:00:00.000Z" },
		]);
		expect(posts(world)).toHaveLength(1);
		await world.purser([...all, "--again"]);
		expect(posts(world)).toHaveLength(2);
		world.clock.advance(720 * 3_600_000);
		await world.purser(all);
		expect(posts(world)).toHaveLength(3);
	});

	test("a declined KYC needs a new link whatever was there before", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: [page(ada()), page(ada(kyc("DECLINED")))], [linkPath]: link("x") });
		await world.purser(all);
		await world.purser(all);
		expect(posts(world)).toHaveLength(2);
	});

	test("QR codes for a terminal that is wide enough, and a word where it is not", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada()), [linkPath]: link("x") });
		const wide = await world.purser([...all, "--qr"]);
		// The position mark of the upper left corner: 7 by 7 modules, its dark ring and its dark heart.
		expect(wide.stdout).toContain("\n██ ▄▄▄▄▄ █");
		expect(wide.stdout).toContain("\n██ █   █ █");
		expect(wide.stdout).toContain("\n██ █▄▄▄█ █");
		const narrow = await world.purser([...all, "--qr", "--again"], { columns: 24 });
		expect(narrow.stdout).toContain("(the QR code does not fit into this terminal)");
		expect(narrow.stdout).not.toContain("▄");
	});

	test("a refusal stops nobody else: exit 9; alone: exit 5", async () => {
		const world = await makeWorld();
		const refused = { status: 400, body: { errorCode: "PERSON_ID_REQUIRED", message: "no" } };
		world.wire = answering({ [listPath]: page(ada(), grace()), [linkPath]: [refused, link("two")] });
		const ran = await world.purser(all);
		expect(ran.exit).toBe(9);
		expect(ran.stdout).toMatch(/^1 KYC link obtained, 1 refused\n/);
		world.wire = answering({ [listPath]: page(noa({ isDirector: true })), [linkPath]: refused });
		expect((await world.purser(all)).exit).toBe(5);
	});

	test("a lost reply is a doubt: exit 7, the rest is not asked for, and the links got so far are told", async () => {
		const world = await makeWorld();
		const canned = answering({ [listPath]: page(ada(), grace(), noa({ isUbo: true })), [linkPath]: link("one") });
		let asked = 0;
		world.wire = async (request): Promise<WireOutcome> =>
			request.method === "POST" && ++asked === 2 ? { kind: "sent", reason: "the connection was reset" } : canned(request);
		const ran = await world.purser([...all, "--json"]);
		expect(ran.exit).toBe(7);
		expect(ran.json().links.map(({ state }: { state: string }) => state)).toEqual(["obtained", "in doubt", "not sent"]);
		expect(posts(world)).toHaveLength(2);
		// Nobody has the link whose answer was lost, so it is no valid one.
		world.wire = canned;
		const again = await world.purser([...all, "--json"]);
		expect(again.json().links.map(({ state }: { state: string }) => state)).toEqual(["valid", "obtained", "obtained"]);
	});

	test("persons of a list that was cut are not all: exit 9, also where those who were listed have their links", async () => {
		const world = await makeWorld();
		const cut = { body: { content: [ada()], totalElements: 3 } };
		world.wire = answering({ [listPath]: cut, [linkPath]: link("one") });
		const ran = await world.purser([...all, "--json"]);
		expect([ran.exit, ran.json()]).toEqual([
			9,
			expect.objectContaining({ partial: true, links: [expect.objectContaining({ state: "obtained" })] }),
		]);
	});

	test("no right to it: exit 4, told at once", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada(), grace()), [linkPath]: { status: 403 } });
		const ran = await world.purser(all);
		expect(ran.exit).toBe(4);
		expect(posts(world)).toHaveLength(1);
	});

	test("a dry run shows each request and sends none", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada(), grace()), [linkPath]: link("x") });
		const ran = await world.purser([...all, "--dry-run", "--json"]);
		expect(ran.json().requests).toHaveLength(2);
		world.wire = answering({ [listPath]: page(ada(kyc("CREATED"))) });
		await world.purser([...all, "--dry-run"]);
		expect(posts(world)).toEqual([]);
	});

	test.each([
		["neither a person nor --all", ["kyc", "link"], 2],
		["--all without a corporate", ["kyc", "link", "--all"], 2],
		["both", [...all, ids.ada], 3],
		["--again for one", ["kyc", "link", ids.ada, "--again"], 3],
	])("%s: nothing is sent", async (_, argv, exit) => {
		const world = await makeWorld();
		expect((await world.purser(argv)).exit).toBe(exit);
		expect(world.requests).toEqual([]);
	});
});

describe("kyc status --watch", () => {
	const path = `GET /api/partner/corporates/related/${ids.ada}`;

	test("each answer in the place of the last, until it is final", async () => {
		const world = await makeWorld();
		world.wire = answering({
			[path]: [
				{ body: ada(kyc("CREATED")) },
				{ status: 503 },
				{ status: 503 },
				{ status: 503 },
				{ status: 503 },
				{ body: ada(kyc("VALIDATED")) },
			],
		});
		const ran = await world.purser(["kyc", "status", ids.ada, "--watch"], { terminal: true });
		expect(ran.exit).toBe(0);
		expect(ran.stdout.split("\u001b[H\u001b[2J").map((text) => /KYC +(\w+)/.exec(text)?.[1])).toEqual(["CREATED", "VALIDATED"]);
	});

	test("where there is no place, or none is wanted, they follow each other; a declined one is exit 5", async () => {
		const world = await makeWorld();
		world.wire = answering({ [path]: [{ body: ada(kyc("CREATED")) }, { body: ada(kyc("DECLINED")) }] });
		const ran = await world.purser(["kyc", "status", ids.ada, "--watch", "--output", "ndjson"]);
		expect(ran.exit).toBe(5);
		expect(
			ran.stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line).kycInfo.status),
		).toEqual(["CREATED", "DECLINED"]);
	});
});

describe("kyc status --all", () => {
	const status = ["kyc", "status", "--all", "--corporate-id", corporate];

	test("everybody who needs one, with exit 5 where somebody was declined", async () => {
		const world = await makeWorld();
		world.wire = answering({ [listPath]: page(ada(kyc("VALIDATED", "FULL_KYC")), grace(kyc("DECLINED", "DOC_ONLY", "Blurred")), noa()) });
		const ran = await world.purser(status);
		expect(ran.exit).toBe(5);
		expect(ran.stdout).toMatch(/^1 of 2 KYCs validated\n/);
		expect(ran.stdout).toContain("Blurred");
		expect(ran.stdout).not.toContain("Noa");
		expect((await world.purser([...status, "--json"])).json()).toMatchObject({
			corporateId: corporate,
			people: [{ name: "Ada Example" }, {}],
		});
	});

	test("--wait waits for the last one, --watch shows each look until all are decided", async () => {
		const world = await makeWorld();
		const looks = [page(ada(kyc("CREATED")), grace(kyc("CREATED"))), page(ada(kyc("VALIDATED")), grace(kyc("PROCESSING")))];
		world.wire = answering({ [listPath]: looks });
		const waited = await world.purser([...status, "--wait", "--wait-timeout", "5"]);
		expect(waited.exit).toBe(8);
		world.wire = answering({ [listPath]: [...looks, page(ada(kyc("VALIDATED")), grace(kyc("VALIDATED")))] });
		const watched = await world.purser([...status, "--watch"]);
		expect(watched.exit).toBe(0);
		expect(watched.stdout.match(/\d of 2 KYCs validated/g)).toEqual([
			"0 of 2 KYCs validated",
			"1 of 2 KYCs validated",
			"2 of 2 KYCs validated",
		]);
	});

	test("a corporate alone is everybody of it, as with --all", async () => {
		const world = await makeWorld();
		world.wire = answering({});
		await world.purser(["kyc", "status", "--corporate-id", corporate], { answers: [] });
		expect(world.asked).toEqual([]);
		expect(world.requests[0]?.line).toContain(`/api/partner/corporates/${corporate}`);
	});

	test.each([
		[["kyc", "status"], "Missing: RELATED"],
		[["kyc", "status"], "The ids are shown by: purser related list COMPANY\n"],
		[["kyc", "status", "--all"], "Missing: --corporate-id"],
		[["kyc", "status", ids.ada, "--all", "--corporate-id", corporate], "cannot be combined with --all"],
		[["kyc", "status", ids.ada, "--corporate-id", corporate], "only works with --all"],
	])("%j is refused", async (argv, message) => {
		const ran = await (await makeWorld()).purser(argv);
		expect([2, 3]).toContain(ran.exit);
		expect(ran.stderr).toContain(message);
	});
});
