import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering, page } from "./answers.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ids = [1, 2, 3].map((n) => `8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d8${n}`);
const path = `/api/partner/corporates/${corporate}/related`;
const made = ids.map((id) => ({ status: 201, body: { id } }));
const ada = { id: ids[2], firstName: "Ada", lastName: "Example", email: { address: "ada@example.com" }, externalId: "p-1" };

const grace = ["--first-name", "Grace", "--last-name", "Sample", "--email-address", "grace@example.com"];
const graceBody = '{"type":"PHYSICAL","firstName":"Grace","lastName":"Sample","emailAddress":"grace@example.com"}';
let world: World;
const add = (...more: string[]) => world.purser(["related", "add", corporate, ...more]);
const sent = () => world.requests.filter(({ method }) => method === "POST").map(({ body }) => body);

beforeEach(async () => {
	world = await makeWorld();
	world.wire = answering({ [`GET ${path}`]: page(ada), [`POST ${path}`]: made });
});

describe("related add, one entity", () => {
	test("a person", async () => {
		const listed = { id: ids[0], firstName: "Grace", lastName: "Sample", email: { address: "grace@example.com" } };
		world.wire = answering({ [`GET ${path}`]: [page(ada), page(ada, listed)], [`POST ${path}`]: made });
		const ran = await add(...grace);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(`Related entity declared\nName  Grace Sample\nId    ${ids[0]}\n`);
		expect(ran.stderr).toBe(`Next: purser related list ${corporate}\n      purser corporate review ${corporate}\n`);
		expect(sent()).toEqual([graceBody]);
	});

	test("a company from standard input, shares as written", async () => {
		const ran = await world.purser(`related add ${corporate} --file - --json`, {
			input: '{"type":"COMPANY","corporateName":"Other Holding BV","directSharesPercentage":60.0}',
		});
		expect(ran.exit).toBe(0);
		expect(ran.json()).toEqual({ corporateId: corporate, name: "Other Holding BV", id: ids[0] });
		expect(sent()).toEqual(['{"type":"COMPANY","corporateName":"Other Holding BV","directSharesPercentage":60.0}']);
	});

	test("a company's name without the type: it is the type that is missing, not the names of a person", async () => {
		const ran = await add("--corporate-name", "Other Holding BV", "--json");
		expect(ran.exit).toBe(2);
		expect(ran.error()).toMatchObject({
			message: "Missing: --type",
			details: [{ field: "type", message: "is required for a company, as COMPANY" }],
		});
		expect((await add("--corporate-name", "Other Holding BV", "--last-name", "Sample")).stderr).toContain("Missing: --first-name\n");
		expect(sent()).toEqual([]);
	});

	test.each([
		["the same name and email", ["--first-name", "ada", "--last-name", "EXAMPLE", "--email-address", "Ada@example.com"]],
		["the same externalId", [...grace, "--external-id", "p-1"]],
	])("with %s it is refused: exit 10", async (_, flags) => {
		const ran = await add(...flags);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain(ids[2] as string);
		expect(ran.stderr).toContain("--allow-duplicate");
		expect(sent()).toEqual([]);
		expect(world.journal).toEqual([]);
		expect((await add(...flags, "--allow-duplicate")).exit).toBe(0);
		expect(sent()).toHaveLength(1);
	});

	test("a deployment without the list is told about, and it goes on", async () => {
		world.wire = answering({ [`POST ${path}`]: made });
		const ran = await add(...grace);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("entities declared already were not looked for");
	});
});

describe("related add by prompts", () => {
	const noList = { [`POST ${path}`]: made };
	const person = ["PHYSICAL", "Grace", "Sample", "grace@example.com", "", true, false, "33.5"];

	test("a person: kind, names, roles and shares, then one question about what is sent", async () => {
		world.wire = answering(noList);
		const ran = await world.purser(`related add ${corporate}`, { answers: [...person, true] });
		expect(ran.exit).toBe(0);
		expect(world.asked.map(({ message }) => message)).toEqual([
			"Person or company",
			"First name",
			"Last name",
			"Email (optional)",
			"Phone (like +33 639980001, optional)",
			"Is this person a director?",
			"Is this person an ultimate beneficial owner?",
			"Shares held directly (optional)",
			`Declare Grace Sample for ${corporate}?`,
		]);
		for (const row of [/First name +Grace\n/, /Email address +grace@example.com\n/, /Director +yes\n/]) expect(ran.stderr).toMatch(row);
		expect(ran.stdout).toBe(`Related entity declared\nName  Grace Sample\nId    ${ids[0]}\n`);
		expect(sent()).toEqual([
			'{"type":"PHYSICAL","firstName":"Grace","lastName":"Sample","emailAddress":"grace@example.com","isDirector":true,"isUbo":false,"directSharesPercentage":33.5}',
		]);
	});

	test("a company that was named is named in the question; at a No nothing is sent: exit 10", async () => {
		const listed = { id: corporate, corporateName: "Example Florist", externalId: "crm-5002" };
		const one = { [`GET /api/partner/corporates/${corporate}`]: { body: listed } };
		world.wire = answering({ ...noList, ...one, "GET /api/partner/corporates": page(listed) });
		const ran = await world.purser("related add crm-5002", { answers: [...person, false] });
		expect([ran.exit, sent()]).toEqual([10, []]);
		expect(world.asked.at(-1)?.message).toBe("Declare Grace Sample for Example Florist?");
		expect(ran.stderr).toContain("Cancelled. Nothing was sent");
	});
});
