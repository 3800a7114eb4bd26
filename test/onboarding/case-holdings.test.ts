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
	expect(again.steps.find(({ action }: { action: string }) => action === "blocked").why).toContain(
		`purser related update ${grace?.id} --set 'shares=[…]'`,
	);
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
