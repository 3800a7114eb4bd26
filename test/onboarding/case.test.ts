/**
 * What a case file says: its form, what it tells of acceptances and persons, and holdings of which a declaration takes one.
 */
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { filledIn } from "../support/template.js";
import { appliedCase, apply, caseIn, caseWorld, changes, errorOf, layers, put } from "./case-world.js";

afterAll(removeFolders);

const base = {
	corporate: {
		...{ externalId: "crm-1", corporateName: "Example SAS", incorporationCountry: "FRA", incorporationCode: "1" },
		...{ industry: "FOOD_RESTAURANT_CATERING", registeredAddress: {} },
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	},
	accountOwner: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO", isDirector: true },
};
const grace = { key: "grace", firstName: "Grace", lastName: "Sample" };
const companies = [{ key: "holding", corporateName: "Example Holding BV" }];
const held = (owner: string, owned: string, percentage = "10") => ({ ownership: [{ owner, owned, percentage }] });

describe("a case file", () => {
	const spoken = (phone: unknown) =>
		JSON.stringify({ ...base, accountOwner: { ...base.accountOwner, nationality: "united kingdom", phone } }).replace('"FRA"', '"France"');

	it("takes a country by its name and a phone as one text, and what is sent is what the service takes", async () => {
		const world = await caseIn(spoken("+44 7700 900-001"));
		expect((await apply(world)).exit).toBe(0);
		const body = JSON.parse(world.requests.find(({ method }) => method === "POST")?.body ?? "{}");
		expect([body.incorporationCountry, body.accountOwnerInfo.nationality, body.accountOwnerInfo.phone]).toEqual([
			"FRA",
			"GBR",
			{ countryCode: "44", number: "7700900001" },
		]);
	});

	it("a 0 for calls within the country is asked about at a terminal; a script is told what to write", async () => {
		const world = await caseIn(spoken("+44 (0)7700 900001"));
		const scripted = await apply(world, "--json");
		expect([scripted.exit, errorOf(scripted).details]).toEqual([
			3,
			[{ field: "accountOwner.phone.number", message: "begins with a 0 that is only dialled within the country; write +44 7700900001" }],
		]);
		expect((await world.purser(["onboard", "apply", "case.yaml"], { answers: [false] })).exit).toBe(3);
		expect(world.requests).toEqual([]);
		expect((await world.purser(["onboard", "apply", "case.yaml"], { answers: [true] })).exit).toBe(0);
		expect(world.asked[0]?.message).toBe(
			"The 0 before this number is only dialled within the country: 07700900001 (as +44 7700900001). Leave it out?",
		);
		expect(world.requests.find(({ method }) => method === "POST")?.body).toContain('"phone":{"countryCode":"44","number":"7700900001"}');
	});

	it.each([
		["an owner who is not in the file", held("nobody", "corporate"), "ownership.0.owner is not a key of this file: nobody"],
		[
			"shares of a person",
			{ persons: [grace], ...held("accountOwner", "grace") },
			"ownership.0.owned is a person, and only companies have shares: grace",
		],
		[
			"the corporate as an owner",
			{ companies, ...held("corporate", "holding") },
			"ownership.0.owner cannot be the company itself: what it holds is not declared",
		],
		["a key twice", { persons: [grace, { ...grace, lastName: "Other" }] }, "persons.1.key appears twice in the file: grace"],
		[
			"the same externalId twice",
			{ persons: [grace, { ...grace, key: "g2", externalId: "crm-1/fa60fdcc89362952" }] },
			'persons.1.externalId "crm-1/fa60fdcc89362952" is also used by grace',
		],
		["a misspelt field", { persons: [{ ...grace, fristName: "x" }] }, "persons.0.fristName is not a known field; did you mean firstName?"],
		[
			"more than a hundred percent",
			{ persons: [grace], ...held("grace", "corporate", "100.01") },
			"ownership.0.percentage is 100.01; a percentage is at most 100",
		],
		["another version", { version: "2" }, "version must be 1, the only version there is"],
		["no corporate", { corporate: undefined }, "corporate is required"],
	])("%s is refused before anything is sent", async (_, more, fault) => {
		const world = await caseIn(JSON.stringify({ ...base, ...more }));
		const ran = await world.purser(["onboard", "plan", "case.yaml", "--json"]);
		expect([ran.exit, world.requests]).toEqual([3, []]);
		const told = errorOf(ran).details.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
		expect(told).toContain(fault);
	});

	it("the template with its examples written in is a case: it is planned and applied", async () => {
		const world = await caseWorld();
		const { stdout } = await world.purser(["onboard", "plan", "--print-template"]);
		put(world, "case.yaml", filledIn(stdout));
		const applied = await apply(world);
		expect([applied.exit, applied.stderr.includes("Warning")]).toEqual([0, false]);
		expect(applied.stderr).toContain("Next: purser corporate status 'Example Bakery SAS'\n");
		expect(world.sandbox.state.related.at(-1)?.fields.externalId).toBe("crm-4711/b2f637624e0695d8");
		// Once everything is there, there is nothing to apply.
		const id = world.sandbox.state.corporates.at(-1)?.id;
		expect((await world.purser(["onboard", "plan", "case.yaml"])).stderr).toBe(`Next: purser corporate status ${id}\n`);
	});

	it("the template names what is not filled in by its labels and lines, grouped; the check is of the whole text", async () => {
		const world = await caseWorld();
		const { stdout } = await world.purser(["onboard", "plan", "--print-template"]);
		put(world, "case.yaml", stdout);
		const ran = await world.purser(["onboard", "apply", "case.yaml"]);
		expect([ran.exit, ran.stderr.split("\n").slice(0, 6)]).toEqual([
			3,
			[
				"Error: case.yaml: Not filled in yet: 23 fields, first at line 7 (corporate.externalId); nothing was sent",
				expect.stringMatching(
					/^ {2}The company: Your reference for this company \(line 7\), Official name \(line 8\), .*, House number \(line 21\)$/,
				),
				"  Due diligence: Industry (line 15), Range of monthly expenses (line 24), Currency of the range (line 25)",
				"  The account owner: First name (line 30), Last name (line 31), Email (line 32), Position in the company (line 33)",
				"  Owners and directors: First name (line 43), Last name (line 44), Email (line 46), Nationality (line 48)",
				"  Owning companies: Official name (line 54), Country of registration (line 55), Incorporation code (line 56)",
			],
		]);
		put(world, "case.yaml", `\n---\n${stdout.replaceAll("CHANGE-ME", "x").replace("firstName: x", 'firstName: "Ada CHANGE-ME"')}`);
		expect(errorOf(await apply(world, "--json"))).toMatchObject({
			code: "TEMPLATE_NOT_EDITED",
			details: [{ field: "accountOwner.firstName", line: 32, message: "is not filled in yet" }],
		});
	});

	it("with every optional line taken in, the template is a case too", async () => {
		const world = await caseWorld();
		const { stdout } = await world.purser(["onboard", "plan", "--print-template"]);
		const lines = stdout.split("\n").map((line, at) => (at < 3 ? line : line.replace(/^(\s*)# /, "$1")));
		expect(lines).toContain("terms:  # which version the account owner accepted; purser terms show");
		put(world, "case.yaml", filledIn(lines.join("\n")));
		const ran = await apply(world);
		expect(ran.exit, ran.stderr).toBe(0);
		expect(world.sandbox.state.related.at(-1)?.fields.externalId).toBe("crm-4711-grace");
	});
});

const planOf = async (text: string) => (await caseIn(text)).purser(["onboard", "plan", "case.yaml"]);

// The world's clock stands at 2026-03-01T10:00:00Z.
it.each([
	["2026-02-28", 0, ""],
	["2026-03-01T10:30:00Z", 0, ""],
	["2026-03-01T11:30:00+02:00", 0, ""],
	["2026-02-29", 3, "not a valid date or time"],
	["2026-02-28T24:30:00Z", 3, "not a valid date or time"],
	["2026-03-03", 3, "is in the future"],
])("terms accepted at %s: exit %i %s", async (at, exit, why) => {
	const ran = await planOf(layers.replace(/acceptedAt: [^}]*/, `acceptedAt: "${at}"`));
	expect([ran.exit, ran.stderr.includes(why)]).toEqual([exit, true]);
});

it.each([
	["ada, lastName: Example, emailAddress: Ada@example.com", true],
	["Ada, lastName: Example, emailAddress: other@example.com", false],
])("the account owner among the persons (%s) is told: %s; another email is another person", async (named, told) => {
	const { stderr } = await planOf(layers.replace("persons:", `persons:\n  - {key: again, firstName: ${named}}`));
	expect(stderr.includes("again has the name and email of accountOwner")).toBe(told);
});

describe("somebody who holds shares of two companies: a declaration takes one holding", () => {
	const holdings = (...all: [owner: string, owned: string, percentage: string][]) =>
		all.map(([owner, owned, percentage]) => ({ owner, owned, percentage }));
	const several = {
		...base,
		companies,
		persons: [{ ...grace, isUbo: true }],
		ownership: holdings(["grace", "holding", "100"], ["grace", "corporate", "30"], ["holding", "corporate", "70"]),
	};
	const one = (company: string, percentage: string) =>
		JSON.stringify({ ...several, ownership: holdings(["grace", company, percentage], ["holding", "corporate", "60"]) });

	interface Step {
		what: string;
		name: string;
		state?: string;
		action?: string;
		why: string;
	}
	const applied = async (of: object, more = "") => {
		const world = await caseIn(JSON.stringify(of));
		const ran = await apply(world, "--json", more);
		const { related } = world.sandbox.state;
		const record = (name: string) => related.find(({ fields }) => fields.firstName === name || fields.corporateName === name);
		const plan = async () => (await world.purser(["onboard", "plan", "case.yaml", "--json"])).json().cases[0];
		return { world, ran, run: ran.json().cases[0] as { state: string; steps: Step[] }, record, plan };
	};

	it("one of several holdings is sent, the one of the corporate; the others are told with what can be typed", async () => {
		const { ran, run, record, plan } = await applied(several);
		expect([ran.exit, run.state]).toEqual([9, "incomplete"]);
		const owner = record("Grace");
		expect(owner?.fields).toMatchObject({ directSharesPercentage: { text: "30" } });
		expect(owner?.fields.ownedCorporateId).toBeUndefined();
		const blocked = run.steps.filter(({ state }) => state === "blocked");
		expect(blocked).toMatchObject([{ what: "shares", name: "Grace Sample of holding" }]);
		const again = await plan();
		expect(again.summary).toMatchObject({ create: 0, update: 0, blocked: 1 });
		const command = `purser related update ${owner?.id} --set 'shares=[{"ownedCorporateId":"${record("Example Holding BV")?.id}","directSharesPercentage":100},{"directSharesPercentage":30}]'`;
		expect(again.steps.find(({ action }: Step) => action === "blocked").why).toContain(command);
		// The first run says the same: it knows the ids by its end.
		expect(blocked[0]?.why).toContain(command);
	});

	it("once a person has typed the command that is shown, and the record shows both, the case is complete", async () => {
		const { world, run } = await applied(several);
		const why = run.steps.find(({ state }) => state === "blocked")?.why ?? "";
		const [, line = "", set = ""] = /purser (related update \S+ --set) '([^']*)'/.exec(why) ?? [];
		const sent = await world.purser([...line.split(" "), set]);
		expect(sent.exit, sent.stderr).toBe(0);
		const again = await apply(world, "--json");
		expect([again.exit, again.json().cases[0].state]).toEqual([0, "applied"]);
		// One of the two would take the place of both.
		put(world, "case.yaml", one("corporate", "40"));
		world.requests.length = 0;
		expect([(await apply(world)).exit, changes(world)]).toEqual([9, [expect.stringContaining('{"directSharesPercentage":60}')]]);
	});

	it("a holding that is of another company by now is written with it, as the record would keep the earlier one", async () => {
		const world = await appliedCase(one("holding", "10"), JSON.stringify(several));
		// What the case keeps is not moved away.
		expect([(await apply(world)).exit, changes(world)]).toEqual([9, [expect.stringContaining('{"directSharesPercentage":70}')]]);
		put(world, "case.yaml", one("corporate", "10"));
		world.requests.length = 0;
		expect((await apply(world)).exit).toBe(0);
		const corporateId = world.sandbox.state.corporates.at(-1)?.id;
		expect(changes(world).at(-1)).toContain(`{"directSharesPercentage":10,"ownedCorporateId":"${corporateId}"}`);
		expect((await world.purser(["onboard", "plan", "case.yaml"])).stdout).toContain("0 to create, 0 to update");
	});
});
