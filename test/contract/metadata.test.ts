/**
 * metadata is free JSON (specification 2.1): it arrives as it was given, nulls and all, whichever way it was given.
 */
import { describe, expect, test } from "vitest";
import { answered, makeWorld } from "../support/purser.js";

const corporate = {
	externalId: "crm-4711",
	corporateName: "Example Trading SAS",
	incorporationCountry: "FRA",
	incorporationCode: "000 000 000",
	industry: "FOOD_RESTAURANT_CATERING",
	registeredAddress: { isoCountryCode: "FRA", city: null },
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
};
const accountOwnerInfo = { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO" };
const given = '{"tier":null,"scores":[1.50,null,{"best":null}],"note":""}';
const made = '{"corporateId":"9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d","accountOwnerId":"8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80"}';

async function created(argv: readonly string[], input: string): Promise<string> {
	const world = await makeWorld({
		wire: async ({ method, url }) =>
			method === "POST" && url.endsWith("/corporates") ? answered(201, made) : answered(404, '{"error":"linkcy.not.found"}'),
	});
	world.files.set("case.json", new TextEncoder().encode(input));
	const ran = await world.purser([...argv, "--json"], { input });
	const [request] = world.requests.filter(({ method }) => method === "POST");
	if (request === undefined) throw new Error(`nothing was created: ${ran.stderr}`);
	expect(request.body).toContain('"registeredAddress":{"isoCountryCode":"FRA"}');
	return /"metadata":(.*?"note":""\})/.exec(request.body)?.[1] ?? "none";
}

describe("metadata", () => {
	const document = JSON.stringify({ ...corporate, accountOwnerInfo, metadata: 0 }).replace('"metadata":0', `"metadata":${given}`);
	const yaml = document.replace(given, `\n  { tier: , scores: [1.50, ~, { best: null }], note: "" }`);

	test.each([
		["a JSON file", [], document],
		["a YAML file", [], yaml],
		["a flag", ["--metadata", given], JSON.stringify({ ...corporate, accountOwnerInfo })],
	])("from %s", async (_, flags, input) => {
		expect(await created(["corporate", "create", "--file", "-", "--allow-duplicate", ...flags], input)).toBe(given);
	});

	test("from a case file", async () => {
		const whole = JSON.stringify({ corporate: { ...corporate, metadata: 0 }, accountOwner: accountOwnerInfo });
		expect(await created(["onboard", "apply", "case.json", "--new"], whole.replace('"metadata":0', `"metadata":${given}`))).toBe(given);
	});

	test("an empty line is no metadata", async () => {
		const without = JSON.stringify({ ...corporate, accountOwnerInfo, metadata: null, website: null });
		expect(await created(["corporate", "create", "--file", "-", "--allow-duplicate"], without)).toBe("none");
	});
});
