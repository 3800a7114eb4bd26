import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, type Canned, page } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const path = `/api/partner/corporates/${id}`;
const record = {
	...{ id, corporateName: "Example Trading SAS", kybStatus: "NOT_STARTED", termsAccepted: true },
	registeredAddress: { isoCountryCode: "FRA", city: "Lyon", postalCode: "69001", street: "Rue Exemple", number: "1" },
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	creationDate: "2026-03-01T09:57:00Z",
};

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("corporate show", () => {
	const show = (body: object) => {
		world.wire = answering({ [`GET ${path}`]: { body } });
		return world.purser(`corporate show ${id}`);
	};

	test("what matters first, then every other field", async () => {
		const { exit, stdout } = await show({ ...record, shoeSize: 42 });
		const rows = stdout.split("\n");
		expect(exit).toBe(0);
		expect(rows.splice(4, 1)[0]).toMatch(/^Created +\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d \(3 minutes ago\)$/);
		expect(rows).toEqual([
			...["Company                    Example Trading SAS", `Id                         ${id}`],
			...["KYB                        NOT_STARTED", "Terms accepted             yes"],
			"Registered address         FRA, Lyon, 69001, Rue Exemple, 1",
			"Expected monthly expenses  LESS_THAN_10_000, EUR",
			...["Shoe size                  42", ""],
		]);
	});

	test("a newer generation's names are read alike", async () => {
		const status = { kyb: { value: "NEED_ADDITIONAL_INFORMATION", reason: "Proof" } };
		const ran = await show({ corporateId: id, registeredName: "Example Trading SAS", status });
		expect(ran.stdout).toBe(
			`Company         Example Trading SAS\nId              ${id}\nKYB             NEED_ADDITIONAL_INFORMATION\nReason          Proof\nTerms accepted  unknown\n`,
		);
	});

	test.each([
		[{ termsAccepted: false }, `purser terms accept ${id}`],
		[{ kybStatus: "VALIDATED" }, `purser ledger list --end-user-id ${id}`],
		[{}, `purser related list ${id}`],
	])("with %j the next step is %s", async (more, next) => {
		expect((await show({ ...record, ...more })).stderr).toContain(next);
	});
});

describe("corporate list", () => {
	const other = { ...record, id: "00000000-0000-4000-8000-000000000002", corporateName: "Other SAS", kybStatus: "VALIDATED" };
	const list = (flags = "", records: object[] = [record, other]) => {
		world.wire = answering({ "GET /api/partner/corporates": page(...records) });
		return world.purser(`corporate list ${flags}`);
	};

	test("filters travel, repeated ones repeated", async () => {
		const ran = await list("--kyb-status NOT_STARTED --kyb-status VALIDATED --email-address ada@example.com");
		const { searchParams } = new URL(world.requests[0]?.url ?? "");
		expect(searchParams.getAll("kybStatus")).toEqual(["NOT_STARTED", "VALIDATED"]);
		expect(searchParams.get("emailAddress")).toBe("ada@example.com");
		expect([ran.exit, ran.stdout.split("\n").length, ran.stderr]).toEqual([0, 4, "Next: purser overview\n"]);
		expect(ran.stdout).toContain(`${id}  Example Trading SAS`);
		// Typed without it, the next command would ask the profile in use.
		expect((await list("--profile sandbox")).stderr).toBe("Next: purser overview --profile sandbox\n");
	});

	test("more than the limit is told; an empty list is exit 0 and leads on", async () => {
		const ran = await list("--limit 1");
		expect([ran.stdout.split("\n").length, ran.stderr]).toEqual([3, expect.stringContaining("more than 1; show them with --limit")]);
		expect(await list("", [])).toMatchObject({ exit: 0, stdout: "No companies found.\n", stderr: "Next: purser onboard start\n" });
		expect((await list("--json", [])).stdout).toBe("[]\n");
	});
});

test("corporate update sends what was given only, and shows the corporate as it is then", async () => {
	world.wire = answering({ [`PATCH ${path}`]: {}, [`GET ${path}`]: { body: { ...record, website: "https://www.example.com" } } });
	const ran = await world.purser(`corporate update ${id} --website https://www.example.com --registered-address.city Paris`);
	expect(world.requests.map(({ method, body }) => `${method} ${body}`)).toEqual([
		'PATCH {"website":"https://www.example.com","registeredAddress":{"city":"Paris"}}',
		"GET ",
	]);
	expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining("Website                    https://www.example.com")]);
});

describe("corporate review", () => {
	const table = "<table><tr><th>KYB</th><td>NOT_STARTED</td></tr></table>";
	const html: Canned = {
		body: `<html><head><title>Due diligence</title></head><body><h1>Example Trading SAS</h1>${table}</body></html>`,
		type: "text/html; charset=utf-8",
	};
	/** Of the page. */
	const sha256 = "12924988953935658faad46a02366a0510b6976a275b087c60332ccef3ed7f9c";
	const review = (answer: Canned, more = "", others: Answers = {}) => {
		world.wire = answering({ [`GET ${path}/diligence-review`]: answer, ...others });
		return world.purser(`corporate review ${id} ${more}`);
	};

	test("a page is read here; --json tells what it is, its size and its digest", async () => {
		const ran = await review(html);
		expect([ran.exit, ran.stderr]).toEqual([0, `Next: purser kyb request ${id} --reviewed ${sha256}\n`]);
		expect(ran.stdout).toBe("Due diligence\nExample Trading SAS\nKYB  NOT_STARTED\n\nDocument  text/html, 151 bytes\n");
		const lines = ["Due diligence", "Example Trading SAS", "KYB  NOT_STARTED"];
		const told = { corporateId: id, contentType: "text/html", bytes: 151, sha256, lines, cut: false };
		expect((await review(html, "--json")).json()).toEqual(told);
	});

	test("--save keeps it as received; a file that exists is left alone, unless --force", async () => {
		const ran = await review(html, "--save review.html");
		expect([ran.exit, world.text("review.html")]).toEqual([0, html.body]);
		expect(ran.stdout).toBe("Document  text/html, 151 bytes\nSaved to  review.html\n");
		world.put("review.html", "mine");
		expect([(await review(html, "--save dry.html --dry-run")).exit, world.files.has("dry.html")]).toEqual([0, false]);
		const refused = await review(html, "--save review.html");
		expect([refused.exit, refused.stdout, world.text("review.html")]).toEqual([10, "", "mine"]);
		expect(refused.stderr).toContain("review.html exists already and was left as it is");
		expect([(await review(html, "--save review.html --force")).exit, world.text("review.html")]).toEqual([0, html.body]);
	});

	test("the document behind an address on the service's own host is read and kept; elsewhere it is not fetched", async () => {
		const there = { body: { url: "http://127.0.0.1:4010/r/1", ttl: "PT1H" } };
		const saved = await review(there, "--save review.html --json", { "GET /r/1": html });
		expect(saved.json()).toMatchObject({ contentType: "text/html", bytes: 151, sha256, savedTo: "review.html" });
		expect(world.text("review.html")).toBe(html.body);
		world.requests.length = 0;
		const refused = await review({ body: { url: "https://files.example.com/r/1" } }, "--save other.html");
		expect([refused.exit, world.files.has("other.html")]).toEqual([10, false]);
		expect(refused.stderr).toContain("it is on files.example.com, not where the service is");
		expect(refused.stderr).toContain("Open it yourself if you trust the address: https://files.example.com/r/1");
		expect(new Set(world.requests.map(({ url }) => new URL(url).host))).toEqual(new Set(["127.0.0.1:4010"]));
	});

	test.each<[string, Canned, number, string]>([
		[
			"a PDF is not put on the terminal",
			{ body: "%PDF-1.7 \u0000\u001b[2J", type: "application/pdf" },
			0,
			"This document cannot be shown in the terminal. Keep it with --save FILE.\n\nDocument  application/pdf, 14 bytes\n",
		],
		["an empty answer is no review", { status: 200, body: "" }, 1, ""],
		["nor is JSON without an address", { body: { ttl: "PT1H" } }, 1, ""],
	])("%s", async (_, answer, exit, stdout) => {
		expect(await review(answer)).toMatchObject({ exit, stdout });
	});
});

const owner = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const created = { corporateId: id, accountOwnerId: owner };
const listLine = "GET /api/partner/corporates";
const createLine = "POST /api/partner/corporates";
const body =
	'{"corporateName":"Example Trading SAS","incorporationCountry":"FRA","incorporationCode":"000 000 000",' +
	'"industry":"FOOD_RESTAURANT_CATERING","registeredAddress":{"isoCountryCode":"FRA","city":"Lyon"},' +
	'"expectedMonthlyExpenses":{"value":"LESS_THAN_10_000","currency":"EUR"},' +
	'"accountOwnerInfo":{"firstName":"Ada","lastName":"Example","emailAddress":"ada@example.com","position":"CEO","directSharesPercentage":33.50}}';

/** What the service answers to a list, and to other lines. */
const listing = (list: Canned | readonly Canned[], more: Answers = {}): void => {
	world.put("corporate.yaml", body);
	world.wire = answering({ [createLine]: { status: 201, body: created }, [listLine]: list, ...more });
};
const part = (content: object[], totalElements: number): Canned => ({ body: { content, totalElements } });
const create = (more = "") => world.purser(`corporate create --file corporate.yaml ${more}`);
const lines = () => world.requests.map(({ line }) => line);

describe("corporate create", () => {
	beforeEach(() => listing(page()));

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
			"with accepted terms the email comes next",
			"--last-terms-accepted 2026-03 --yes --confirmed-by operator",
			`Next: purser email send-link ${owner}\n`,
		],
		["a partner's own name is told to be ignored", "--partner-name example-partner", "--partner-name is ignored when a partner"],
	])("%s", async (_, flags, told) => {
		expect((await create(flags)).stderr).toContain(told);
	});

	test.each([null, "r-17", id])("an account owner who is %j is told, and named in no command", async (accountOwnerId) => {
		listing(page(), { [createLine]: { status: 201, body: { ...created, accountOwnerId } } });
		expect((await create()).stderr).toMatch(/did not say who the account owner is: purser related list .*email send-link RELATED/s);
	});
});

describe("a second corporate with the same externalId", () => {
	const listed = { id: owner, externalId: "crm-4711", registeredName: "Example Trading SAS" };
	const others = (page: number) =>
		Array.from({ length: 100 }, (_, at) => ({ id: `00000000-0000-4000-8000-${String(page * 100 + at).padStart(12, "0")}` }));

	test("is refused, with the one that exists; on a later page too; --allow-duplicate creates it without a look-up", async () => {
		listing(page(listed));
		const ran = await create("--external-id crm-4711");
		expect([ran.exit, world.journal]).toEqual([10, []]);
		expect(ran.stderr).toContain(`the externalId crm-4711 already exists: Example Trading SAS, ${owner}. Nothing was created`);
		expect(ran.stderr).toContain(`purser corporate show ${owner}`);
		expect(lines()).toEqual([`${listLine}?sortAttribute=CREATION_DATE&page=0&pageSize=100&sortDirection=DESC`]);
		listing([part(others(0), 101), part([listed], 101)]);
		const later = await create("--external-id crm-4711 --json");
		expect([later.exit, later.error().code]).toEqual([10, "EXTERNAL_ID_IN_USE"]);
		world.requests.length = 0;
		expect([(await create("--external-id crm-4711 --allow-duplicate")).exit, lines()]).toEqual([0, [createLine]]);
	});

	test.each<[string, Canned | readonly Canned[], boolean, string]>([
		["is not offered", { status: 404 }, true, "a company with this externalId was not looked for"],
		["is not allowed", { status: 403 }, true, "a company with this externalId was not looked for"],
		[
			"makes no sense",
			{ body: { firms: { first: 1 } } },
			true,
			"Warning: A list could not be read (List corporates: the answer makes no sense: it has no list); a company with this externalId was not looked for",
		],
		[
			"goes on beyond what is read",
			[...Array(30).keys()].map((at) => part(others(at), 3000)),
			true,
			"Only the first 2000 companies were searched",
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
	beforeEach(() => listing(page()));
	const anonymous = "--anonymous --partner-name example-partner";

	test.each(["", "--partner-name example-partner"])("is never made of a partner's who is not logged in: %j", async (flags) => {
		await world.purser("auth logout");
		const ran = await create(flags);
		expect([ran.exit, lines()]).toEqual([4, []]);
		expect(ran.stderr).toContain("There is no credential for profile sandbox");
		expect(ran.stderr.replace(/\s+/g, " ")).toContain("or send it as the end-user, without one: --anonymous --partner-name NAME");
	});

	test("refused: a login does not help it, being a partner does", async () => {
		listing(page(), { [createLine]: { status: 401, body: {} } });
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
