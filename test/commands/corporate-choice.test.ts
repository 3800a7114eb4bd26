import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const record = { id, corporateName: "Example Trading SAS", kybStatus: "NOT_STARTED" };
const listLine = "GET /api/partner/corporates";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("a corporate that is not named", () => {
	test.each([
		["corporate", "show"],
		["corporate", "review"],
		["terms", "accept"],
		["related", "list"],
		["kyb", "request"],
		["kyb", "status"],
	])("%s %s: a person chooses it by its name", async (...argv) => {
		world.wire = answering({ [listLine]: { body: { content: [record, { corporateName: "No id" }], totalElements: 2 } } });
		await world.purser(argv, { answers: [id] });
		expect(world.asked).toMatchObject([{ kind: "choose", choices: [{ value: id, label: "Example Trading SAS · NOT_STARTED", hint: id }] }]);
		expect(world.requests[0]?.line).toBe(`${listLine}?sortAttribute=UPDATE_DATE&page=0&pageSize=100&sortDirection=DESC`);
		expect(world.requests.length).toBeGreaterThanOrEqual(2);
	});

	test("an update offers what is often changed", async () => {
		world.wire = answering({ [listLine]: { body: [record] }, [`PATCH /api/partner/corporates/${id}`]: {} });
		const ran = await world.purser(["corporate", "update"], { answers: [id, "crm-4712", "", true] });
		expect(ran.exit).toBe(0);
		expect(world.requests.find(({ method }) => method === "PATCH")?.body).toBe('{"externalId":"crm-4712"}');
	});

	test("without a list the id is typed", async () => {
		world.wire = answering({ [`${listLine}/${id}`]: { body: record } });
		const ran = await world.purser(["corporate", "show"], { answers: ["Example", id] });
		expect(ran.exit).toBe(0);
		expect(world.asked.map(({ kind }) => kind)).toEqual(["text", "text"]);
	});

	test("what was given wrong is told before anything is asked, and where the ids are", async () => {
		const ran = await world.purser(["related", "add", "Example", "--type", "COMPANY"], { answers: [], columns: 100 });
		expect([ran.exit, world.asked, world.requests.length]).toEqual([3, [], 1]);
		expect(ran.stderr).toContain('No company fits "Example"');
		expect(ran.stderr).toContain("Similar: Example Trading SAS. The companies are shown by: purser corporate list");
	});

	test("a script gets exit 2 and no list is read", async () => {
		const ran = await world.purser(["corporate", "show"]);
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain("Missing: CORPORATE");
		expect(world.requests).toEqual([]);
	});
});
