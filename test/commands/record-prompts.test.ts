/**
 * Prompts for a record: a list with what tells the records apart, in place of a box for an id.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const company = "11111111-1111-4111-8111-111111111111";
const owner = "22222222-2222-4222-8222-222222222222";
const main = "aaaaaaaa-0001-4000-8000-000000000001";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("a record that is not named", () => {
	test.each([[["related", "show"]], [["kyc", "status"]], [["email", "status"]], [["sandbox", "simulate", "email"]]])(
		"%j: a person is chosen by name, role and status, in the only company there is",
		async (argv) => {
			await world.purser(argv, { answers: [owner] });
			expect(world.asked).toMatchObject([
				{ kind: "choose", choices: [{ value: owner, label: "Ada Example · account owner, director, UBO · KYC VALIDATED", hint: owner }] },
			]);
		},
	);

	test("with several companies, the company is chosen first", async () => {
		const other = "33333333-3333-4333-8333-333333333333";
		const companies = [
			{ id: other, corporateName: "Example Bakery", externalId: "crm-1", kybStatus: "COMPLETING" },
			{ id: company, corporateName: "Example Florist", kybStatus: "VALIDATED" },
		];
		world.wire = answering({
			"GET /api/partner/corporates": { body: { content: companies, totalElements: 2 } },
			[`GET /api/partner/corporates/${company}/related`]: {
				body: { content: [{ id: owner, firstName: "Ada", lastName: "Example" }], totalElements: 1 },
			},
			[`GET /api/partner/corporates/related/${owner}`]: { body: { id: owner } },
		});
		const ran = await world.purser(["related", "show"], { answers: [company, owner] });
		expect(ran.exit).toBe(0);
		expect(world.asked.map(({ kind, choices }) => [kind, choices?.map(({ label }) => label)])).toEqual([
			["choose", ["Example Bakery · crm-1 · COMPLETING", "Example Florist · VALIDATED"]],
			["choose", ["Ada Example"]],
		]);
	});

	test("without a list the id is typed", async () => {
		world.wire = answering({ [`GET /api/partner/corporates/related/${owner}`]: { body: { id: owner } } });
		const ran = await world.purser(["related", "show"], { answers: ["Ada", owner] });
		expect([ran.exit, world.asked.map(({ kind }) => kind)]).toEqual([0, ["text", "text"]]);
	});

	test("a transaction is chosen by amount, payee, day and status", async () => {
		const transaction = {
			...{ id: owner, amount: 12.5, currency: "EUR", status: "APPROVED", creationDate: "2026-03-01T10:00:00Z" },
			receiver: { name: "Example Supplies Ltd" },
		};
		world.wire = answering({
			"GET /api/partner/transactions": { body: { content: [transaction], totalElements: 1 } },
			[`GET /api/partner/transactions/${owner}`]: { body: transaction },
		});
		await world.purser(["pay", "show"], { answers: [owner] });
		expect(world.asked).toMatchObject([
			{ choices: [{ value: owner, label: "12.50 EUR · to Example Supplies Ltd · 2026-03-01 · APPROVED" }] },
		]);
	});

	test("a ledger is chosen by name and balance; for a payment, not the one that is debited", async () => {
		await world.purser(["sandbox", "simulate", "fund"], { answers: [main, "5"] });
		expect(world.asked[0]?.choices?.[0]).toEqual({ value: main, label: "Main account · 10 000.00 EUR available", hint: main });
		await world.purser(["pay", "ledger", "--ledger-from-id", main, "--amount", "1"], { answers: ["^C"] });
		expect(world.asked[0]?.choices?.map(({ label }) => label.split(" · ")[0])).toEqual(["Savings", "Dollars"]);
	});

	test("a script is asked nothing, and no list is read", async () => {
		const ran = await world.purser(["related", "show"]);
		expect([ran.exit, world.requests]).toEqual([2, []]);
	});
});
