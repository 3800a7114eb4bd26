/**
 * Commands whose records are named by something else than their id: in a script, at a terminal, in a file, for reads, changes and money.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

const company = "11111111-1111-4111-8111-111111111111";
const owner = "22222222-2222-4222-8222-222222222222";
const [main, savings] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"];
const supplier = "bbbbbbbb-0001-4000-8000-000000000001";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

const lines = (): string[] => world.requests.map(({ line }) => line.replace(/\?.*/, ""));

describe("reading", () => {
	test("a name takes one request for the list, and what was taken for it is in the answer", async () => {
		const ran = await world.purser('corporate show "example trading sas" --json');
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(ran.json()).toMatchObject({
			id: company,
			resolved: [{ argument: "CORPORATE", given: "example trading sas", kind: "corporate", id: company, name: "Example Trading SAS" }],
		});
		expect(lines()).toEqual(["GET /api/partner/corporates", `GET /api/partner/corporates/${company}`]);
	});

	test("a UUID takes no request, and the answer is the service's alone", async () => {
		const ran = await world.purser(`corporate show ${company.toUpperCase()} --json`);
		expect(lines()).toHaveLength(1);
		expect(ran.json()).not.toHaveProperty("resolved");
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
});

const twins: Answers = {
	"GET /api/partner/corporates": {
		body: {
			content: [
				{ id: company, externalId: "Twin", corporateName: "Example Trading SAS", kybStatus: "COMPLETING" },
				{ id: owner, corporateName: "Twin", kybStatus: "VALIDATED" },
			],
			totalElements: 2,
		},
	},
	[`GET /api/partner/corporates/${company}`]: { body: { id: company } },
	[`POST /api/partner/corporates/${company}/kyb`]: {},
};

describe("a text that fits two records", () => {
	test("is an error in a script, which lists both", async () => {
		world.wire = answering(twins);
		const ran = await world.purser("corporate show Twin --json");
		expect([ran.exit, ran.stdout]).toEqual([2, ""]);
		expect(ran.error()).toMatchObject({
			code: "AMBIGUOUS",
			kind: "usage",
			details: [
				{ field: "corporateId", message: `may be ${company} · Example Trading SAS · Twin · COMPLETING` },
				{ field: "corporateId", message: `may be ${owner} · Twin · VALIDATED` },
			],
		});
	});

	test("is a choice at a terminal", async () => {
		world.wire = answering(twins);
		const ran = await world.purser("corporate show Twin", { answers: [company] });
		expect(ran.exit).toBe(0);
		expect(world.asked).toMatchObject([
			{ kind: "choose", message: 'Which company is "Twin"?', choices: [{ value: company }, { value: owner }] },
		]);
		expect(lines().at(-1)).toBe(`GET /api/partner/corporates/${company}`);
	});
});

describe("changing", () => {
	const partial: Answers = {
		...twins,
		"GET /api/partner/corporates": [
			{ body: { content: [{ id: company, corporateName: "Example Trading SAS" }], totalElements: 9 } },
			{ body: { content: [], totalElements: 9 } },
		],
	};

	test("the journal records the id", async () => {
		const ran = await world.purser('related update "Example Trading SAS/Ada Example" --position Chair --json');
		expect(ran.exit).toBe(0);
		expect(lines().at(-2)).toBe(`PATCH /api/partner/corporates/related/${owner}`);
		expect(JSON.stringify(world.journal)).toContain(owner);
		expect(JSON.stringify(world.journal)).not.toContain("Ada Example");
	});

	test("a file may name records where an id may stand", async () => {
		world.wire = answering({
			"GET /api/partner/corporates": twins["GET /api/partner/corporates"] as never,
			[`GET /api/partner/corporates/${company}/related`]: {
				body: { content: [{ id: owner, corporateName: "Holding" }], totalElements: 1 },
			},
			[`POST /api/partner/corporates/${company}/related`]: { status: 201, body: { id: savings } },
		});
		const entity = { firstName: "Grace", lastName: "Example", ownedCorporateId: "Holding", directSharesPercentage: "30" };
		const input = JSON.stringify({ corporateId: "Example Trading SAS", ...entity });
		const ran = await world.purser("related add --file -", { input });
		expect(ran.exit).toBe(0);
		const sent = world.requests.find(({ method }) => method === "POST");
		expect(JSON.parse(sent?.body ?? "{}")).toMatchObject({ ownedCorporateId: owner });
	});

	test("in a list that was not seen whole, it is refused, at a terminal too", async () => {
		for (const options of [{}, { answers: [] }]) {
			world.wire = answering(partial);
			const ran = await world.purser('kyb request "Example Trading SAS"', options);
			expect(ran.exit).toBe(3);
			expect(ran.stderr).toContain("the service did not list all companies");
			expect(ran.stderr).toContain(`give its id: ${company}`);
		}
		expect(world.requests.every(({ method }) => method === "GET")).toBe(true);
	});
});

describe("money", () => {
	const pay = (from: string, to: string, ...more: string[]): string[] => [
		...["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.00"],
		...more,
	];
	const moved = (): boolean => world.requests.some(({ method }) => method === "POST");

	test("in a script: exact names where the list was seen whole; the intent records the ids, and the answer whom", async () => {
		const ran = await world.purser(pay("Main account", "SAVINGS", "--yes", "--json"));
		expect(ran.exit).toBe(0);
		expect(ran.json().resolved).toMatchObject([
			{ argument: "--ledger-from-id", given: "Main account", kind: "ledger", id: main, name: "Main account" },
			{ argument: "--ledger-to-id", given: "SAVINGS", kind: "ledger", id: savings, name: "Savings" },
		]);
		expect(world.journal[0]?.intent.transfer).toMatchObject({ ledgerFromId: main, counterpartyId: savings });
	});

	test("in a script the beginning of an id is refused before anything is journaled; at a terminal the preview shows whom", async () => {
		const text = "aaaaaaaa-0001";
		for (const more of [["--yes"], ["--dry-run"]]) {
			const ran = await world.purser(pay(text, savings, ...more));
			expect([ran.exit, moved(), world.journal]).toEqual([3, false, []]);
			expect(ran.stderr).toContain("Say which ledger");
			expect(ran.stderr).toContain(`give its id: ${main}`);
		}
		const hurried = await world.purser(pay(text, savings, "--yes"), { answers: [] });
		expect([hurried.exit, moved()]).toEqual([3, false]);
		const asked = await world.purser(pay(text, savings), { answers: [true] });
		expect(asked.stderr).toContain(`From        Main account of Example Trading SAS · ${main} · ACTIVE`);
		expect([asked.exit, moved()]).toEqual([0, true]);
	});

	test.each([
		["whole", 2, 0],
		["not whole", 7, 3],
	])("a list that is %s", async (_, totalElements, exit) => {
		const content = [
			{ id: main, friendlyName: "Main account", currency: "EUR" },
			{ id: savings, friendlyName: "Savings", currency: "EUR" },
		];
		world.wire = answering({
			"GET /api/partner/ledgers": [{ body: { content, totalElements } }, { body: { content: [], totalElements } }],
			[`GET /api/partner/ledgers/${main}`]: { body: content[0] },
			"POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: supplier } },
		});
		const ran = await world.purser(pay("Main account", savings, "--yes"));
		expect([ran.exit, moved(), world.journal.length]).toEqual([exit, exit === 0, exit === 0 ? 1 : 0]);
		expect(
			(await world.purser(pay(main, savings, "--amount=11", "--yes").filter((word) => word !== "--amount" && word !== "10.00"))).exit,
		).toBe(0);
	});

	test("two ledgers of one name, or a name that begins another's id, hold it back", async () => {
		for (const name of ["Main account", savings.slice(0, 8)]) {
			const content = [
				{ id: main, friendlyName: name, currency: "EUR" },
				{ id: savings, friendlyName: "main account" },
			];
			world.wire = answering({ "GET /api/partner/ledgers": { body: { content, totalElements: 2 } } });
			const ran = await world.purser(pay(name, supplier, "--yes"));
			expect([ran.exit, moved(), world.journal]).toEqual([2, false, []]);
			expect(ran.stderr).toContain(`Say which ledger: two ${name === "Main account" ? "are called" : "fit"} "${name}"; nothing was sent`);
		}
	});

	test("a name from an earlier answer that says otherwise decides nothing", async () => {
		world.seen.push({ kind: "ledger", id: savings, name: "Main account" });
		const ran = await world.purser(pay("Main account", savings, "--yes", "--json"));
		expect(ran.json().resolved).toMatchObject([{ id: main }]);
	});

	test("what decides about money is as strict: a plan, and a doubt's ledger", async () => {
		world.files.set("rows.csv", new TextEncoder().encode("beneficiaryId,amount\n"));
		const ran = await world.purser("pay batch plan rows.csv --ledger-from-id aaaaaaaa-0001");
		expect(ran.exit).toBe(3);
		expect(ran.stderr).toContain("Say which ledger");
	});
});
