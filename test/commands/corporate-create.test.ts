import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, type Canned } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const owner = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const created = { corporateId: id, accountOwnerId: owner };
const listLine = "GET /api/partner/corporates";
const createLine = "POST /api/partner/corporates";

const body =
	'{"corporateName":"Example Trading SAS","incorporationCountry":"FRA","incorporationCode":"000 000 000",' +
	'"industry":"FOOD_RESTAURANT_CATERING","registeredAddress":{"isoCountryCode":"FRA","city":"Lyon"},' +
	'"expectedMonthlyExpenses":{"value":"LESS_THAN_10_000","currency":"EUR"},' +
	'"accountOwnerInfo":{"firstName":"Ada","lastName":"Example","emailAddress":"ada@example.com","position":"CEO","directSharesPercentage":33.50}}';

let world: World;
/** What the service answers to a list, and to other lines. */
const listing = (list: Canned | readonly Canned[], more: Answers = {}): void => {
	world.wire = answering({ [createLine]: { status: 201, body: created }, [listLine]: list, ...more });
};
const page = (content: object[], totalElements = content.length): Canned => ({ body: { content, totalElements } });
beforeEach(async () => {
	world = await makeWorld();
	world.put("corporate.yaml", body);
	listing(page([]));
});

const create = (more = "") => world.purser(`corporate create --file corporate.yaml ${more}`);
const lines = () => world.requests.map(({ line }) => line);

describe("corporate create", () => {
	test("one request with the file's values, numbers as written, and the next steps with real ids", async () => {
		const ran = await create();
		expect([ran.exit, lines(), world.requests[0]?.body]).toEqual([0, [createLine], body]);
		expect(ran.stdout).toBe(`Company created\nCompany        Example Trading SAS\nId             ${id}\nAccount owner  ${owner}\n`);
		expect(ran.stderr).toBe(`Next: purser terms accept ${id}\n      purser email send-link ${owner}\n`);
		expect(world.requests[0]?.headers).toHaveProperty("authorization");
		const json = await create("--json");
		expect([json.json(), json.stderr]).toEqual([{ ...created, name: "Example Trading SAS" }, ""]);
	});

	test.each([
		[
			"with the terms accepted in it, the email comes next",
			"--last-terms-accepted 2026-03 --yes --confirmed-by operator",
			`Next: purser email send-link ${owner}\n`,
		],
		[
			"a partner's own name is ignored by the service, and that is told",
			"--partner-name example-partner",
			"--partner-name is ignored when a partner creates a company",
		],
	])("%s", async (_, flags, told) => {
		expect((await create(flags)).stderr).toContain(told);
	});
});

describe("a second corporate with the same externalId", () => {
	const listed = { id: owner, externalId: "crm-4711", registeredName: "Example Trading SAS" };
	const others = (page: number) =>
		Array.from({ length: 100 }, (_, at) => ({ id: `00000000-0000-4000-8000-${String(page * 100 + at).padStart(12, "0")}` }));

	test("is refused, with the one that exists; on a later page too; --allow-duplicate creates it without a look-up", async () => {
		listing(page([listed]));
		const ran = await create("--external-id crm-4711");
		expect([ran.exit, world.journal]).toEqual([10, []]);
		expect(ran.stderr).toContain(
			`A company with the externalId crm-4711 already exists: Example Trading SAS, ${owner}. Nothing was created`,
		);
		expect(ran.stderr).toContain(`purser corporate show ${owner}`);
		expect(lines()).toEqual([`${listLine}?sortAttribute=CREATION_DATE&page=0&pageSize=100&sortDirection=DESC`]);
		listing([page(others(0), 101), page([listed], 101)]);
		const later = await create("--external-id crm-4711 --json");
		expect([later.exit, later.error().code]).toEqual([10, "EXTERNAL_ID_IN_USE"]);
		world.requests.length = 0;
		expect([(await create("--external-id crm-4711 --allow-duplicate")).exit, lines()]).toEqual([0, [createLine]]);
	});

	test.each<[string, Canned | readonly Canned[], boolean, string]>([
		...[403, 404, 405, 501].map((status): [string, Canned, boolean, string] => [
			`is not offered (${status})`,
			{ status },
			true,
			"a company with this externalId was not looked for",
		]),
		[
			"makes no sense",
			{ body: { firms: { first: 1 } } },
			true,
			"Warning: A list could not be read (List corporates: the answer makes no sense: it has no list); a company with this externalId was not looked for",
		],
		[
			"goes on beyond what is read",
			Array.from({ length: 30 }, (_, at) => page(others(at), 3000)),
			true,
			"Only the first 2000 companies were searched for this externalId",
		],
		["fails so that another try may read it", { status: 503, body: { status: 503 } }, false, ""],
		["fails otherwise", { status: 500 }, false, ""],
	])("a list that %s is told, and the creation goes on: %#", async (_, list, goesOn, told) => {
		listing(list);
		const ran = await create("--external-id crm-4711");
		expect([ran.exit, lines().includes(createLine)]).toEqual(goesOn ? [0, true] : [6, false]);
		expect(ran.stderr).toContain(told);
	});
});

describe("an anonymous creation", () => {
	const anonymous = "--anonymous --partner-name example-partner";

	test.each(["", "--partner-name example-partner"])("is never made of a partner's who is not logged in: %j", async (flags) => {
		await world.purser("auth logout");
		const ran = await create(flags);
		expect([ran.exit, lines()]).toEqual([4, []]);
		expect(ran.stderr).toContain("There is no credential for profile sandbox");
		expect(ran.stderr.replace(/\s+/g, " ")).toContain("or send it as the end-user, without one: --anonymous --partner-name NAME");
	});

	test("refused: a login does not help it, being a partner does", async () => {
		listing(page([]), { [createLine]: { status: 401, body: {} } });
		const ran = await create(anonymous);
		expect([ran.exit, ran.stderr.includes("Log in again")]).toEqual([4, false]);
		expect(ran.stderr).toContain("Why:  It was sent without a credential, and your service may not allow anonymous creation\n");
		expect(ran.stderr).toContain("then run this again without --anonymous");
	});

	test("must name the partner: exit 3, nothing is sent", async () => {
		const ran = await create("--anonymous --json");
		const details = [{ field: "partnerName", message: "is required for an anonymous creation" }];
		expect([ran.exit, world.requests, ran.error()]).toMatchObject([3, [], { code: "INVALID_INPUT", kind: "validation", details }]);
	});

	test("carries the partner's name and no credential, and a profile without a credential always makes one", async () => {
		const ran = await create(`${anonymous} --external-id crm-4711`);
		expect([ran.exit, lines(), ran.stderr]).toEqual([0, [createLine], expect.stringContaining("was not looked for")]);
		expect(JSON.parse(world.requests[0]?.body ?? "").partnerName).toBe("example-partner");
		expect(Object.keys(world.requests[0]?.headers ?? {})).not.toContain("authorization");
		Object.assign(world.profiles.get("sandbox") ?? {}, { auth: { kind: "none" } });
		expect((await create()).exit).toBe(3);
		const always = await create("--partner-name example-partner");
		expect([always.exit, always.stderr.includes("is ignored")]).toEqual([0, false]);
	});
});
