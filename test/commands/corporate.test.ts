import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

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
		const ran = await world.purser(`corporate show ${id}`);
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
		const ran = await world.purser(`corporate show ${id}`);
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
		expect((await world.purser(`corporate show ${id}`)).stderr).toContain(next);
	});
});

describe("corporate list", () => {
	const other = { ...record, id: "00000000-0000-4000-8000-000000000002", corporateName: "Other SAS", kybStatus: "VALIDATED" };
	const line = "GET /api/partner/corporates";
	const list = (flags = "", more: Answers = {}) => {
		world.wire = answering({ [line]: { body: { content: [record, other], totalElements: 2 } }, ...more });
		return world.purser(["corporate", "list", ...flags.split(" ").filter(Boolean)]);
	};

	test("filters travel, repeated ones repeated", async () => {
		const ran = await list("--kyb-status NOT_STARTED --kyb-status VALIDATED --email-address ada@example.com");
		const { searchParams } = new URL(world.requests[0]?.url ?? "");
		expect(searchParams.getAll("kybStatus")).toEqual(["NOT_STARTED", "VALIDATED"]);
		expect(searchParams.get("emailAddress")).toBe("ada@example.com");
		expect([ran.exit, ran.stdout.split("\n").length, ran.stderr]).toEqual([0, 4, "Next: purser overview\n"]);
		expect(ran.stdout).toContain(`${id}  Example Trading SAS`);
		// Typed without it, the next command would ask the profile in use.
		expect((await list("--profile sandbox")).stderr).toBe("Next: purser overview --profile sandbox\n");
	});

	test("more than the limit is told; an empty list is exit 0 and leads on", async () => {
		const ran = await list("--limit 1");
		expect(ran.stdout.split("\n")).toHaveLength(3);
		expect(ran.stderr).toContain("There are more than 1; show them with --limit");
		const none = { [line]: { body: { content: [], totalElements: 0 } } };
		const empty = await list("", none);
		expect([empty.exit, empty.stdout, empty.stderr]).toEqual([0, "No companies found.\n", "Next: purser onboard start\n"]);
		expect((await list("--json", none)).stdout).toBe("[]\n");
	});
});

describe("corporate update", () => {
	const update = (flags = "") => world.purser(["corporate", "update", id, ...flags.split(" ").filter(Boolean)]);

	test("sends what was given only, and shows the corporate as it is then", async () => {
		world.wire = answering({ [`PATCH ${path}`]: {}, [`GET ${path}`]: { body: { ...record, website: "https://www.example.com" } } });
		const ran = await update("--website https://www.example.com --registered-address.city Paris");
		expect(ran.exit).toBe(0);
		expect(world.requests.map(({ method, body }) => `${method} ${body}`)).toEqual([
			'PATCH {"website":"https://www.example.com","registeredAddress":{"city":"Paris"}}',
			"GET ",
		]);
		expect(ran.stdout).toContain("Website                    https://www.example.com");
	});
});
