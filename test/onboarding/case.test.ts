import { describe, expect, it } from "vitest";
import { parseInput } from "../../src/cli/input/document.js";
import { filledIn } from "../support/template.js";
import { apply, caseIn, caseWorld, errorOf, put } from "./case-world.js";

const base = {
	corporate: {
		...{ externalId: "crm-1", corporateName: "Example SAS", incorporationCountry: "FRA", incorporationCode: "1" },
		...{ industry: "FOOD_RESTAURANT_CATERING", registeredAddress: {} },
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	},
	accountOwner: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO" },
};
const grace = { key: "grace", firstName: "Grace", lastName: "Sample" };
const companies = [{ key: "holding", corporateName: "Example Holding BV" }];
const held = (owner: string, owned: string, percentage = "10") => ({ ownership: [{ owner, owned, percentage }] });

describe("a case file", () => {
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
		["a company that owns itself", { companies, ...held("holding", "holding") }, "ownership.0.owned cannot be the owner itself"],
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
		expect(world.sandbox.state.related.at(-1)?.fields.externalId).toBe("crm-4711/b2f637624e0695d8");
		// Once everything is there, there is nothing to apply.
		const id = world.sandbox.state.corporates.at(-1)?.id;
		expect((await world.purser(["onboard", "plan", "case.yaml"])).stderr).toBe(`Next: purser corporate status ${id}\n`);
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

	it("a file name that a shell would take apart is suggested in quotes; a script that names none is told what is missing", async () => {
		const world = await caseWorld();
		put(world, "my cases/o'neil.json", JSON.stringify(base));
		const ran = await world.purser(["onboard", "plan", "my cases/o'neil.json"]);
		expect(ran.stderr).toContain("Next: purser onboard apply 'my cases/o'\\''neil.json'\n");
		for (const verb of ["plan", "apply"]) {
			const missing = await world.purser(["onboard", verb]);
			expect([missing.exit, missing.stderr.includes("CASE")]).toEqual([2, true]);
		}
	});

	it("what the wizard writes as YAML is read back as the same, whatever the texts look like", async () => {
		const { yamlText } = await import("../../src/cli/input/yaml.js");
		const value = {
			...{ version: "1", code: "0123", text: "yes", date: "2026-03-01", percentage: "33.50", odd: "a: b # c" },
			...{ empty: "", lines: "a\nb", null: "null", list: ["~", "1e3"] },
		};
		expect(parseInput(new TextEncoder().encode(yamlText(value, "first\nsecond")), "x")).toEqual(value);
	});
});
