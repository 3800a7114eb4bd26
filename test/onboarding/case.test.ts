import { describe, expect, it } from "vitest";
import { parseInput } from "../../src/cli/input/document.js";
import { confirmed } from "../support/companies.js";
import { makeWorld } from "../support/purser.js";
import { filledIn } from "../support/template.js";
import { caseWorld, put } from "./case-world.js";

const base = {
	corporate: {
		externalId: "crm-1",
		corporateName: "Example SAS",
		incorporationCountry: "FRA",
		incorporationCode: "1",
		industry: "FOOD_RESTAURANT_CATERING",
		registeredAddress: {},
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	},
	accountOwner: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO" },
};

/** The faults that `onboard plan` tells of a case. */
async function faults(more: object): Promise<string[]> {
	const world = await makeWorld();
	put(world, "case.json", JSON.stringify({ ...base, ...more }));
	const ran = await world.purser(["onboard", "plan", "case.json", "--json"]);
	expect(ran.exit, ran.stderr).toBe(3);
	expect(world.requests).toEqual([]);
	const { error } = JSON.parse(ran.stderr.split("\n")[0] as string);
	return error.details.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
}

const grace = { key: "grace", firstName: "Grace", lastName: "Sample" };
const holding = { key: "holding", corporateName: "Example Holding BV" };

describe("a case file", () => {
	it.each([
		[
			"an owner who is not in the file",
			{ ownership: [{ owner: "nobody", owned: "corporate", percentage: "10" }] },
			"ownership.0.owner is not a key of this file: nobody",
		],
		[
			"shares of a person",
			{ persons: [grace], ownership: [{ owner: "accountOwner", owned: "grace", percentage: "10" }] },
			"ownership.0.owned is a person, and only companies have shares: grace",
		],
		[
			"the corporate as an owner",
			{ companies: [holding], ownership: [{ owner: "corporate", owned: "holding", percentage: "10" }] },
			"ownership.0.owner cannot be the company itself: what it holds is not declared",
		],
		[
			"a company that owns itself",
			{ companies: [holding], ownership: [{ owner: "holding", owned: "holding", percentage: "1" }] },
			"ownership.0.owned cannot be the owner itself",
		],
		["a key twice", { persons: [grace, { ...grace, lastName: "Other" }] }, "persons.1.key appears twice in the file: grace"],
		[
			"the same externalId twice",
			{ persons: [grace, { ...grace, key: "g2", externalId: "crm-1/fa60fdcc89362952" }] },
			'persons.1.externalId "crm-1/fa60fdcc89362952" is also used by grace',
		],
		["a field nobody knows", { persons: [{ ...grace, hobby: "sailing" }] }, "persons.0.hobby is not a known field"],
		["a misspelt field", { persons: [{ ...grace, fristName: "x" }] }, "persons.0.fristName is not a known field; did you mean firstName?"],
		["an id of the service", { corporateId: "1" }, "corporateId is not a known field"],
		[
			"more than a hundred percent",
			{ persons: [grace], ownership: [{ owner: "grace", owned: "corporate", percentage: "100.01" }] },
			"ownership.0.percentage is 100.01; a percentage is at most 100",
		],
		["another version", { version: "2" }, "version must be 1, the only version there is"],
		["no corporate", { corporate: undefined }, "corporate is required"],
	])("%s is refused before anything is sent", async (_, more, fault) => {
		expect(await faults(more)).toContain(fault);
	});

	it("the template with its examples written in is a case: it is planned and applied", async () => {
		const world = await caseWorld();
		const { stdout } = await world.purser(["onboard", "plan", "--print-template"]);
		expect(stdout.split("\n")[0]).toBe("# yaml-language-server: $schema=./case.schema.json");
		put(world, "case.yaml", filledIn(stdout));
		const applied = await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		expect(applied.exit).toBe(0);
		expect(applied.stderr).not.toContain("Warning");
		expect(world.sandbox.state.related.at(-1)?.fields.externalId).toBe("crm-4711/b2f637624e0695d8");
		// Once everything is there, there is nothing to apply.
		const id = world.sandbox.state.corporates.at(-1)?.id;
		expect((await world.purser(["onboard", "plan", "case.yaml"])).stderr).toBe(`Next: purser corporate status ${id}\n`);
	});

	it("a file name that a shell would take apart is suggested in quotes", async () => {
		const world = await caseWorld();
		put(world, "my cases/o'neil.json", JSON.stringify(base));
		const ran = await world.purser(["onboard", "plan", "my cases/o'neil.json"]);
		expect(ran.stderr).toContain("Next: purser onboard apply 'my cases/o'\\''neil.json'\n");
	});

	it("with every optional line taken in, the template is a case too", async () => {
		const world = await caseWorld();
		const { stdout } = await world.purser(["onboard", "plan", "--print-template"]);
		const lines = stdout.split("\n");
		const all = lines.map((line, at) => (at < 5 ? line : line.replace(/^(\s*)# /, "$1"))).join("\n");
		expect(all).toContain("\nterms:");
		put(world, "case.yaml", filledIn(all));
		const ran = await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		expect(ran.exit, ran.stderr).toBe(0);
		expect(world.sandbox.state.related.at(-1)?.fields.externalId).toBe("crm-4711-grace");
	});

	it("the JSON Schema names every field with what it means, and takes percentages with and without quotes", async () => {
		const world = await makeWorld({ loggedIn: false });
		const schema = (await world.purser(["onboard", "schema"])).json();
		expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
		expect(Object.keys(schema.properties)).toEqual([
			"$schema",
			"version",
			"corporate",
			"accountOwner",
			"persons",
			"companies",
			"ownership",
			"terms",
		]);
		expect(schema.required).toEqual(["corporate", "accountOwner"]);
		expect(schema.additionalProperties).toBe(false);
		expect(schema.properties.ownership.items.properties.percentage.type).toEqual(["string", "number"]);
		expect(schema.properties.persons.items.properties.lastName.description).toBe("Last name of a person");
	});

	it("what the wizard writes as YAML is read back as the same, whatever the texts look like", async () => {
		const { yamlText } = await import("../../src/cli/output/yaml-text.js");
		const value = {
			version: "1",
			code: "0123",
			text: "yes",
			date: "2026-03-01",
			percentage: "33.50",
			odd: "a: b # c",
			empty: "",
			lines: "a\nb",
			null: "null",
			list: ["~", "1e3"],
		};
		expect(parseInput(new TextEncoder().encode(yamlText(value, "first\nsecond")), "x")).toEqual(value);
	});
});
