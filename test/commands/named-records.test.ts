/**
 * Commands whose records are named by something else than their id: in a script, at a terminal, in a file, for reads, changes and money;
 * or by a choice from a list. And what is to be typed names the profile that the run was given. The forms of naming a record are in test/names.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, page } from "./answers.js";

const company = "11111111-1111-4111-8111-111111111111";
const owner = "22222222-2222-4222-8222-222222222222";
const [main, savings] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"];
const supplier = "bbbbbbbb-0001-4000-8000-000000000001";
const companies = "GET /api/partner/corporates";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
const lines = (): string[] => world.requests.map(({ line }) => line.replace(/\?.*/, ""));

describe("reading", () => {
	test("a name takes one request for the list, and what was taken for it is in the answer; a UUID takes none", async () => {
		const named = await world.json('corporate show "example trading sas"');
		expect(named).toMatchObject({
			id: company,
			resolved: [{ argument: "CORPORATE", given: "example trading sas", kind: "corporate", id: company, name: "Example Trading SAS" }],
		});
		expect(lines()).toEqual([companies, `${companies}/${company}`]);
		expect(await world.json(`corporate show ${company.toUpperCase()}`)).not.toHaveProperty("resolved");
		expect(lines()).toHaveLength(3);
	});

	test("suggested commands name company and person as they were named, and what is shown says whose it is; for programs they have ids", async () => {
		await world.purser("sandbox simulate terms");
		const ran = await world.purser('corporate status "Example Trading SAS"');
		expect(ran.stdout).toContain("\nPayments  stopped: terms not accepted\n");
		expect(ran.stderr).toContain("Next: purser terms accept 'Example Trading SAS'\n");
		const link = await world.purser('email send-link "Example Trading SAS/Ada Example"');
		expect(link.stdout).toContain("\nPerson       Ada Example, Example Trading SAS\n");
		expect(link.stderr).toContain("Next: purser email status 'Example Trading SAS/Ada Example' --wait\n");
		const { items } = await world.json('corporate status "Example Trading SAS"');
		expect(items[0].command).toBe(`purser terms accept ${company}`);
	});

	test("payments of one amount say to whom and from where, and no other is listed", async () => {
		for (const amount of ["12.50", "13.50"]) await world.purser(`pay ledger --from ${main} --to ${savings} --amount ${amount} --yes`);
		const ran = await world.purser("pay list --amount 12.5 --columns amount,receiver.name,sender.name");
		expect(ran.stdout.trim().split("\n").slice(1)).toEqual([expect.stringMatching(/^ *12\.50 +Example Trading SAS +Example Trading SAS$/)]);
	});

	test.each([
		["corporate list", "?sortAttribute=CREATION_DATE&page=0&pageSize=100&sortDirection=DESC"],
		["corporate list --sort-attribute update_date", "?sortAttribute=UPDATE_DATE&page=0&pageSize=100&sortDirection=DESC"],
		[`related list ${company}`, "?page=0&pageSize=100&sortDirection=DESC"],
		["ledger list --status ACTIVE --sort-direction asc", "?status=ACTIVE&page=0&pageSize=100&sortDirection=ASC"],
		["beneficiary list", "?page=0&pageSize=100&sortDirection=DESC"],
		["pay list", "?page=0&pageSize=100&sortDirection=DESC"],
	])("%s: the service is asked for the newest first", async (line, query) => {
		await world.json(line);
		expect(new URL(world.requests[0]?.url ?? "").search).toBe(query);
	});
});

const twins: Answers = {
	[companies]: page(
		{ id: company, externalId: "Twin", corporateName: "Example Trading SAS", kybStatus: "COMPLETING" },
		{ id: owner, corporateName: "Twin", kybStatus: "VALIDATED" },
	),
	[`${companies}/${company}`]: { body: { id: company } },
};

test("a text that fits two records is an error in a script, which lists both, and a choice at a terminal", async () => {
	world.wire = answering(twins);
	const ran = await world.purser("corporate show Twin --json");
	expect([ran.exit, ran.stdout, ran.error()]).toMatchObject([
		...[2, ""],
		{
			...{ code: "AMBIGUOUS", kind: "usage" },
			details: [
				{ field: "corporateId", message: `may be ${company} · Example Trading SAS · Twin · COMPLETING` },
				{ field: "corporateId", message: `may be ${owner} · Twin · VALIDATED` },
			],
		},
	]);
	expect((await world.purser("corporate show Twin", { answers: [company] })).exit).toBe(0);
	const choices = [{ value: company }, { value: owner }];
	expect(world.asked).toMatchObject([{ kind: "choose", message: 'Which company is "Twin"?', choices }]);
	expect(lines().at(-1)).toBe(`${companies}/${company}`);
});

describe("changing", () => {
	test("the journal records the id", async () => {
		expect((await world.purser('related update "Example Trading SAS/Ada Example" --position Chair --json')).exit).toBe(0);
		expect(lines().at(-2)).toBe(`PATCH /api/partner/corporates/related/${owner}`);
		const journal = JSON.stringify(world.journal);
		expect([journal.includes(owner), journal.includes("Ada Example")]).toEqual([true, false]);
	});

	test("a file may name records where an id may stand", async () => {
		world.wire = answering({
			...twins,
			[`${companies}/${company}/related`]: page({ id: owner, corporateName: "Holding" }),
			[`POST /api/partner/corporates/${company}/related`]: { status: 201, body: { id: savings } },
		});
		const entity = { firstName: "Grace", lastName: "Example", ownedCorporateId: "Holding", directSharesPercentage: "30" };
		const input = JSON.stringify({ corporateId: "Example Trading SAS", ...entity });
		expect((await world.purser("related add --file -", { input })).exit).toBe(0);
		expect(JSON.parse(world.changes()[0]?.body ?? "{}")).toMatchObject({ ownedCorporateId: owner });
	});

	test.each([{}, { answers: [] }])("in a list that was not seen whole, it is refused, at a terminal too: %j", async (options) => {
		const part = { body: { content: [{ id: company, corporateName: "Example Trading SAS" }], totalElements: 9 } };
		world.wire = answering({ ...twins, [companies]: [part, { body: { content: [], totalElements: 9 } }] });
		const ran = await world.purser('kyb request "Example Trading SAS"', options);
		expect([ran.exit, world.changes()]).toEqual([3, []]);
		expect(ran.stderr).toContain("the service did not list all companies");
		expect(ran.stderr).toContain(`give its id: ${company}`);
	});
});

describe("money", () => {
	const pay = (from: string, to: string, more = "--yes", options = {}) =>
		world.purser(`pay ledger --from "${from}" --to "${to}" --amount 10.00 ${more}`, options);
	const moved = (): boolean => world.changes().length > 0;
	const content = [
		{ id: main, friendlyName: "Main account", currency: "EUR" },
		{ id: savings, friendlyName: "Savings", currency: "EUR" },
	];

	test("in a script: exact names where the list was seen whole; the intent records the ids, and the answer whom", async () => {
		// A name from an earlier answer that says otherwise decides nothing.
		world.seen.push({ kind: "ledger", id: savings, name: "Main account" });
		const ran = await pay("Main account", "SAVINGS", "--yes --json");
		expect([ran.exit, ran.json().resolved]).toMatchObject([
			0,
			[
				{ argument: "--ledger-from-id", given: "Main account", kind: "ledger", id: main, name: "Main account" },
				{ argument: "--ledger-to-id", given: "SAVINGS", kind: "ledger", id: savings, name: "Savings" },
			],
		]);
		expect(world.journal[0]?.intent.transfer).toMatchObject({ ledgerFromId: main, counterpartyId: savings });
	});

	test("in a script the beginning of an id is refused before anything is journaled; at a terminal the preview shows whom", async () => {
		const text = "aaaaaaaa-0001";
		for (const [more, options] of [
			["--yes", {}],
			["--dry-run", {}],
			["--yes", { answers: [] }],
		] as const) {
			const ran = await pay(text, savings, more, options);
			expect([ran.exit, moved(), world.journal]).toEqual([3, false, []]);
			expect(ran.stderr).toContain("Say which ledger");
			expect(ran.stderr).toContain(`give its id: ${main}`);
		}
		const asked = await pay(text, savings, "", { answers: [true] });
		expect(asked.stderr).toContain(`From        Main account of Example Trading SAS · ${main} · ACTIVE`);
		expect([asked.exit, moved()]).toEqual([0, true]);
		// A plan is as strict.
		world.put("rows.csv", "beneficiaryId,amount\n");
		const plan = await world.purser(`pay batch plan rows.csv --ledger-from-id ${text}`);
		expect([plan.exit, plan.stderr]).toEqual([3, expect.stringContaining("Say which ledger")]);
	});

	test.each([
		["whole", 2, 0],
		["not whole", 7, 3],
	])("a list that is %s", async (_, totalElements, exit) => {
		world.wire = answering({
			"GET /api/partner/ledgers": [{ body: { content, totalElements } }, { body: { content: [], totalElements } }],
			[`GET /api/partner/ledgers/${main}`]: { body: content[0] },
			"POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: supplier } },
		});
		expect([(await pay("Main account", savings)).exit, moved(), world.journal.length]).toEqual([exit, exit === 0, Number(exit === 0)]);
		expect((await pay(main, savings, "--reference other --yes")).exit).toBe(0);
	});

	test.each([
		["are called", "Main account"],
		["fit", savings.slice(0, 8)],
	])("two ledgers that %s %j hold it back", async (how, name) => {
		const twin = { ...content[1], friendlyName: "main account" };
		world.wire = answering({ "GET /api/partner/ledgers": page({ ...content[0], friendlyName: name }, twin) });
		const ran = await pay(name, supplier);
		expect([ran.exit, moved(), world.journal]).toEqual([2, false, []]);
		expect(ran.stderr).toContain(`Say which ledger: two ${how} "${name}"; nothing was sent`);
	});
});

describe("who works with two profiles copies what is shown: it goes to the profile that the run was given", () => {
	const nobody = "33333333-3333-4333-8333-333333333333";
	test.each<[string, string, Record<string, string>, string]>([
		["by a flag", "--profile sandbox", {}, " --profile sandbox"],
		["by a variable", "", { PURSER_PROFILE: "sandbox" }, " --profile sandbox"],
		["by nothing", "", {}, ""],
	])("%s, an error's way out, for people and for programs, and the next step", async (_, flag, env, named) => {
		const wanted = `at another path: purser api list${named}`;
		const ran = await world.purser(`corporate show ${nobody} ${flag} --json`, { env });
		expect([ran.exit, ran.error().fix.includes(wanted), ran.stderr.includes("--profile")]).toEqual([5, true, named !== ""]);
		expect((await world.purser(`corporate show ${nobody} ${flag}`, { env })).stderr).toContain(wanted);
		expect((await world.purser(`terms show ${flag}`, { env })).stderr).toContain(`Next: purser corporate create${named}\n`);
		const pay = `pay ledger --ledger-from-id ${main} --ledger-to-id ${savings} --amount 10 ${flag}`;
		expect((await world.purser(pay, { env })).stderr).toContain("To confirm, add --yes, or look first with --dry-run.");
	});
});

describe("a record that is not named", () => {
	const florist = { id: company, corporateName: "Example Florist", kybStatus: "VALIDATED" };
	const personLine = `${companies}/related/${owner}`;

	test.each(["corporate show", "terms accept", "related list", "kyb request"])("%s: a company is chosen by its name", async (line) => {
		world.wire = answering({ [companies]: page(florist, { corporateName: "No id" }) });
		await world.purser(line, { answers: [company] });
		const choices = [{ value: company, label: "Example Florist · VALIDATED", hint: company }];
		expect(world.asked).toMatchObject([{ kind: "choose", choices }]);
		expect(world.requests[0]?.line).toBe(`${companies}?sortAttribute=UPDATE_DATE&page=0&pageSize=100&sortDirection=DESC`);
		expect(world.requests.length).toBeGreaterThanOrEqual(2);
	});

	test("a person is chosen by name, role and status, in the only company there is; with several, the company is chosen first", async () => {
		await world.purser("related show", { answers: [owner] });
		const label = "Ada Example · account owner, director, UBO · KYC VALIDATED";
		expect(world.asked).toMatchObject([{ kind: "choose", choices: [{ value: owner, label, hint: owner }] }]);
		const bakery = { id: main, corporateName: "Example Bakery", externalId: "crm-1", kybStatus: "COMPLETING" };
		world.wire = answering({
			[companies]: page(bakery, florist),
			[`${companies}/${company}/related`]: page({ id: owner, firstName: "Ada", lastName: "Example" }),
			[personLine]: { body: { id: owner } },
		});
		expect((await world.purser("related show", { answers: [company, owner] })).exit).toBe(0);
		expect(world.asked.map(({ choices }) => choices?.map(({ label }) => label))).toEqual([
			["Example Bakery · crm-1 · COMPLETING", "Example Florist · VALIDATED"],
			["Ada Example"],
		]);
	});

	test("without a list the id is typed; an update offers what is often changed", async () => {
		world.wire = answering({ [personLine]: { body: { id: owner } } });
		expect((await world.purser("related show", { answers: ["Example", owner] })).exit).toBe(0);
		expect(world.asked.map(({ kind }) => kind)).toEqual(["text", "text"]);
		world.wire = answering({ [companies]: page(florist), [`PATCH /api/partner/corporates/${company}`]: {} });
		expect((await world.purser("corporate update", { answers: [company, "crm-4712", "", true] })).exit).toBe(0);
		expect(world.changes()[0]?.body).toBe('{"externalId":"crm-4712"}');
	});

	test("what was given wrong is told before anything is asked, and where the ids are", async () => {
		const ran = await world.purser("related add Example --type COMPANY", { answers: [], columns: 100 });
		expect([ran.exit, world.asked, world.requests.length]).toEqual([3, [], 1]);
		expect(ran.stderr).toContain('No company fits "Example"');
		expect(ran.stderr).toContain("Similar: Example Trading SAS. The companies are shown by: purser corporate list");
	});
});
