import { describe, expect, test } from "vitest";
import type { Received } from "../../src/api/answer.js";
import { type KycPlan, kycPlan } from "../../src/onboarding/kyc/plan.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, page, worldAnswering } from "./answers.js";

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

const planOf = (...records: object[]): KycPlan => kycPlan({ id: corporate, name: "Example Trading SAS" }, records as Received[], "25");
const told = ({ ownership }: KycPlan) => ownership.warnings.map(({ message }) => message);
const needs = (plan: KycPlan) => plan.people.map(({ name, need, state }) => `${name.split(" ")[0]} ${need} ${state}`);

describe("who needs which KYC (specification 4, rule 5)", () => {
	test("one director in full, the account owner first; the others documents; who is neither none", () => {
		const plan = planOf(grace(), noa(), ada());
		expect(needs(plan)).toEqual(["Ada full to do", "Grace documents to do", "Noa none not needed"]);
	});

	test("what the service has decided stands", () => {
		const plan = planOf(ada(kyc("VALIDATED", "DOC_ONLY")), grace(kyc("CREATED", "FULL_KYC")), noa(kyc("PROCESSING", "DOC_ONLY")));
		expect(needs(plan)).toEqual(["Grace full link given", "Ada documents done", "Noa documents under way"]);
	});

	test("no director in full is warned of, and no director at all", () => {
		expect(told(planOf(ada(kyc("NOT_STARTED", "DOC_ONLY")))).join()).toContain("No director is planned for the full KYC");
		expect(told(planOf(noa())).join()).toContain("No director is declared");
	});

	test("who holds the threshold through layers needs one, marked or not", () => {
		const holding = { id: "5d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f", corporateName: "Example Holding BV", directSharesPercentage: 50 };
		const plan = planOf(ada(), holding, noa({ shares: [{ ownedCorporate: holding.id, directSharesPercentage: 50 }] }));
		expect(needs(plan)).toEqual(["Ada full to do", "Noa documents to do"]);
		expect(plan.people[1]?.because).toEqual(["holds an effective 25 %"]);
		expect(told(plan)).toContain("Noa Test holds an effective 25 % and is not marked as a beneficial owner (UBO)");
	});
});

// ── kyc link --all ──────────────────────────────────────────────────────────────────────────────────────────────

const link = (name: string) => ({ body: { id: ids.noa, url: `https://kyc.example.com/s/${name}`, ttl: "PT720H" } });
const all = ["kyc", "link", "--all", "--corporate-id", corporate];
const posts = (world: World) =>
	world.requests.filter(({ line }) => line === linkPath).map(({ body }) => JSON.parse(body).relatedPhysicalPersonId);

describe("kyc link --all", () => {
	/** Asks for the links of these persons; a function of the answers to each `POST`. */
	const linksOf = async (persons: Answers[string], links: Answers[string], ...more: string[]) => {
		const world = await worldAnswering({ [listPath]: persons, [linkPath]: links });
		return { world, ran: await world.purser([...all, ...more]) };
	};
	const statesOf = ({ links }: { links: { state: string }[] }) => links.map(({ state }) => state);

	test("links for those who miss one", async () => {
		const { world, ran } = await linksOf(page(ada(), grace(), noa()), [link("one"), link("two")], "--json");
		expect(ran.exit, ran.stderr).toBe(0);
		expect(posts(world)).toEqual([ids.ada, ids.grace]);
		expect(ran.json().links).toMatchObject([
			{ name: "Ada Example", need: "full", url: "https://kyc.example.com/s/one", expiresAt: "2026-03-31T10:00:00.000Z" },
			{ name: "Grace Sample", need: "documents", url: "https://kyc.example.com/s/two" },
		]);
	});

	test("an answer without a link is in doubt, has no end of validity, and stops the run", async () => {
		const { world, ran } = await linksOf(page(ada(), grace(), noa()), [link("one"), { status: 204 }], "--json");
		expect(ran.exit).toBe(7);
		expect(ran.json().links).toMatchObject([
			{ relatedPhysicalPersonId: ids.ada, state: "obtained", url: "https://kyc.example.com/s/one" },
			{ relatedPhysicalPersonId: ids.grace, state: "in doubt", error: { code: "LINK_MISSING", kind: "unknown" } },
		]);
		expect(ran.json().links[1]).not.toHaveProperty("expiresAt");
		expect(posts(world)).toEqual([ids.ada, ids.grace]);
	});

	test("never twice, as the journal knows where the service does not; after 30 days, anew", async () => {
		const { world } = await linksOf(page(ada()), link("x"));
		expect((await world.json([...all])).links).toEqual([
			{ relatedPhysicalPersonId: ids.ada, name: "Ada Example", need: "full", state: "valid", expiresAt: "2026-03-31T10:00:00.000Z" },
		]);
		expect(posts(world)).toHaveLength(1);
		world.clock.advance(720 * 3_600_000);
		await world.purser(all);
		expect(posts(world)).toHaveLength(2);
	});

	test("a declined KYC needs a new link whatever was there before", async () => {
		const { world } = await linksOf([page(ada()), page(ada(kyc("DECLINED")))], link("x"));
		await world.purser(all);
		expect(posts(world)).toHaveLength(2);
	});

	test("QR codes for a terminal that is wide enough, and a word where it is not", async () => {
		const { ran } = await linksOf(page(ada()), link("x"), "--qr");
		// The position mark of the upper left corner: 7 by 7 modules, its dark ring and its dark heart.
		for (const row of ["\n██ ▄▄▄▄▄ █", "\n██ █   █ █", "\n██ █▄▄▄█ █"]) expect(ran.stdout).toContain(row);
		const world = await worldAnswering({ [listPath]: page(ada()), [linkPath]: link("x") });
		const narrow = await world.purser([...all, "--qr"], { columns: 24 });
		expect(narrow.stdout).toContain("(the QR code does not fit into this terminal)");
		expect(narrow.stdout).not.toContain("▄");
	});

	test("a refusal stops nobody else: exit 9; alone: exit 5; no right to it is told at once: exit 4", async () => {
		const refused = { status: 400, body: { errorCode: "PERSON_ID_REQUIRED", message: "no" } };
		const { ran } = await linksOf(page(ada(), grace()), [refused, link("two")]);
		expect(ran.exit).toBe(9);
		expect(ran.stdout).toMatch(/^1 KYC link obtained, 1 refused\n/);
		expect((await linksOf(page(noa({ isDirector: true })), refused)).ran.exit).toBe(5);
		const forbidden = await linksOf(page(ada(), grace()), { status: 403 });
		expect([forbidden.ran.exit, posts(forbidden.world)]).toEqual([4, [ids.ada]]);
	});

	test("a lost reply is a doubt: exit 7, the rest is not asked for, and the links got so far are in the answer", async () => {
		const world = await makeWorld();
		const canned = answering({ [listPath]: page(ada(), grace(), noa({ isUbo: true })), [linkPath]: link("one") });
		let asked = 0;
		world.wire = async (request): Promise<WireOutcome> =>
			request.method === "POST" && ++asked === 2 ? { kind: "sent", reason: "the connection was reset" } : canned(request);
		const ran = await world.purser([...all, "--json"]);
		expect([ran.exit, statesOf(ran.json())]).toEqual([7, ["obtained", "in doubt", "not sent"]]);
		expect(ran.json().links[0].url).toBe("https://kyc.example.com/s/one");
		expect(posts(world)).toHaveLength(2);
		// Nobody has the link whose answer was lost, so it is no valid one.
		world.wire = canned;
		expect(statesOf(await world.json([...all]))).toEqual(["valid", "obtained", "obtained"]);
	});

	test("persons of a list that was cut are not all: exit 9, also where those who were listed have their links", async () => {
		const { ran } = await linksOf({ body: { content: [ada()], totalElements: 3 } }, link("one"), "--json");
		expect([ran.exit, ran.json().partial, statesOf(ran.json())]).toEqual([9, true, ["obtained"]]);
	});

	test("a dry run shows the first request and sends none", async () => {
		const { world, ran } = await linksOf(page(ada(), grace()), link("x"), "--dry-run", "--json");
		expect([ran.json().requests.length, posts(world), world.files.size]).toEqual([1, [], 0]);
	});

	test.each([
		["neither a person nor --all", ["kyc", "link"], 2],
		["--all without a corporate", ["kyc", "link", "--all"], 2],
		["both", [...all, ids.ada], 3],
	])("%s: nothing is sent", async (_, argv, exit) => {
		const world = await makeWorld();
		expect([(await world.purser(argv)).exit, world.requests]).toEqual([exit, []]);
	});
});

test("kyc status without a person is refused", async () => {
	const ran = await (await makeWorld()).purser("kyc status");
	expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("Missing: RELATED")]);
	expect(ran.stderr).toContain("They are listed by: purser related list COMPANY\n");
});
