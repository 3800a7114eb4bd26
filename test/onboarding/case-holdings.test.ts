import { expect, it } from "vitest";
import { confirmed } from "../support/companies.js";
import { caseWorld, put } from "./case-world.js";

const several = {
	corporate: {
		externalId: "crm-several",
		corporateName: "Example Several SAS",
		incorporationCountry: "FRA",
		incorporationCode: "77",
		industry: "FOOD_RESTAURANT_CATERING",
		registeredAddress: {},
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	},
	accountOwner: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO", isDirector: true },
	persons: [{ key: "grace", firstName: "Grace", lastName: "Sample", isUbo: true }],
	companies: [{ key: "holding", corporateName: "Example Holding BV" }],
	ownership: [
		{ owner: "grace", owned: "holding", percentage: "100" },
		{ owner: "grace", owned: "corporate", percentage: "30" },
		{ owner: "holding", owned: "corporate", percentage: "70" },
	],
};

it("of several holdings of one person one is sent, the one of the corporate; the others are told with what can be typed", async () => {
	const world = await caseWorld();
	put(world, "case.json", JSON.stringify(several));
	const ran = await world.purser(["onboard", "apply", ...confirmed, "case.json", "--json"]);
	expect(ran.exit).toBe(9);
	const [run] = ran.json().cases;
	expect(run.state).toBe("incomplete");
	const grace = world.sandbox.state.related.find(({ fields }) => fields.firstName === "Grace");
	expect(grace?.fields).toMatchObject({ directSharesPercentage: { text: "30" } });
	expect(grace?.fields.ownedCorporateId).toBeUndefined();
	const blocked = run.steps.filter(({ state }: { state: string }) => state === "blocked");
	expect(blocked).toHaveLength(1);
	expect(blocked[0]).toMatchObject({ what: "shares", name: "Grace Sample of holding" });
	// Once it is declared, the command has the person's id.
	const again = (await world.purser(["onboard", "plan", "case.json", "--json"])).json().cases[0];
	expect(again.summary).toMatchObject({ create: 0, update: 0, blocked: 1 });
	const holding = world.sandbox.state.related.find(({ fields }) => fields.corporateName === "Example Holding BV")?.id;
	const command = `purser related update ${grace?.id} --set 'shares=[{"ownedCorporateId":"${holding}","directSharesPercentage":100},{"directSharesPercentage":30}]'`;
	expect(again.steps.find(({ action }: { action: string }) => action === "blocked").why).toContain(command);
	// The first run says the same: it knows the ids by its end.
	expect(blocked[0].why).toContain(command);
});

/** The words of the command that a step suggests, as a shell reads them. */
const typed = (why: string): string[] => {
	const [, line] = /purser (related update \S+ --set )'/.exec(why) as RegExpExecArray;
	const [, set] = /--set '([^']*)'/.exec(why) as RegExpExecArray;
	return [...(line as string).trim().split(" "), set as string];
};

it("once a person has typed the command that is shown, and the record shows both, the case is complete", async () => {
	const world = await caseWorld();
	put(world, "case.json", JSON.stringify(several));
	const [run] = (await world.purser(["onboard", "apply", ...confirmed, "case.json", "--json"])).json().cases;
	const { why } = run.steps.find(({ state }: { state: string }) => state === "blocked");
	const sent = await world.purser(typed(why));
	expect(sent.exit, sent.stderr).toBe(0);
	const again = await world.purser(["onboard", "apply", ...confirmed, "case.json", "--json"]);
	expect([again.exit, again.json().cases[0].state]).toEqual([0, "applied"]);
});

// 20 % directly and 50 % of what holds 20 %: 30 % together.
const together = {
	...several,
	persons: [{ key: "grace", firstName: "Grace", lastName: "Sample" }],
	ownership: [
		{ owner: "grace", owned: "corporate", percentage: "20" },
		{ owner: "grace", owned: "holding", percentage: "50" },
		{ owner: "holding", owned: "corporate", percentage: "20" },
		{ owner: "accountOwner", owned: "corporate", percentage: "60" },
	],
};

it("the KYC links of a case count both holdings, although the record shows one", async () => {
	const world = await caseWorld();
	put(world, "case.json", JSON.stringify(together));
	const ran = await world.purser(["onboard", "apply", ...confirmed, "case.json", "--kyc-links", "--json"]);
	const names = ran.json().cases[0].steps.flatMap(({ what, name }: Record<string, string>) => (what === "KYC link" ? [name] : []));
	expect(names).toEqual(["Ada Example", "Grace Sample"]);
});

it("where the record lists them, however they came there, nothing is left to do", async () => {
	const world = await caseWorld();
	put(world, "case.json", JSON.stringify(several));
	await world.purser(["onboard", "apply", ...confirmed, "case.json"]);
	const { related, corporates } = world.sandbox.state;
	const id = (name: string) => related.find(({ fields }) => fields.firstName === name || fields.corporateName === name)?.id;
	world.wire = async (request) => {
		const url = new URL(request.url);
		const answer = await world.sandbox.handle({
			method: request.method,
			target: url.pathname + url.search,
			headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
			body: request.body ?? new Uint8Array(),
		});
		const text = new TextDecoder().decode(answer.body);
		const shares = [
			{ ownedCorporate: corporates.at(-1)?.id, directSharesPercentage: 30 },
			{ ownedCorporate: id("Example Holding BV"), directSharesPercentage: 100 },
		];
		if (!url.pathname.endsWith("/related")) return { kind: "answer", ...answer };
		const page = JSON.parse(text);
		for (const record of page.content) if (record.id === id("Grace")) Object.assign(record, { shares });
		return { kind: "answer", ...answer, body: new TextEncoder().encode(JSON.stringify(page)) };
	};
	const planned = (await world.purser(["onboard", "plan", "case.json", "--json"])).json().cases[0];
	expect(planned.summary).toEqual({ create: 0, update: 0, left: 7, blocked: 0 });
});
