import { beforeEach, describe, expect, test } from "vitest";
import { answered, makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const owner = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const created = { corporateId: id, accountOwnerId: owner };
const listLine = "GET /api/partner/corporates";
const createLine = "POST /api/partner/corporates";

const file = `
corporateName: Example Trading SAS
incorporationCountry: FRA
incorporationCode: "000 000 000"
industry: FOOD_RESTAURANT_CATERING
registeredAddress: { isoCountryCode: FRA, city: Lyon }
expectedMonthlyExpenses: { value: LESS_THAN_10_000, currency: EUR }
accountOwnerInfo:
  firstName: Ada
  lastName: Example
  emailAddress: ada@example.com
  position: CEO
  directSharesPercentage: 33.50
`;
const body =
	'{"corporateName":"Example Trading SAS","incorporationCountry":"FRA","incorporationCode":"000 000 000",' +
	'"industry":"FOOD_RESTAURANT_CATERING","registeredAddress":{"isoCountryCode":"FRA","city":"Lyon"},' +
	'"expectedMonthlyExpenses":{"value":"LESS_THAN_10_000","currency":"EUR"},' +
	'"accountOwnerInfo":{"firstName":"Ada","lastName":"Example","emailAddress":"ada@example.com","position":"CEO","directSharesPercentage":33.50}}';

let world: World;
beforeEach(async () => {
	world = await makeWorld();
	world.files.set("corporate.yaml", new TextEncoder().encode(file));
	world.wire = answering({ [createLine]: { status: 201, body: created }, [listLine]: { body: { content: [], totalElements: 0 } } });
});

const create = (...more: string[]) => world.purser(["corporate", "create", "--file", "corporate.yaml", ...more]);
const lines = () => world.requests.map(({ line }) => line);

test("a list that cannot be read does not stop a creation, and is told; one that another try may read does", async () => {
	const listing = (entry: object) => {
		world.wire = answering({ [createLine]: { status: 201, body: created }, [listLine]: entry });
	};
	listing({ body: { firms: { first: 1 } } });
	const ran = await create("--external-id", "crm-4711");
	expect([ran.exit, lines().filter((line) => line === createLine)]).toEqual([0, [createLine]]);
	expect(ran.stderr).toContain(
		"Warning: A list could not be read (List corporates: the answer makes no sense: it has no list); a company with this externalId was not looked for",
	);
	world.requests.length = 0;
	listing({ status: 503, body: { status: 503 } });
	const stopped = await create("--external-id", "crm-4712");
	expect([stopped.exit === 0, lines().includes(createLine)]).toEqual([false, false]);
});

describe("corporate create", () => {
	test("one request with the file's values, numbers as written, and the next steps with real ids", async () => {
		const ran = await create();
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(`Company created\nCompany        ${id}\nAccount owner  ${owner}\n`);
		expect(ran.stderr).toBe(`Next: purser terms accept ${id}\n      purser email send-link ${owner}\n`);
		expect(lines()).toEqual([createLine]);
		expect(world.requests[0]?.body).toBe(body);
		expect(world.requests[0]?.headers).toHaveProperty("authorization");
	});

	test("--json is the service's answer", async () => {
		const ran = await create("--json");
		expect(ran.json()).toEqual(created);
		expect(ran.stderr).toBe("");
	});

	test("with the terms accepted in it, the email comes next", async () => {
		const ran = await create("--last-terms-accepted", "2026-03", "--yes", "--confirmed-by", "operator");
		expect(ran.stderr).toBe(`Next: purser email send-link ${owner}\n`);
	});

	test("a field that the description does not know travels by --set, our own fields do not travel", async () => {
		await create("--set", "riskLevel=2", "--allow-duplicate");
		expect(JSON.parse(world.requests[0]?.body ?? "")).toMatchObject({ riskLevel: 2 });
		expect(world.requests[0]?.body).not.toContain("allowDuplicate");
		expect(world.requests[0]?.body).not.toContain("anonymous");
	});

	test("a dry run sends nothing at all, not even a look-up", async () => {
		const ran = await create("--external-id", "crm-4711", "--dry-run");
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("Dry run: nothing was sent.");
		expect(ran.stdout).toContain('"externalId": "crm-4711"');
		expect(world.requests).toEqual([]);
		expect(world.journal).toEqual([]);
	});

	test("a dry run for a program tells the warnings too", async () => {
		const ran = await create("--industry", "SOMETHING_NEW", "--dry-run", "--json");
		expect(ran.exit).toBe(0);
		expect(ran.json().dryRun).toBe(true);
		expect(JSON.parse(ran.stderr).warning.message).toMatch(/^--industry /);
	});

	test("a lost reply is exit 7 and names what to look at", async () => {
		world.wire = async () => ({ kind: "sent", reason: "the connection was reset" });
		const ran = await create();
		expect(ran.exit).toBe(7);
		expect(ran.stdout).toBe("");
		expect(ran.stderr).toContain("purser corporate list");
	});
});

describe("a second corporate with the same externalId", () => {
	const listed = { id: owner, externalId: "crm-4711", registeredName: "Example Trading SAS" };

	test("is refused, with the one that exists", async () => {
		world.wire = answering({ [listLine]: { body: { content: [listed], totalElements: 1 } } });
		const ran = await create("--external-id", "crm-4711");
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain(
			`A company with the externalId crm-4711 already exists: Example Trading SAS, ${owner}. Nothing was created`,
		);
		expect(ran.stderr).toContain(`purser corporate show ${owner}`);
		expect(lines()).toEqual([`${listLine}?sortAttribute=CREATION_DATE&page=0&pageSize=100&sortDirection=DESC`]);
		expect(world.journal).toEqual([]);
	});

	test("is found on a later page too", async () => {
		const others = Array.from({ length: 100 }, (_, at) => ({ id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}` }));
		world.wire = answering({
			[listLine]: [{ body: { content: others, totalElements: 101 } }, { body: { content: [listed], totalElements: 101 } }],
		});
		const ran = await create("--external-id", "crm-4711", "--json");
		expect(ran.exit).toBe(10);
		expect(JSON.parse(ran.stderr).error).toMatchObject({ code: "EXTERNAL_ID_IN_USE", details: [{ field: "externalId" }] });
	});

	test("is created with --allow-duplicate, without a look-up", async () => {
		const ran = await create("--external-id", "crm-4711", "--allow-duplicate");
		expect(ran.exit).toBe(0);
		expect(lines()).toEqual([createLine]);
	});

	test.each([403, 404, 405, 501])("a deployment without the list (HTTP %i) is told about, and the creation goes on", async (status) => {
		world.wire = answering({ [listLine]: { status }, [createLine]: { status: 201, body: created } });
		const ran = await create("--external-id", "crm-4711");
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("a company with this externalId was not looked for");
		expect(lines()).toContain(createLine);
	});

	test("a look-up that fails otherwise creates nothing", async () => {
		world.wire = answering({ [listLine]: { status: 500 }, [createLine]: { status: 201, body: created } });
		const ran = await create("--external-id", "crm-4711");
		expect(ran.exit).toBe(6);
		expect(lines()).not.toContain(createLine);
	});

	test("a list that goes on beyond what is read is told about", async () => {
		const page = (at: number) =>
			Array.from({ length: 100 }, (_, n) => ({ id: `00000000-0000-4000-8000-${String(at * 100 + n).padStart(12, "0")}` }));
		const pages = Array.from({ length: 30 }, (_, at) => ({ body: { content: page(at), totalElements: 3000 } }));
		world.wire = answering({ [listLine]: pages, [createLine]: { status: 201, body: created } });
		const ran = await create("--external-id", "crm-4711");
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("Only the first 2000 companies were searched for this externalId");
	});
});

describe("an anonymous creation", () => {
	test.each([[], ["--partner-name", "example-partner"]])("is never made of a partner's who is not logged in: %j", async (...flags) => {
		await world.purser(["auth", "logout"]);
		const ran = await create(...flags);
		expect([ran.exit, lines()]).toEqual([4, []]);
		expect(ran.stderr).toContain("There is no credential for profile sandbox");
		expect(ran.stderr.replace(/\s+/g, " ")).toContain("or send it as the end-user, without one: --anonymous --partner-name NAME");
	});

	test.each([401, 403])("refused with %i: a login does not help it, being a partner does", async (status) => {
		world.wire = async () => answered(status, "{}");
		const ran = await create("--anonymous", "--partner-name", "example-partner");
		expect(ran.exit).toBe(4);
		expect(ran.stderr).toContain("Why:  It was sent without a credential, and your service may not allow anonymous creation\n");
		expect(ran.stderr).toContain("then run this again without --anonymous");
		expect(ran.stderr).not.toContain("Log in again");
	});

	test("must name the partner: exit 3, nothing is sent", async () => {
		const ran = await create("--anonymous", "--json");
		expect(ran.exit).toBe(3);
		expect(JSON.parse(ran.stderr).error).toMatchObject({
			code: "INVALID_INPUT",
			kind: "validation",
			details: [{ field: "partnerName", message: "is required for an anonymous creation" }],
		});
		expect(world.requests).toEqual([]);
	});

	test("carries the partner's name and no credential", async () => {
		const ran = await create("--anonymous", "--partner-name", "example-partner", "--external-id", "crm-4711");
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("was not looked for");
		expect(lines()).toEqual([createLine]);
		expect(Object.keys(world.requests[0]?.headers ?? {})).not.toContain("authorization");
		expect(JSON.parse(world.requests[0]?.body ?? "").partnerName).toBe("example-partner");
	});

	test("is what a profile without a credential always makes", async () => {
		const profile = world.profiles.get("sandbox");
		if (profile) profile.auth = { kind: "none" };
		const refused = await create();
		expect(refused.exit).toBe(3);
		expect(refused.stderr).toContain("The profile sandbox has no credential, so every creation is anonymous.");
		const ran = await create("--partner-name", "example-partner");
		expect(ran.exit).toBe(0);
		expect(ran.stderr).not.toContain("is ignored");
	});

	test("a partner's own name is ignored by the service, and that is told", async () => {
		const ran = await create("--partner-name", "example-partner");
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("--partner-name is ignored when a partner creates a company");
	});
});

describe("input of corporate create", () => {
	test("everything missing is named at once: exit 2", async () => {
		const ran = await world.purser(["corporate", "create"]);
		expect(ran.exit).toBe(2);
		for (const flag of [
			"--corporate-name",
			"--incorporation-country",
			"--incorporation-code",
			"--industry",
			"--expected-monthly-expenses.value",
			"--expected-monthly-expenses.currency",
			"--account-owner-info.first-name",
			"--account-owner-info.last-name",
			"--account-owner-info.email-address",
			"--account-owner-info.position",
		])
			expect(ran.stderr).toContain(flag);
		expect(world.requests).toEqual([]);
	});

	test("every fault is named at once: exit 3", async () => {
		const ran = await create("--incorporation-country", "FR", "--incorporation-date", "2023-02-30", "--industry", "farming", "--json");
		expect(ran.exit).toBe(3);
		expect(
			JSON.parse(ran.stderr)
				.error.details.map(({ field }: { field: string }) => field)
				.sort(),
		).toEqual(["incorporationCountry", "incorporationDate", "industry"]);
		expect(world.requests).toEqual([]);
	});

	test("the service's own faults come back by field: exit 5", async () => {
		world.wire = answering({
			[createLine]: { status: 400, body: { status: 400, details: [{ field: "incorporationCode", message: "is unknown there" }] } },
		});
		const ran = await create();
		expect(ran.exit).toBe(5);
		expect(ran.stderr).toContain("incorporationCode is unknown there");
	});
});
