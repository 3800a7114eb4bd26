import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const path = `/api/partner/corporates/${id}`;
const record = {
	id,
	corporateName: "Example Trading SAS",
	kybStatus: "NOT_STARTED",
	termsAccepted: true,
	registeredAddress: { isoCountryCode: "FRA", city: "Lyon", postalCode: "69001", street: "Rue Exemple", number: "1" },
	expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	creationDate: "2026-03-01T09:57:00Z",
};

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("corporate show", () => {
	test("what matters first, then every other field", async () => {
		world.wire = answering({ [`GET ${path}`]: { body: { ...record, shoeSize: 42 } } });
		const ran = await world.purser(["corporate", "show", id]);
		expect(ran.exit).toBe(0);
		const rows = ran.stdout.split("\n");
		expect(rows[0]).toBe("Company                    Example Trading SAS");
		expect(rows[1]).toBe(`Id                         ${id}`);
		expect(rows[2]).toBe("KYB                        NOT_STARTED");
		expect(rows[3]).toBe("Terms accepted             yes");
		expect(rows[4]).toMatch(/^Created +\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d \(3 minutes ago\)$/);
		expect(rows.slice(5)).toEqual([
			"Registered address         FRA, Lyon, 69001, Rue Exemple, 1",
			"Expected monthly expenses  LESS_THAN_10_000, EUR",
			"Shoe size                  42",
			"",
		]);
	});

	test("a newer generation's names are read alike", async () => {
		const newer = {
			corporateId: id,
			registeredName: "Example Trading SAS",
			status: { kyb: { value: "NEED_ADDITIONAL_INFORMATION", reason: "Proof" } },
		};
		world.wire = answering({ [`GET ${path}`]: { body: newer } });
		const ran = await world.purser(["corporate", "show", id]);
		expect(ran.stdout).toBe(
			`Company         Example Trading SAS\nId              ${id}\nKYB             NEED_ADDITIONAL_INFORMATION\nReason          Proof\nTerms accepted  unknown\n`,
		);
	});

	test.each([
		[{ termsAccepted: false }, `purser terms accept ${id}`],
		[{ kybStatus: "VALIDATED" }, `purser ledger list --end-user-id ${id}`],
		[{}, `purser related list ${id}`],
	])("with %j the next step is %s", async (more, next) => {
		world.wire = answering({ [`GET ${path}`]: { body: { ...record, ...more } } });
		expect((await world.purser(["corporate", "show", id])).stderr).toContain(next);
	});

	test("--json is the record as received, unknown fields and literals kept", async () => {
		world.wire = answering({ [`GET ${path}`]: { body: '{"id":"x","score":10.10,"kybStatus":"SOMETHING_NEW"}' } });
		const ran = await world.purser(["corporate", "show", id, "--json"]);
		expect(ran.stdout).toBe('{\n  "id": "x",\n  "score": 10.10,\n  "kybStatus": "SOMETHING_NEW"\n}\n');
	});

	test("text from the service cannot move the cursor or turn the line", async () => {
		world.wire = answering({ [`GET ${path}`]: { body: { ...record, corporateName: "Ex\u001b[2Jample\u202e SAS\nid  other" } } });
		const ran = await world.purser(["corporate", "show", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("Ex␛[2Jample<U+202E> SAS␊id  other");
	});

	test("a corporate that is not there: exit 5", async () => {
		world.wire = answering({});
		const ran = await world.purser(["corporate", "show", id]);
		expect(ran.exit).toBe(5);
		expect(ran.stdout).toBe("");
		expect(ran.stderr).toContain("purser api list");
	});
});

describe("corporate list", () => {
	const other = { ...record, id: "00000000-0000-4000-8000-000000000002", corporateName: "Other SAS", kybStatus: "VALIDATED" };
	const line = "GET /api/partner/corporates";

	test("filters travel, repeated ones repeated", async () => {
		world.wire = answering({ [line]: { body: { content: [record, other], totalElements: 2 } } });
		const ran = await world.purser([
			"corporate",
			"list",
			"--kyb-status",
			"NOT_STARTED",
			"--kyb-status",
			"VALIDATED",
			"--email-address",
			"ada@example.com",
		]);
		expect(ran.exit).toBe(0);
		expect(new URL(world.requests[0]?.url ?? "").searchParams.getAll("kybStatus")).toEqual(["NOT_STARTED", "VALIDATED"]);
		expect(new URL(world.requests[0]?.url ?? "").searchParams.get("emailAddress")).toBe("ada@example.com");
		expect(ran.stdout.split("\n")).toHaveLength(4);
		expect(ran.stdout).toContain(`${id}  Example Trading SAS`);
		expect(ran.stderr).toBe("Next: purser overview\n");
		// Typed without it, the next command would ask the profile in use.
		const named = await world.purser(["corporate", "list", "--profile", "sandbox"]);
		expect(named.stderr).toBe("Next: purser overview --profile sandbox\n");
	});

	test("ndjson is a record a line, json a list", async () => {
		world.wire = answering({ [line]: { body: { content: [record, other], totalElements: 2 } } });
		const ran = await world.purser(["corporate", "list", "--output", "ndjson"]);
		expect(
			ran.stdout
				.trimEnd()
				.split("\n")
				.map((text) => JSON.parse(text)),
		).toEqual([record, other]);
		expect((await world.purser(["corporate", "list", "--json"])).json()).toEqual([record, other]);
	});

	test("more than the limit is told", async () => {
		world.wire = answering({ [line]: { body: { content: [record, other], totalElements: 2 } } });
		const ran = await world.purser(["corporate", "list", "--limit", "1"]);
		expect(ran.stdout.split("\n")).toHaveLength(3);
		expect(ran.stderr).toContain("There are more than 1; show them with --limit");
	});

	test("a list that ends before its announced total is told as what it is, not as one beyond the limit", async () => {
		const moved = { content: [record, record], totalElements: 2 };
		world.wire = answering({ [line]: [{ body: moved }, { body: { content: [], totalElements: 2 } }] });
		const ran = await world.purser(["corporate", "list"]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("Warning: The service may not have listed all: 1 of the 2 that it announces are shown\n");
		expect(ran.stderr).not.toContain("--limit");
		world.wire = answering({ [line]: { body: { content: [record, null] } } });
		expect((await world.purser(["corporate", "list"])).stderr).toContain("Warning: The service may not have listed all: 1 are shown\n");
	});

	test("a list where a record is expected is no record", async () => {
		world.wire = answering({ [`${line}/${id}`]: { body: [record] } });
		const ran = await world.purser(["corporate", "show", id, "--json"]);
		expect([ran.exit, ran.stdout]).toEqual([1, ""]);
		expect(JSON.parse(ran.stderr).error.code).toBe("ANSWER_UNREADABLE");
	});

	test("where the list is not offered, no id is asked to be checked", async () => {
		world.wire = answering({});
		const ran = await world.purser(["corporate", "list"]);
		expect(ran.exit).toBe(5);
		expect(ran.stderr).toContain("Next: Your service may not have this operation, or have it at another path: purser api list");
		expect((await world.purser(["corporate", "show", id])).stderr).toContain(
			"Next: Check the id: it must be a company's (purser corporate list); if it is right",
		);
		expect((await world.purser(["related", "show", id])).stderr).toContain(
			"Next: Check the id: it must be a related entity's (purser related list); if it is right",
		);
		expect((await world.purser(["ledger", "show", id])).stderr).toContain("Next: Check the id; if it is right");
	});

	test("an empty list is exit 0 and leads on", async () => {
		world.wire = answering({ [line]: { body: { content: [], totalElements: 0 } } });
		const ran = await world.purser(["corporate", "list"]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe("No companies found.\n");
		expect(ran.stderr).toBe("Next: purser corporate create\n");
		expect((await world.purser(["corporate", "list", "--json"])).stdout).toBe("[]\n");
	});

	test.each([
		["--kyb-status", "done"],
		["--limit", "0"],
		["--limit", "-5"],
	])("%s %s: exit 3", async (flag, value) => {
		const ran = await world.purser(["corporate", "list", `${flag}=${value}`]);
		expect(ran.exit).toBe(3);
		expect(world.requests).toEqual([]);
	});
});

describe("corporate update", () => {
	test("sends what was given only, and shows the corporate as it is then", async () => {
		const after = { ...record, website: "https://www.example.com" };
		world.wire = answering({ [`PATCH ${path}`]: {}, [`GET ${path}`]: { body: after } });
		const ran = await world.purser([
			"corporate",
			"update",
			id,
			"--website",
			"https://www.example.com",
			"--registered-address.city",
			"Paris",
		]);
		expect(ran.exit).toBe(0);
		expect(world.requests.map(({ method, body }) => [method, body])).toEqual([
			["PATCH", '{"website":"https://www.example.com","registeredAddress":{"city":"Paris"}}'],
			["GET", ""],
		]);
		expect(ran.stdout).toContain("Website                    https://www.example.com");
	});

	test("nothing to change: exit 2", async () => {
		const ran = await world.purser(["corporate", "update", id]);
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain("No field to change was given; nothing was sent");
		expect(world.requests).toEqual([]);
	});

	test("a change without an answer: exit 7, and where to look", async () => {
		world.wire = async () => ({ kind: "sent", reason: "the time was over" });
		const ran = await world.purser(["corporate", "update", id, "--website", "https://www.example.com"]);
		expect(ran.exit).toBe(7);
		expect(ran.stderr).toContain(`purser corporate show ${id}`);
		expect(world.requests).toHaveLength(1);
	});
});
