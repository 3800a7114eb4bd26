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
			"The amount is in the currency of the beneficiary's account, which the service does not give; the ledger to debit holds EUR",
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

	test("the limit of an approval in it is not exceeded; where it is, a batch is wanted", async () => {
		world = await limited({ approval: "above 50 EUR" });
		serving(euros, payee);
		const unsaid = await world.purser([...pay("10.50"), "--yes"]);
		expect([unsaid.exit, unsaid.stderr]).toEqual([
			10,
			expect.stringContaining("Next: Give its currency with --currency CODE, or write it into a file"),
		]);
		expect((await world.purser([...said, "EUR", "--yes"])).exit).toBe(0);
		const above = await world.purser([...pay("50.01"), "--currency", "EUR", "--yes"]);
		expect([above.exit, above.stderr]).toEqual([10, expect.stringContaining("purser pay batch plan FILE")]);
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

	test("between ledgers it is held against the debited one", async () => {
		serving(euros, payee, { [`GET /api/partner/ledgers/${hosted}`]: { body: { id: hosted, currency: "EUR" } } });
		const words = ["pay", "ledger", "--ledger-from-id", main, "--ledger-to-id", hosted, "--amount", "10", "--yes"];
		const ran = await world.purser([...words, "--currency", "GBP"]);
		expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining("is GBP, but the debited ledger is in EUR")]);
		const same = await world.purser([...words, "--currency", "EUR", "--dry-run", "--json"]);
		expect([same.exit, same.json().requests[0].body]).toEqual([0, { ledgerFromId: main, ledgerToId: hosted, amount: 10 }]);
	});

	test("its decimals count", async () => {
		serving(euros, payee);
		const ran = await world.purser([...said, "JPY", "--yes"]);
		expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining("amount has decimals; JPY has none")]);
	});

	test("where the beneficiary cannot be read, what is said counts", async () => {
		serving(euros, payee, { [`GET /api/partner/beneficiaries/${who}`]: { status: 403, body: {} } });
		expect((await world.purser([...said, "GBP", "--yes"])).exit).toBe(0);
		expect(world.journal[0]?.intent.transfer?.currency).toBe("GBP");
	});

	test("the preview shows it, and that nobody else says so", async () => {
		serving(euros, payee);
		const ran = await world.purser([...said, "GBP"], { answers: [false], columns: 200 });
		expect(world.asked.map(({ message }) => message)).toEqual(["Send 10.50 GBP to Sample Supplies GmbH?"]);
		expect(ran.stderr).toMatch(/Amount +10\.50 GBP\n/);
		expect(ran.stderr).toMatch(/Left after +not known/);
		expect(ran.stderr).toContain(
			"The currency GBP comes from --currency: the service does not give it for the beneficiary's account; the ledger to debit holds EUR",
		);
		expect(ran.stderr).not.toContain("which the service does not give");
	});

	test.each(["EURO", "E1R", "€", ""])("%j is no code", async (code) => {
		serving(euros, payee);
		const ran = await world.purser([...pay("10"), `--currency=${code}`, "--yes"]);
		expect([ran.exit, sent()]).toEqual([3, []]);
		expect(ran.stderr).toContain("must be three letters of ISO 4217");
	});
});
