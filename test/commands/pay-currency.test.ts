/**
 * The amount to a beneficiary is in the currency of the beneficiary's account (specification 2.8), and no record is
 * known to show that currency: the currency of the debited ledger is never used in its place.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type Answers, answering } from "./answers.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const main = "11111111-1111-4111-8111-111111111111";
const hosted = "22222222-2222-4222-8222-222222222222";
const who = "33333333-3333-4333-8333-333333333333";
const made = "44444444-4444-4444-8444-444444444444";

const payee = { id: who, name: "Sample Supplies GmbH", status: "VALID", active: true };
const yen = { id: main, friendlyName: "Yen", status: "ACTIVE", currency: "JPY", availableAmount: 100 };
const euros = { ...yen, friendlyName: "Main", currency: "EUR" };

let world: BatchWorld;
afterEach(() => world.end());

/** A world with limits, whose service has this ledger and this payee. */
async function serving(ledger: object, beneficiary: object, settings: Record<string, string> = {}, more: Answers = {}): Promise<void> {
	world = await batchWorld(settings);
	world.requests.length = 0;
	world.wire = answering({
		[`GET /api/partner/ledgers/${main}`]: { body: ledger },
		[`GET /api/partner/beneficiaries/${who}`]: { body: beneficiary },
		"GET /api/partner/transactions": { body: { content: [], totalElements: 0 } },
		"POST /api/partner/transactions/beneficiary": { status: 201, body: { id: made } },
		...more,
	});
}
const hostedIn = (currency: string): Answers => ({ [`GET /api/partner/ledgers/${hosted}`]: { body: { id: hosted, currency } } });
const pay = (amount: string, more = "--yes --json", options = {}) =>
	world.purser(`pay beneficiary --ledger-from-id ${main} --beneficiary-id ${who} --amount ${amount} ${more}`, options);
const sent = () => world.changes().map(({ body }) => body);

describe("where the account's currency is not told", () => {
	test("decimals that the ledger's currency does not have are no fault", async () => {
		await serving(yen, payee);
		const ran = await pay("10.50");
		expect([ran.exit, ran.stderr, sent()]).toEqual([0, "", [expect.stringContaining('"amount":10.50')]]);
	});

	test.each(["cap-per-transfer", "cap-per-day"])("a %s in the ledger's currency cannot be compared, and nothing is sent", async (cap) => {
		await serving(euros, payee, { [cap]: "5000 EUR" });
		const ran = await pay("10.50", "", { answers: [], columns: 200 });
		expect([ran.exit, sent(), ran.stderr]).toEqual([10, [], expect.stringContaining("a currency that could not be looked up")]);
	});
});

test("an account hosted at the service has its ledger's currency: decimals are held against it", async () => {
	await serving(euros, { ...payee, linkcyLedgerId: hosted }, {}, hostedIn("JPY"));
	const ran = await pay("10.50");
	expect([ran.exit, sent(), ran.stderr]).toEqual([3, [], expect.stringContaining("has decimals; JPY has none")]);
});

test.each(["100", "100.00"])("where a cap is set the currency of %s is looked up, with decimals or without", async (amount) => {
	const more = { "POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: hosted } } };
	await serving(euros, { ...payee, currency: "GBP" }, { "cap-per-day": "150" }, more);
	const between = `pay ledger --ledger-from-id ${main} --ledger-to-id ${who} --amount ${amount} --yes --json`;
	expect((await world.purser(between)).exit).toBe(0);
	const ran = await pay(amount, "--reference another --yes --json");
	expect([ran.exit, sent().length], ran.stderr).toEqual([0, 2]);
	expect((await world.json("history show 2")).transfer).toMatchObject({ amount, currency: "GBP" });
});

describe("the currency that the operator says", () => {
	test("counts where the account's is not told: a cap in it holds, the journal has it, and the body knows nothing of it", async () => {
		await serving(yen, payee, { "cap-per-transfer": "50 EUR" });
		const ran = await pay("10.50", "--currency eur --yes --json");
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		const parties = `"ledgerFromId":"${main}","beneficiaryId":"${who}"`;
		expect(sent()).toEqual([`{${parties},"amount":10.50,"allowFastPayment":true,"allowInterLedger":true}`]);
		expect((await world.json("history show 1")).transfer).toMatchObject({ amount: "10.50", currency: "EUR" });
		expect((await pay("50.01", "--currency EUR --yes")).stderr).toContain("50.01 EUR exceeds this profile");
		expect((await pay("11", "--currency GBP --yes")).stderr).toContain("this payment is in GBP");
		expect(sent()).toHaveLength(1);
	});

	test.each([
		["another one is told", { currency: "GBP" }, "GBP"],
		["another one is told with small letters", { currency: "gbp" }, "GBP"],
		["the account is hosted at the service, in another one", { linkcyLedgerId: hosted }, "CHF"],
	])("is contradicted where %s: nothing is sent, nothing asked", async (_, account, currency) => {
		const message = `is EUR, but the beneficiary's account is in ${currency}`;
		await serving(euros, { ...payee, ...account }, {}, hostedIn("CHF"));
		for (const more of ["--yes", "--dry-run", ""]) {
			const ran = await pay("10.50", `--currency EUR ${more}`, { answers: [] });
			expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining(`currency ${message}`)]);
		}
		const json = await pay("10.50", "--currency EUR --yes --json");
		expect(json.error()).toMatchObject({ code: "INVALID_INPUT", exit: 3, details: [{ field: "currency", message }] });
		expect([sent(), world.asked]).toEqual([[], []]);
	});
});
