/**
 * The amount to a beneficiary is in the currency of the beneficiary's account (specification 2.8), and no record is
 * known to show that currency: the currency of the debited ledger is never used in its place.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const main = "11111111-1111-4111-8111-111111111111";
const hosted = "22222222-2222-4222-8222-222222222222";
const who = "33333333-3333-4333-8333-333333333333";
const made = "44444444-4444-4444-8444-444444444444";

const payee = { id: who, name: "Sample Supplies GmbH", status: "VALID", active: true };
const yen = { id: main, friendlyName: "Yen", status: "ACTIVE", currency: "JPY", availableAmount: 100 };
const euros = { ...yen, friendlyName: "Main", currency: "EUR" };

let onDisk: BatchWorld | undefined;
afterEach(() => onDisk?.end());

/** A world with limits, and with a journal on disk that looks at them. */
async function limited(settings: Record<string, string>): Promise<World> {
	onDisk = await batchWorld(settings);
	return onDisk;
}

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

	test.each(["cap-per-transfer", "cap-per-day"])("a %s in the ledger's currency cannot be compared, and nothing is sent", async (cap) => {
		world = await makeWorld({ profile: { settings: { [cap]: "5000 EUR" } } });
		serving(euros, payee);
		const ran = await world.purser(pay("10.50"), { answers: [], columns: 200 });
		expect([ran.exit, sent()]).toEqual([10, []]);
		expect(ran.stderr).toContain("a currency that could not be looked up");
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
});

test.each(["100", "100.00"])("where a cap is set the currency of %s is looked up, with decimals or without", async (amount) => {
	world = await limited({ "cap-per-day": "150" });
	serving(euros, { ...payee, currency: "GBP" }, { "POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: hosted } } });
	const between = ["pay", "ledger", "--ledger-from-id", main, "--ledger-to-id", who, "--amount", amount, "--yes", "--json"];
	expect((await world.purser(between)).exit).toBe(0);
	const ran = await world.purser([...pay(amount), "--reference", "another", "--yes", "--json"]);
	expect([ran.exit, sent().length], ran.stderr).toEqual([0, 2]);
	expect((await world.purser(["history", "show", "2", "--json"])).json().transfer).toMatchObject({ amount, currency: "GBP" });
});

describe("the currency that the operator says", () => {
	const said = [...pay("10.50"), "--currency"];

	test("counts where the account's is not told: a cap in it holds, the journal has it, and the body knows nothing of it", async () => {
		world = await limited({ "cap-per-transfer": "50 EUR" });
		serving(yen, payee);
		const ran = await world.purser([...said, "eur", "--yes", "--json"]);
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(sent()).toEqual([
			`{"ledgerFromId":"${main}","beneficiaryId":"${who}","amount":10.50,"allowFastPayment":true,"allowInterLedger":true}`,
		]);
		const told = (await world.purser(["history", "show", "1", "--json"])).json();
		expect(told.transfer).toMatchObject({ amount: "10.50", currency: "EUR" });
		expect((await world.purser([...pay("50.01"), "--currency", "EUR", "--yes"])).stderr).toContain("50.01 EUR exceeds this profile");
		expect((await world.purser([...pay("11"), "--currency", "GBP", "--yes"])).stderr).toContain("this payment is in GBP");
		expect(sent()).toHaveLength(1);
	});

	test.each([
		["another one is told", { currency: "GBP" }, "GBP"],
		["another one is told with small letters", { currency: "gbp" }, "GBP"],
		["the account is hosted at the service, in another one", { linkcyLedgerId: hosted }, "CHF"],
	])("is contradicted where %s: nothing is sent, nothing asked", async (_, account, currency) => {
		const message = `is EUR, but the beneficiary's account is in ${currency}`;
		serving(euros, { ...payee, ...account }, { [`GET /api/partner/ledgers/${hosted}`]: { body: { id: hosted, currency: "CHF" } } });
		for (const more of [["--yes"], ["--dry-run"], []]) {
			const ran = await world.purser([...said, "EUR", ...more], { answers: [] });
			expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining(`currency ${message}`)]);
			expect(ran.stderr).toContain("The payment's currency is not the one given with --currency; nothing was sent");
		}
		const json = await world.purser([...said, "EUR", "--yes", "--json"]);
		expect(JSON.parse(json.stderr).error).toMatchObject({ code: "INVALID_INPUT", exit: 3, details: [{ field: "currency", message }] });
		expect([sent(), world.asked]).toEqual([[], []]);
	});
});
