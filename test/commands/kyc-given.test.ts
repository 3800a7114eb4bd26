/**
 * Only a link that somebody has counts as given: one that was shown or saved.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { caseWorld, put } from "../onboarding/case-world.js";
import type { World } from "../support/purser.js";
import { answering } from "./answers.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const listPath = `GET /api/partner/corporates/${corporate}/related`;
const recordPath = `GET /api/partner/corporates/related/${ada}`;
const linkPath = "POST /api/partner/kyc";
const all = ["kyc", "link", "--all", "--corporate-id", corporate];
const link = { body: { id: ada, url: "https://kyc.example.com/s/one", ttl: "PT720H" } };
const unnamed = { body: { id: ada, address: "https://kyc.example.com/s/one", ttl: "PT720H" } };

let world: World;
beforeEach(async () => {
	world = await caseWorld();
});

/** Once a link was asked for, the service shows that a KYC was created, whoever got the link. */
function answers(...given: object[]): void {
	let created = false;
	const links = answering({ [linkPath]: given });
	world.wire = async (request) => {
		created ||= request.method === "POST";
		const kycInfo = { status: created ? "CREATED" : "NOT_STARTED", type: "FULL_KYC" };
		const record = { id: ada, firstName: "Ada", lastName: "Example", isDirector: true, kycInfo };
		if (request.method === "POST") return links(request);
		const read = { [listPath]: { body: { content: [record], totalElements: 1 } }, [recordPath]: { body: record } };
		return answering(read)(request);
	};
}

const stateOf = async (argv = all): Promise<string> => (await world.purser([...argv, "--json"])).json().links[0].state;
const asked = (): number => world.requests.filter(({ line }) => line === linkPath).length;
/** How the journal has the newest change. */
const recorded = async (): Promise<string> => (await world.purser(["history", "list", "--json"])).json()[0].state;

describe("a KYC link that nobody got", () => {
	it("is asked for anew after an answer without a link", async () => {
		answers(unnamed, link);
		const one = await world.purser(["kyc", "link", ada]);
		expect(one.exit).toBe(7);
		expect(await recorded()).toBe("in-doubt");
		const next = await world.purser([...all, "--json"]);
		expect([next.exit, next.json().links[0]]).toMatchObject([0, { state: "obtained", url: "https://kyc.example.com/s/one" }]);
	});

	it("is asked for anew after an answer without a link to --all", async () => {
		answers(unnamed, link);
		expect((await world.purser(all)).exit).toBe(7);
		expect(await stateOf()).toBe("obtained");
	});

	it("is asked for anew where standard output failed", async () => {
		answers(link);
		await world.purser(["kyc", "link", ada], { closed: true });
		expect(await recorded()).toBe("in-doubt");
		await world.purser(all, { closed: true });
		expect(await recorded()).toBe("in-doubt");
		expect(await stateOf()).toBe("obtained");
		expect(asked()).toBe(3);
	});

	it("is not asked for again once it was shown", async () => {
		answers(link);
		expect((await world.purser(["kyc", "link", ada])).exit).toBe(0);
		expect(await recorded()).toBe("accepted");
		expect(await stateOf()).toBe("valid");
		expect(asked()).toBe(1);
	});
});

describe("the KYC links of a case", () => {
	const file = `corporate: {externalId: c-1, corporateName: Example SAS, incorporationCountry: FRA, incorporationCode: "1", industry: CHARITY_RECOGNIZED, registeredAddress: {isoCountryCode: FRA}, expectedMonthlyExpenses: {value: LESS_THAN_10_000, currency: EUR}}
accountOwner: {firstName: Ada, lastName: Example, emailAddress: ada@example.com, position: CEO, isDirector: true}
ownership: [{owner: accountOwner, owned: corporate, percentage: 100}]
`;
	const apply = ["onboard", "apply", "case.yaml", "--kyc-links", "--json"];

	it("are asked for anew where standard output failed, and not once they were shown", async () => {
		put(world, "case.yaml", file);
		const links = async (closed?: true): Promise<string[]> => {
			const ran = await world.purser(apply, closed && { closed });
			return ran.stdout === "" ? [] : ran.json().cases[0].steps.flatMap(({ what, state }: never) => (what === "KYC link" ? [state] : []));
		};
		expect(await links(true)).toEqual([]);
		expect(await links()).toEqual(["asked for"]);
		expect(await links()).toEqual(["left"]);
	});
});
