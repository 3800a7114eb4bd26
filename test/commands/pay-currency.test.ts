/**
 * The amount to a beneficiary is in the currency of the beneficiary's account (specification 2.8), and no record is known to tell it
 * (operations 4): the currency of the debited ledger is never taken for it.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

const main = "11111111-1111-4111-8111-111111111111";
const hosted = "22222222-2222-4222-8222-222222222222";
const who = "33333333-3333-4333-8333-333333333333";
const made = "44444444-4444-4444-8444-444444444444";

const payee = { id: who, name: "Sample Supplies GmbH", status: "VALID", active: true };
const yen = { id: main, friendlyName: "Yen", status: "ACTIVE", currency: "JPY", availableAmount: 100 };
const euros = { ...yen, friendlyName: "Main", currency: "EUR" };

let world: World;
const serving = (ledger: object, beneficiary: object, more: Answers = {}): void => {
	world.wire = answering({
		[`GET /api/partner/ledgers/${main}`]: { body: ledger },
		[`GET /api/partner/beneficiaries/${who}`]: { body: beneficiary },
		"GET /api/partner/transactions": { body: { content: [], totalElements: 0 } },
		"POST /api/partner/transactions/beneficiary": { status: 201, body: { id: made } },
		...more,
	});
};
const pay = (amount: string): string[] => ["pay", "beneficiary", "--ledger-from-id", main, "--beneficiary-id", who, "--amount", amount];
const sent = () => world.requests.filter(({ method }) => method === "POST").map(({ body }) => body);

beforeEach(async () => {
	world = await makeWorld();
});

describe("where the account's currency is not told", () => {
	test("decimals that the ledger's currency does not have are no fault", async () => {
		serving(yen, payee);
		const ran = await world.purser([...pay("10.50"), "--yes", "--json"]);
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(sent()).toEqual([expect.stringContaining('"amount":10.50')]);
	});

	test("the journal knows none", async () => {
		serving(euros, payee);
		expect((await world.purser([...pay("10.50"), "--yes", "--json"])).exit).toBe(0);
		expect(world.journal[0]?.intent.transfer).toMatchObject({ kind: "beneficiary", amount: "10.50", currency: undefined });
	});

	test.each(["cap-per-transfer", "cap-per-day"])("a %s in the ledger's currency cannot be compared, and nothing is sent", async (cap) => {
		world = await makeWorld({ profile: { settings: { [cap]: "5000 EUR" } } });
		serving(euros, payee);
		const ran = await world.purser(pay("10.50"), { answers: [], columns: 200 });
		expect([ran.exit, sent()]).toEqual([10, []]);
		expect(ran.stderr).toContain("a currency that could not be looked up");
	});

	test("the preview says so, and what it supposes", async () => {
		serving(euros, payee);
		const ran = await world.purser(pay("250.00"), { answers: [false], columns: 200 });
		expect(world.asked.map(({ message }) => message)).toEqual(["Send 250.00 to Sample Supplies GmbH?"]);
		expect(ran.stderr).toMatch(/Amount +250\.00 \(currency not known\)/);
		expect(ran.stderr).toMatch(/Left after +-150\.00 EUR, if the account is in EUR/);
		expect(ran.stderr).toContain("The available balance is not enough, if the account is in EUR: 150.00 EUR is missing");
		expect(ran.stderr).toContain(
			"The amount is in the currency of the beneficiary's account, which the service does not tell; the ledger to debit holds EUR",
		);
	});
});

describe("an account hosted at the service has its ledger's currency", () => {
	const at = { ...payee, linkcyLedgerId: hosted };

	test("decimals are held against it", async () => {
		serving(euros, at, { [`GET /api/partner/ledgers/${hosted}`]: { body: { id: hosted, currency: "JPY" } } });
		const ran = await world.purser([...pay("10.50"), "--yes", "--json"]);
		expect([ran.exit, sent()]).toEqual([3, []]);
		expect(ran.stderr).toContain("has decimals; JPY has none");
	});

	test("where that ledger cannot be seen it is not known", async () => {
		serving(yen, at, { [`GET /api/partner/ledgers/${hosted}`]: { status: 403, body: {} } });
		expect((await world.purser([...pay("10.50"), "--yes", "--json"])).exit).toBe(0);
		expect(world.journal[0]?.intent.transfer?.currency).toBeUndefined();
	});
});

test.each(["REVERSED", "RELEASED", "ABORTED", "DECLINED"])("a payment that ended as %s is told as that and no more", async (status) => {
	serving(euros, payee, { [`GET /api/partner/transactions/${made}`]: { body: { id: made, status } } });
	const ran = await world.purser([...pay("10"), "--yes", "--wait"]);
	expect([ran.exit, ran.stdout.split("\n")[0]]).toEqual([5, `Payment ended as ${status}, not as APPROVED`]);
});
