/**
 * Prompts for a record: a list with what tells the records apart, in place of a box for an id. The forms of naming one are in
 * test/names, and in named-records.test.ts.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering, page } from "./answers.js";

const company = "11111111-1111-4111-8111-111111111111";
const owner = "22222222-2222-4222-8222-222222222222";
const main = "aaaaaaaa-0001-4000-8000-000000000001";
const listLine = "GET /api/partner/corporates";
const personLine = `GET /api/partner/corporates/related/${owner}`;
const florist = { id: company, corporateName: "Example Florist", kybStatus: "VALIDATED" };

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
const kinds = () => world.asked.map(({ kind }) => kind);

describe("a record that is not named", () => {
	test.each(["corporate show", "terms accept", "related list", "kyb request"])("%s: a company is chosen by its name", async (line) => {
		world.wire = answering({ [listLine]: { body: { content: [florist, { corporateName: "No id" }], totalElements: 2 } } });
		await world.purser(line, { answers: [company] });
		expect(world.asked).toMatchObject([
			{ kind: "choose", choices: [{ value: company, label: "Example Florist · VALIDATED", hint: company }] },
		]);
		expect(world.requests[0]?.line).toBe(`${listLine}?sortAttribute=UPDATE_DATE&page=0&pageSize=100&sortDirection=DESC`);
		expect(world.requests.length).toBeGreaterThanOrEqual(2);
	});

	test.each(["related show", "sandbox simulate email"])(
		"%s: a person is chosen by name, role and status, in the only company there is",
		async (line) => {
			await world.purser(line, { answers: [owner] });
			expect(world.asked).toMatchObject([
				{ kind: "choose", choices: [{ value: owner, label: "Ada Example · account owner, director, UBO · KYC VALIDATED", hint: owner }] },
			]);
		},
	);

	test("with several companies, the company is chosen first", async () => {
		const bakery = { id: main, corporateName: "Example Bakery", externalId: "crm-1", kybStatus: "COMPLETING" };
		world.wire = answering({
			[listLine]: page(bakery, florist),
			[`${listLine}/${company}/related`]: page({ id: owner, firstName: "Ada", lastName: "Example" }),
			[personLine]: { body: { id: owner } },
		});
		const ran = await world.purser("related show", { answers: [company, owner] });
		expect(ran.exit).toBe(0);
		expect(world.asked.map(({ kind, choices }) => [kind, choices?.map(({ label }) => label)])).toEqual([
			["choose", ["Example Bakery · crm-1 · COMPLETING", "Example Florist · VALIDATED"]],
			["choose", ["Ada Example"]],
		]);
	});

	test.each([
		["related show", personLine, owner],
		["corporate show", `${listLine}/${company}`, company],
	])("%s: without a list the id is typed", async (line, read, id) => {
		world.wire = answering({ [read]: { body: { id } } });
		const ran = await world.purser(line, { answers: ["Example", id] });
		expect([ran.exit, kinds()]).toEqual([0, ["text", "text"]]);
	});
});

test("an update offers what is often changed", async () => {
	world.wire = answering({ [listLine]: page(florist), [`PATCH /api/partner/corporates/${company}`]: {} });
	const ran = await world.purser("corporate update", { answers: [company, "crm-4712", "", true] });
	expect(ran.exit).toBe(0);
	expect(world.requests.find(({ method }) => method === "PATCH")?.body).toBe('{"externalId":"crm-4712"}');
});

test("what was given wrong is told before anything is asked, and where the ids are", async () => {
	const ran = await world.purser("related add Example --type COMPANY", { answers: [], columns: 100 });
	expect([ran.exit, world.asked, world.requests.length]).toEqual([3, [], 1]);
	expect(ran.stderr).toContain('No company fits "Example"');
	expect(ran.stderr).toContain("Similar: Example Trading SAS. The companies are shown by: purser corporate list");
});
