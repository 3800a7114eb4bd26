/**
 * What holds a KYB request back, in `kyb request` and `onboard apply --request-kyb` alike, and how it is passed. Which declarations lack a
 * director or an owner is in test/onboarding/ownership.test.ts.
 */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, through } from "../onboarding/case-world.js";
import type { Ran, RunOptions, World } from "../support/purser.js";

afterAll(removeFolders);

const caseOf = (ownership: string, more = "") => `corporate:
  externalId: gate-1
  corporateName: Example Gate SAS
  incorporationCountry: FRA
  incorporationCode: "1"
  industry: CHARITY_RECOGNIZED
  registeredAddress: {isoCountryCode: FRA, city: Exampleville}
  expectedMonthlyExpenses: {value: LESS_THAN_10_000, currency: EUR}
accountOwner: {firstName: Ada, lastName: Example, emailAddress: ada@example.com, position: CEO, isDirector: true, isUbo: true}
ownership: [${ownership}]
${more}`;
const owns = (percentage: number) => `{owner: accountOwner, owned: corporate, percentage: ${percentage}}`;
const whole = caseOf(owns(100));
const without = (text: string) => text.replace("isDirector: true, isUbo", "isDirector: false, isUbo");
const grace = "persons: [{key: grace, firstName: Grace, lastName: Sample, isUbo: true}]";
const faulty = {
	"no-director": without(whole),
	"shares-over-100": caseOf(`${owns(60)}, {owner: grace, owned: corporate, percentage: 60}`, grace),
	"owner-missing": caseOf(owns(70)),
} as const;
const because = '--reason "Agreed with compliance"';
const unseen = `--despite review-not-seen ${because}`;

let world: World;
beforeEach(async () => {
	world = await caseWorld();
});

const company = (): string => world.sandbox.state.corporates.at(-1)?.id as string;
const apply = (more = "", options?: RunOptions): Promise<Ran> => world.purser(`onboard apply case.yaml --request-kyb ${more}`, options);
const request = (more = "", options?: RunOptions): Promise<Ran> => world.purser(`kyb request ${company()} ${more}`, options);
const digest = async (): Promise<string> => (await world.json(`corporate review ${company()}`)).sha256;
const reviewed = async (more = ""): Promise<Ran> => request(`--reviewed ${await digest()} ${more}`);
const requests = (): number => world.requests.filter(({ line }) => line.startsWith("POST /api/") && line.endsWith("/kyb")).length;
/** The gates of an error. */
const gatesOf = ({ stderr }: Ran): string[] =>
	JSON.parse(stderr.split("\n").find((line) => line.startsWith('{"error"')) as string).error.details.map(
		({ field }: { field: string }) => field,
	);
async function declared(text: string): Promise<void> {
	world.put("case.yaml", text);
	expect((await world.purser("onboard apply case.yaml")).exit).toBe(0);
}

describe.each(Object.entries(faulty))("%s", (gate, text) => {
	it("holds the KYB of apply back, and --despite with a reason passes it", async () => {
		world.put("case.yaml", text);
		const held = await apply(`${unseen} --json`);
		expect([held.exit, held.json().cases[0].steps.at(-1).state, gatesOf(held), requests()]).toEqual([10, "blocked", [gate], 0]);
		const other = gate === "no-director" ? "owner-missing" : "no-director";
		expect((await apply(`--despite ${other} ${because}`)).exit).toBe(10);
		expect((await apply(`--despite ${gate} ${unseen}`)).exit).toBe(0);
		expect(world.sandbox.state.corporates.at(-1)?.kyb.status).toBe("PENDING_VERIFICATION");
	});

	it("holds kyb request back alike, and what is passed is recorded with the reason", async () => {
		await declared(text);
		const held = await reviewed("--json");
		expect([held.exit, gatesOf(held), requests()]).toEqual([10, [gate], 0]);
		expect((await reviewed(`--despite ${gate} ${because}`)).exit).toBe(0);
		const [newest] = await world.json("history list");
		const despite = { intents: [], gates: [gate], reason: "Agreed with compliance" };
		expect(newest).toMatchObject({ operation: "kyb.request", despite, reviewed: expect.stringMatching(/^[0-9a-f]{64}$/) });
		const shown = await world.purser(`history show ${newest.intent}`, { columns: 200 });
		expect(shown.stdout).toContain(`${gate}: Agreed with compliance`);
	});
});

describe("review-not-seen", () => {
	beforeEach(() => declared(whole));

	it("kyb request in a script: exit 10; with the digest of the review, 0", async () => {
		const held = await request("--json");
		expect([held.exit, gatesOf(held)]).toEqual([10, ["review-not-seen"]]);
		const wrong = await request(`--reviewed ${"0".repeat(64)}`);
		expect([wrong.exit, wrong.stderr]).toEqual([10, expect.stringContaining("it may have changed")]);
		expect((await request("--yes")).exit).toBe(10);
		expect([(await reviewed()).exit, requests()]).toEqual([0, 1]);
		// Under way: a second request changes nothing, and no gate is asked about.
		expect((await apply()).exit).toBe(0);
	});

	it("a request whose answer was lost is settled by the next run; until then its page says how a person does", async () => {
		through(world, (line, answer) => (line.endsWith("/kyb") ? undefined : answer));
		expect((await apply(unseen)).exit).toBe(7);
		world.wire = undefined;
		const [{ intent, settle }] = await world.json("pay doubts");
		expect(settle).toBe(`purser history show ${intent}`);
		expect((await world.purser(`history show ${intent}`)).stderr).toContain(`purser pay settle ${intent} --created --reason TEXT\n`);
		expect([(await apply()).exit, await world.json("pay doubts")]).toEqual([0, []]);
	});

	it("the report of apply shows each step on its own line", async () => {
		const held = await apply();
		expect([held.exit, held.stdout.includes("\u240a")]).toEqual([10, false]);
		expect(held.stdout).toMatch(new RegExp(`Then say that it was read: purser kyb request \\S+ --reviewed ${await digest()}\n`));
	});

	it.each([
		["the digest that was said", async () => `--reviewed ${await digest()}`, "--reviewed"],
		["the gate that was passed", async () => unseen, "--despite review-not-seen"],
	])("the command for another gate keeps %s", async (_, said, kept) => {
		for (const record of world.sandbox.state.related) delete record.fields.isDirector;
		const held = await request(await said(), { columns: 1000 });
		expect([held.exit, held.stderr.includes("review-not-seen The")]).toEqual([10, false]);
		const line = /purser (kyb request .*)$/m.exec(held.stderr)?.[1] as string;
		expect(line).toContain(kept);
		expect((await world.purser(line.split(" "))).exit).toBe(0);
	});

	it("at a terminal the review is shown and asked about once; a No sends nothing", async () => {
		const no = await request("", { answers: [false] });
		expect([no.exit, requests(), no.stdout]).toEqual([10, 0, expect.stringContaining("Due diligence review")]);
		expect(no.stderr).toBe("You answered No. Nothing was requested\n  Next: Run the same command and answer Yes after reading.\n");
		const yes = await request("", { answers: [true] });
		const question = "Have you read this due-diligence review of Example Gate SAS, and is it right?";
		expect([yes.exit, requests(), world.asked.map(({ message }) => message)]).toEqual([0, 1, [question]]);
	});

	it("apply in a script keeps the digest, and goes on with it", async () => {
		const held = await apply("--kyc-links --json");
		const [{ state, error, steps }] = held.json().cases;
		const kyb = steps.find(({ what }: { what: string }) => what === "KYB");
		expect([held.exit, state, error.code, kyb.state]).toEqual([10, "incomplete", "KYB_HELD_BACK", "blocked"]);
		expect(kyb.reviewed).toBe(await digest());
		const why = `once it is requested: purser kyc link --all --corporate-id ${company()}`;
		expect([steps.at(-1).state, steps.at(-1).why]).toEqual(["not sent", expect.stringContaining(why)]);
		const passed = await apply(`--kyc-links --reviewed ${kyb.reviewed} --json`);
		expect([passed.exit, passed.json().cases[0].state, requests()]).toEqual([0, "applied", 1]);
	});

	it("apply at a terminal asks, goes on after a Yes, and reports each step once", async () => {
		const no = await apply("--send-email-link", { answers: [false] });
		expect([no.exit, requests(), no.stdout]).toEqual([10, 0, expect.stringContaining("You answered No")]);
		expect(no.stdout).toContain("\n  You answered No\n  Next: Run the same command and answer Yes after reading.\n");
		const yes = await apply("--send-email-link --kyc-links", { answers: [true] });
		expect([yes.exit, requests(), yes.stdout.match(/KYB of Example Gate SAS/g)?.length]).toEqual([0, 1, 1]);
	});

	it("is told and does not hold back where the service has no review, or lists nobody", async () => {
		through(world, (line, answer) => (line.includes("/diligence-review") || line.endsWith("/related") ? 404 : answer));
		const ran = await request();
		expect(ran.exit, ran.stderr).toBe(0);
		expect(ran.stderr).toContain("whether the due-diligence review was read was not checked");
		expect(ran.stderr).toContain("whether a director and every owner are declared was not checked");
	});

	it("neither does a part of a list hold back: told", async () => {
		await world.purser(`related update ${world.sandbox.state.related.at(-1)?.id} --no-is-director`);
		through(world, (line, answer) => (line.endsWith("/related") ? answer.replace(/"totalElements":\d+/, '"totalElements":9') : answer));
		const ran = await reviewed();
		expect(ran.exit, ran.stderr).toBe(0);
		expect(ran.stderr).toContain("The service did not list all related entities");
	});
});

it("a KYB that was declined ends apply with 5, as kyb status, with the reason", async () => {
	await declared(whole);
	await reviewed();
	await world.purser(`sandbox simulate kyb ${company()} --outcome DECLINED --reason "Sanctions list"`);
	const ran = await apply();
	expect([ran.exit, ran.stderr + ran.stdout]).toEqual([5, expect.stringContaining("was declined: Sanctions list")]);
	// Also where the same run did something else.
	expect([(await apply("--send-email-link")).exit, requests()]).toEqual([5, 1]);
	expect((await request()).exit).toBe(5);
});

it.each([
	["--request-kyb --despite no-director", 2],
	[`--despite no-director ${because}`, 3],
	[`--request-kyb --despite no-such-gate ${because}`, 3],
])("onboard apply %s is refused: exit %i", async (flags, exit) => {
	world.put("case.yaml", whole);
	expect((await world.purser(`onboard apply case.yaml ${flags}`)).exit).toBe(exit);
});

it("a company without a name is created, and told by its externalId", async () => {
	world.put("case.yaml", without(whole).replace("Example Gate SAS", '""'));
	const applied = await world.purser("onboard apply case.yaml");
	expect([applied.exit, applied.stdout]).toEqual([0, expect.stringContaining("gate-1")]);
	expect(applied.stderr).toContain("corporate.corporateName is given and empty");
	expect(world.sandbox.state.corporates.at(-1)?.fields.corporateName).toBe("");
	expect((await world.purser("onboard plan case.yaml")).stdout).toContain("0 to create, 0 to update");
});
