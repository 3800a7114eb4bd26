import { describe, expect, test } from "vitest";
import { balance, ids, makeService, payBeneficiary, payLedger, statusOf } from "./service.js";

const untouched = { total: "10000.00", available: "10000.00", reserved: "0.00" };

describe("a transaction (specification 2.7 to 2.9, 4)", () => {
	test("its creation says the id and nothing else; the record says everything", async () => {
		const service = await makeService();
		const { status, data } = await payLedger(service, "10.10", ids.main, ids.savings, ',"reference":"Rent, März?"');
		expect([status, Object.keys(data)]).toEqual([201, ["id"]]);
		expect(await service.get(`transactions/${data.id}`)).toEqual({
			id: data.id,
			type: "INTER_LEDGER",
			paymentType: "INTER_LEDGER",
			status: "PENDING",
			creationDate: "2026-03-01T10:00:00.000Z",
			amount: 10.1,
			currency: "EUR",
			information: { reference: "Rent, März?" },
			sender: { name: "Example Trading SAS", ledgerId: ids.main },
			receiver: { name: "Example Trading SAS", ledgerId: ids.savings },
		});
		const without = (await payLedger(service, "1", ids.main, ids.savings, ',"reference":null')).data.id;
		expect((await service.get(`transactions/${without}`)).information).toEqual({});
	});

	test.each([
		["takes the instant rail where it reaches", ids.supplier, "", "SEPA_INSTANT"],
		["does not where it is not allowed to", ids.supplier, ',"allowFastPayment":false', "SEPA_CREDIT_TRANSFER"],
		["takes the standard one where no other reaches", ids.slow, "", "SEPA_CREDIT_TRANSFER"],
		["stays here where the account is hosted here", ids.hosted, "", "INTER_LEDGER"],
		["does not stay here where it is not allowed to", ids.hosted, ',"allowInterLedger":false', "SEPA_INSTANT"],
	])("to a beneficiary it %s", async (_, beneficiary, rest, rail) => {
		const service = await makeService();
		const { status, data } = await payBeneficiary(service, "25.00", beneficiary, ids.main, rest);
		expect(status).toBe(201);
		expect(await service.get(`transactions/${data.id}`)).toMatchObject({ type: "BENEFICIARY", paymentType: rail, status: "PENDING" });
	});
});

describe("other currencies", () => {
	/** The first corporate with a ledger and a beneficiary in this currency. */
	async function inCurrency(currency: string) {
		const service = await makeService();
		const { ledgers, beneficiaries } = service.sandbox.state;
		const [ledger, beneficiary] = [ledgers[0], beneficiaries[0]];
		if (!ledger || !beneficiary) throw new Error("an empty world");
		const [from, to] = ["aaaaaaaa-0009-4000-8000-000000000009", "bbbbbbbb-0009-4000-8000-000000000009"] as const;
		ledgers.push({ ...ledger, id: from, currency, total: "500000" });
		beneficiaries.push({ ...beneficiary, id: to, currency });
		return { service, from, pay: (amount: string, rest = "") => payBeneficiary(service, amount, to, from, rest) };
	}

	test.each([
		["JPY", "500000", "1.5", "7", "499993"],
		["EUR", "5000.00", "1.005", "0.01", "4999.99"],
	])("%s has its own decimals: %s", async (currency, before, tooFine, fine, after) => {
		const { service, from, pay } = await inCurrency(currency);
		expect((await balance(service, from)).total).toBe(before);
		const refused = await pay(tooFine);
		expect([refused.status, refused.data.details[0].field]).toEqual([400, "amount"]);
		expect((await pay(fine)).status).toBe(201);
		expect((await balance(service, from)).available).toBe(after);
	});
});

describe("what is refused moves nothing", () => {
	test.each<[string, typeof payLedger, ...[string, string, string, number, string]]>([
		["more than there is", payLedger, "10000.01", ids.main, ids.savings, 400, "INSUFFICIENT_FUNDS"],
		["from nowhere", payLedger, "1", ids.nobody, ids.savings, 404, "LEDGER_NOT_FOUND"],
		["to itself", payLedger, "1", ids.main, ids.main, 400, "SAME_LEDGER"],
		["to itself in other letters", payLedger, "1", ids.main, ids.main.toUpperCase(), 400, "SAME_LEDGER"],
		["to another currency", payLedger, "1", ids.main, ids.dollars, 400, "CURRENCY_MISMATCH"],
		["nothing", payLedger, "0.00", ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["an amount as text", payLedger, '"5"', ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["nobody", payBeneficiary, "1", ids.nobody, ids.main, 404, "BENEFICIARY_NOT_FOUND"],
		["one under review", payBeneficiary, "1", ids.unreviewed, ids.main, 400, "BENEFICIARY_NOT_VALID"],
		["one with an account in another currency", payBeneficiary, "1", ids.supplier, ids.dollars, 400, "CURRENCY_MISMATCH"],
		["one whose account is the ledger itself", payBeneficiary, "1", ids.hosted, ids.savings, 400, "SAME_LEDGER"],
	])("%s", async (_, pay, amount, one, other, status, code) => {
		const service = await makeService();
		const said = await pay(service, amount, one, other);
		expect([said.status, said.data.errorCode]).toEqual([status, code]);
		expect(await balance(service, ids.main)).toEqual(untouched);
		expect((await service.get("transactions")).totalElements).toBe(0);
	});
});

describe("a reference that decides how a payment ends, for tests of batches", () => {
	test.each([
		["DECLINED", "DECLINED"],
		["REVERSED", "REVERSED"],
		["declined", "APPROVED"],
	])("%j ends %s, when it is due", async (reference, status) => {
		const service = await makeService();
		const { id } = (await payLedger(service, "40.00", ids.main, ids.savings, `,"reference":"${reference}"`)).data;
		service.pass(499);
		expect(await statusOf(service, id)).toBe("PENDING");
		service.pass(1);
		expect(await statusOf(service, id)).toBe(status);
		const moved = status === "APPROVED";
		expect((await balance(service, ids.savings)).total).toBe(moved ? "40.00" : "0.00");
		expect(await balance(service, ids.main)).toEqual(moved ? { total: "9960.00", available: "9960.00", reserved: "0.00" } : untouched);
		expect((await service.get(`transactions/${id}`)).information.declineReason).toBe(moved ? undefined : "ASKED_FOR_BY_REFERENCE");
	});
});

describe("what a person may do with a transaction in the sandbox", () => {
	test("money is put on a ledger in its currency, exactly", async () => {
		const service = await makeService();
		const fund = async (amount: string, ledgerId = ids.dollars) =>
			(await service.control("fund", `{"ledgerId":"${ledgerId}","amount":${amount}}`)).status;
		for (const amount of ["0.10", "90071992547409.93"]) expect(await fund(amount)).toBe(200);
		for (const amount of ["1.001", "-1", "0", '"1"', "null"]) expect([amount, await fund(amount)]).toEqual([amount, 400]);
		expect(await fund("1", ids.nobody)).toBe(404);
		expect((await balance(service, ids.dollars)).total).toBe("90071992549910.03");
	});
});
