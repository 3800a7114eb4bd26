/** Somebody who holds shares of two companies: a declaration takes one holding. */
import { expect, it } from "vitest";
import { apply, caseWorld, put, through } from "./case-world.js";

/** The company of the cases of these tests, and its account owner. */
const base = {
	corporate: {
		...{ externalId: "crm-several", corporateName: "Example Several SAS", incorporationCountry: "FRA", incorporationCode: "77" },
		...{ industry: "FOOD_RESTAURANT_CATERING", registeredAddress: {} },
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	},
	accountOwner: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO", isDirector: true },
	companies: [{ key: "holding", corporateName: "Example Holding BV" }],
};
const holdings = (...all: [owner: string, owned: string, percentage: string][]) =>
	all.map(([owner, owned, percentage]) => ({ owner, owned, percentage }));
const several = {
	...base,
	persons: [{ key: "grace", firstName: "Grace", lastName: "Sample", isUbo: true }],
	ownership: holdings(["grace", "holding", "100"], ["grace", "corporate", "30"], ["holding", "corporate", "70"]),
};

interface Step {
	what: string;
	name: string;
	state?: string;
	action?: string;
	why: string;
}
const applied = async (of: object, more = "") => {
	const world = await caseWorld();
	put(world, "case.yaml", JSON.stringify(of));
	const ran = await apply(world, "--json", more);
	const { related } = world.sandbox.state;
	const record = (name: string) => related.find(({ fields }) => fields.firstName === name || fields.corporateName === name);
	const plan = async () => (await world.purser(["onboard", "plan", "case.yaml", "--json"])).json().cases[0];
	return { world, ran, run: ran.json().cases[0] as { state: string; steps: Step[] }, record, plan };
};

it("one of several holdings is sent, the one of the corporate; the others are told with what can be typed", async () => {
	const { ran, run, record, plan } = await applied(several);
	expect([ran.exit, run.state]).toEqual([9, "incomplete"]);
	const grace = record("Grace");
	expect(grace?.fields).toMatchObject({ directSharesPercentage: { text: "30" } });
	expect(grace?.fields.ownedCorporateId).toBeUndefined();
	const blocked = run.steps.filter(({ state }) => state === "blocked");
	expect(blocked).toMatchObject([{ what: "shares", name: "Grace Sample of holding" }]);
	const again = await plan();
	expect(again.summary).toMatchObject({ create: 0, update: 0, blocked: 1 });
	const command = `purser related update ${grace?.id} --set 'shares=[{"ownedCorporateId":"${record("Example Holding BV")?.id}","directSharesPercentage":100},{"directSharesPercentage":30}]'`;
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
});

it("the KYC links of a case count both holdings, although the record shows one: 20 % and 50 % of what holds 20 %", async () => {
	const { run } = await applied(
		{
			...base,
			persons: [{ key: "grace", firstName: "Grace", lastName: "Sample" }],
			ownership: holdings(
				["grace", "corporate", "20"],
				["grace", "holding", "50"],
				["holding", "corporate", "20"],
				["accountOwner", "corporate", "60"],
			),
		},
		"--kyc-links",
	);
	expect(run.steps.flatMap(({ what, name }) => (what === "KYC link" ? [name] : []))).toEqual(["Ada Example", "Grace Sample"]);
});

it("where the record lists them, however they came there, nothing is left to do", async () => {
	const { world, record, plan } = await applied(several);
	const shares = [
		{ ownedCorporate: world.sandbox.state.corporates.at(-1)?.id, directSharesPercentage: 30 },
		{ ownedCorporate: record("Example Holding BV")?.id, directSharesPercentage: 100 },
	];
	through(world, (line, answer) => {
		if (!line.endsWith("/related")) return answer;
		const page = JSON.parse(answer);
		for (const one of page.content) if (one.id === record("Grace")?.id) Object.assign(one, { shares });
		return JSON.stringify(page);
	});
	expect((await plan()).summary).toEqual({ create: 0, update: 0, left: 7, blocked: 0 });
});
