/**
 * Who needs a KYC, and the links of all of them. The link of one person is in person-checks.test.ts.
 */
import { describe, expect, test } from "vitest";
import type { Received } from "../../src/api/answer.js";
import { kycPlan } from "../../src/onboarding/kyc/plan.js";
import { makeWorld, type World } from "../support/purser.js";
import { lostAnswer } from "../support/world-wire.js";
import { type Answers, answering, page, worldAnswering } from "./answers.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ids = {
	ada: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80",
	grace: "1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f",
	noa: "2d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f",
};
const ada = (more: object = {}) => ({
	...{ id: ids.ada, firstName: "Ada", lastName: "Example", isDirector: true, isAccountOwner: true, isUbo: true },
	...{ directSharesPercentage: 50, ...more },
});
const grace = (more: object = {}) => ({ id: ids.grace, firstName: "Grace", lastName: "Sample", isDirector: true, ...more });
const noa = (more: object = {}) => ({ id: ids.noa, firstName: "Noa", lastName: "Test", ...more });
const kyc = (status: string, type?: string) => ({ kycInfo: { status, type } });

describe("who needs which KYC (specification 4, rule 5)", () => {
	const [first, second] = ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];
	const shares = (of: string, percentage: number) => ({ ownedCorporate: { id: of }, directSharesPercentage: percentage });
	const circle = (own: string, of: string) => ({ id: own, corporateName: own, shares: [shares(of, 100), shares(corporate, 10)] });
	const holding = { id: first, corporateName: "Example Holding BV", directSharesPercentage: 50 };
	const both = ["Ada full to do", "Noa documents to do"];
	const unmarked = "Noa Test holds an effective 25 % and is not marked as a beneficial owner (UBO)";

	test.each<[string, object[], string[], string?, string?]>([
		[
			"one director in full, the account owner first; the others documents; who is neither none",
			[grace(), noa(), ada()],
			["Ada full to do", "Grace documents to do", "Noa none not needed"],
		],
		[
			"what the service has decided stands",
			[ada(kyc("VALIDATED", "DOC_ONLY")), grace(kyc("CREATED", "FULL_KYC")), noa(kyc("PROCESSING", "DOC_ONLY"))],
			["Grace full link given", "Ada documents done", "Noa documents under way"],
		],
		["no director in full", [ada(kyc("NOT_STARTED", "DOC_ONLY"))], ["Ada documents to do"], undefined, "No director is planned"],
		["no director at all too", [noa()], ["Noa none not needed"], undefined, "No director is declared"],
		[
			"who holds the threshold through layers needs one, marked or not",
			[ada(), holding, noa({ shares: [{ ownedCorporate: first, directSharesPercentage: 50 }] })],
			both,
			"holds an effective 25 %",
			unmarked,
		],
		["exactly the threshold", [ada(), noa({ directSharesPercentage: 25 })], both, "holds an effective 25 %"],
		["in a list of shares", [ada(), noa({ shares: [shares(corporate, 30)] })], both, "holds an effective 30 %"],
		[
			"shares whose end cannot be computed count as an owner's",
			[ada(), circle(first, second), circle(second, first), noa({ shares: [shares(first, 5)] })],
			both,
			"holds shares whose effective size cannot be computed",
		],
		[
			"a full KYC of somebody who is no director does not take the place of a director's",
			[ada(), noa({ isUbo: true, ...kyc("CREATED", "FULL_KYC") })],
			["Ada full to do", "Noa full link given"],
		],
		[
			"a company that names a person to write to is a company still",
			[ada(), noa({ type: "COMPANY", corporateName: "Example Holding BV", isDirector: true })],
			["Ada full to do"],
		],
	])("%s", (_, records, needs, because, warning = "") => {
		const { people, ownership } = kycPlan({ id: corporate, name: "Example Trading SAS" }, records as Received[], "25");
		expect(people.map(({ name, need, state }) => `${name.split(" ")[0]} ${need} ${state}`)).toEqual(needs);
		if (because !== undefined) expect(people.at(-1)?.because).toEqual([because]);
		expect(ownership.warnings.map(({ message }) => message).join()).toContain(warning);
	});
});

describe("kyc link --all", () => {
	const listPath = `GET /api/partner/corporates/${corporate}/related`;
	const linkPath = "POST /api/partner/kyc";
	const link = (name: string) => ({ body: { id: ids.noa, url: `https://kyc.example.com/s/${name}`, ttl: "PT720H" } });
	const all = `kyc link --all --corporate-id ${corporate}`;
	/** Whose links were asked for. */
	const posts = ({ requests }: World) =>
		requests.filter(({ line }) => line === linkPath).map(({ body }) => JSON.parse(body).relatedPhysicalPersonId);
	/** Asks for the links of these persons; the answers to each `POST`. */
	const linksOf = async (persons: Answers[string], links: Answers[string], more = "") => {
		const world = await worldAnswering({ [listPath]: persons, [linkPath]: links });
		return { world, ran: await world.purser(`${all} ${more}`) };
	};
	const statesOf = ({ links }: { links: { state: string }[] }) => links.map(({ state }) => state);

	test("links for those who miss one", async () => {
		const { world, ran } = await linksOf(page(ada(), grace(), noa()), [link("one"), link("two")], "--json");
		expect([ran.exit, posts(world)]).toEqual([0, [ids.ada, ids.grace]]);
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
		expect(statesOf((await world.purser(`${all} --json`)).json())).toEqual(["valid", "in doubt"]);
	});

	test("never twice, as the journal knows where the service does not; after 30 days, anew; a declined one always", async () => {
		const { world } = await linksOf([page(ada()), page(ada()), page(ada()), page(ada(kyc("DECLINED")))], link("x"));
		expect((await world.json(all)).links).toEqual([
			{ relatedPhysicalPersonId: ids.ada, name: "Ada Example", need: "full", state: "valid", expiresAt: "2026-03-31T10:00:00.000Z" },
		]);
		expect(posts(world)).toHaveLength(1);
		world.clock.advance(720 * 3_600_000);
		await world.purser(all);
		expect(posts(world)).toHaveLength(2);
		await world.purser(all);
		expect(posts(world)).toHaveLength(3);
	});

	test("QR codes for a terminal that is wide enough, and a word where it is not", async () => {
		const { ran } = await linksOf(page(ada()), link("x"), "--qr");
		// The position mark of the upper left corner: 7 by 7 modules, its dark ring and its dark heart.
		for (const row of ["\n██ ▄▄▄▄▄ █", "\n██ █   █ █", "\n██ █▄▄▄█ █"]) expect(ran.stdout).toContain(row);
		const world = await worldAnswering({ [listPath]: page(ada()), [linkPath]: link("x") });
		const narrow = await world.purser(`${all} --qr`, { columns: 24 });
		expect(narrow.stdout).toContain("(the QR code does not fit into this terminal)");
		expect(narrow.stdout).not.toContain("▄");
	});

	test("a refusal stops nobody else: exit 9; alone: exit 5; no right to it is told at once: exit 4", async () => {
		const refused = { status: 400, body: { errorCode: "PERSON_ID_REQUIRED", message: "no" } };
		const { ran } = await linksOf(page(ada(), grace()), [refused, link("two")]);
		expect([ran.exit, ran.stdout]).toEqual([9, expect.stringMatching(/^1 KYC link obtained, 1 refused\n/)]);
		expect((await linksOf(page(noa({ isDirector: true })), refused)).ran.exit).toBe(5);
		const forbidden = await linksOf(page(ada(), grace()), { status: 403 });
		expect([forbidden.ran.exit, posts(forbidden.world)]).toEqual([4, [ids.ada]]);
	});

	test("a lost reply is a doubt: exit 7, the rest is not asked for, and the links got so far are in the answer", async () => {
		const canned = answering({ [listPath]: page(ada(), grace(), noa({ isUbo: true })), [linkPath]: link("one") });
		const world = await makeWorld();
		world.wire = async (request) => (request.method === "POST" && posts(world).length === 2 ? lostAnswer : canned(request));
		const ran = await world.purser(`${all} --json`);
		expect([ran.exit, statesOf(ran.json()), posts(world).length]).toEqual([7, ["obtained", "in doubt", "not sent"], 2]);
		expect(ran.json().links[0].url).toBe("https://kyc.example.com/s/one");
		// Nobody has the link whose answer was lost, so it is no valid one.
		world.wire = canned;
		expect(statesOf(await world.json(all))).toEqual(["valid", "obtained", "obtained"]);
	});

	test("persons of a list that was cut are not all: exit 9, also where those who were listed have their links", async () => {
		const { ran } = await linksOf({ body: { content: [ada()], totalElements: 3 } }, link("one"), "--json");
		expect([ran.exit, ran.json().partial, statesOf(ran.json())]).toEqual([9, true, ["obtained"]]);
	});

	test("a dry run shows the first request and sends none", async () => {
		const { world, ran } = await linksOf(page(ada(), grace()), link("x"), "--dry-run --json");
		expect([ran.json().requests.length, posts(world), world.files.size]).toEqual([1, [], 0]);
	});

	test.each([
		["kyc link", 2, ""],
		["kyc link --all", 2, ""],
		[`${all} ${ids.ada}`, 3, ""],
		["kyc status", 2, "They are listed by: purser related list COMPANY\n"],
	])("%s: nothing is sent", async (line, exit, told) => {
		const world = await makeWorld();
		const ran = await world.purser(line);
		expect([ran.exit, world.requests, ran.stderr]).toEqual([exit, [], expect.stringContaining(told)]);
	});
});
