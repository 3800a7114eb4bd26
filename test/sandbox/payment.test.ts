import { describe, expect, test } from "vitest";
import { payElsewhere } from "../support/elsewhere.js";
import { balance, doKyc, ids, makeService, newCorporate, payBeneficiary, payLedger, type Service, statusOf } from "./service.js";

const fetched = async (service: Service, id: string) => (await service.ask("GET", `/api/partner/transactions/${id}`)).data;

describe("a transaction (specification 2.7 to 2.9, 4)", () => {
	test("its creation says the id and nothing else; the record says everything", async () => {
		const service = await makeService();
		const made = await payLedger(service, "10.10", ids.main, ids.savings, ',"reference":"Rent, März?"');
		expect(made.status).toBe(201);
		expect(Object.keys(made.data)).toEqual(["id"]);
		expect(await fetched(service, made.data.id)).toEqual({
			id: made.data.id,
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
	});

	test("the money is held, then moves to the cent", async () => {
		const service = await makeService();
		const { data } = await payLedger(service, "0.07");
		expect(await balance(service, ids.main)).toEqual({ total: "10000.00", available: "9999.93", reserved: "0.07" });
		expect(await balance(service, ids.savings)).toEqual({ total: "0.00", available: "0.00", reserved: "0.00" });
		service.pass(499);
		expect(await statusOf(service, data.id)).toBe("PENDING");
		service.pass(1);
		expect(await fetched(service, data.id)).toMatchObject({
			status: "APPROVED",
			information: { clearingDate: "2026-03-01T10:00:00.500Z" },
		});
		expect(await balance(service, ids.main)).toEqual({ total: "9999.93", available: "9999.93", reserved: "0.00" });
		expect(await balance(service, ids.savings)).toEqual({ total: "0.07", available: "0.07", reserved: "0.00" });
	});

	test("the balance alone shows that time has passed", async () => {
		const service = await makeService();
		await payLedger(service, "100");
		service.pass(500);
		expect((await balance(service, ids.savings)).total).toBe("100.00");
	});

	test.each([
		["takes the instant rail where it reaches", ids.supplier, "", "SEPA_INSTANT"],
		["does not where it is told not to", ids.supplier, ',"allowFastPayment":false', "SEPA_CREDIT_TRANSFER"],
		["takes the standard one where no other reaches", ids.slow, "", "SEPA_CREDIT_TRANSFER"],
		["also where instant would be allowed", ids.slow, ',"allowFastPayment":true', "SEPA_CREDIT_TRANSFER"],
		["stays here where the account is hosted here", ids.hosted, "", "INTER_LEDGER"],
		["also without instant rails", ids.hosted, ',"allowFastPayment":false', "INTER_LEDGER"],
		["does not stay here where it is told not to", ids.hosted, ',"allowInterLedger":false', "SEPA_INSTANT"],
		["both switches off", ids.hosted, ',"allowInterLedger":false,"allowFastPayment":false', "SEPA_CREDIT_TRANSFER"],
		["null is as if it was not said", ids.hosted, ',"allowInterLedger":null,"allowFastPayment":null', "INTER_LEDGER"],
	])("to a beneficiary it %s", async (_, beneficiary, rest, rail) => {
		const service = await makeService();
		const { status, data } = await payBeneficiary(service, "25.00", beneficiary, ids.main, rest);
		expect(status).toBe(201);
		expect(await fetched(service, data.id)).toMatchObject({ type: "BENEFICIARY", paymentType: rail, status: "PENDING" });
	});

	test("an instant rail is final sooner than a standard one; what leaves the house is gone", async () => {
		const service = await makeService();
		const quick = (await payBeneficiary(service, "25.00")).data.id;
		const slow = (await payBeneficiary(service, "30.00", ids.slow)).data.id;
		service.pass(500);
		expect([await statusOf(service, quick), await statusOf(service, slow)]).toEqual(["APPROVED", "PENDING"]);
		service.pass(999);
		expect(await statusOf(service, slow)).toBe("PENDING");
		service.pass(1);
		expect(await statusOf(service, slow)).toBe("APPROVED");
		expect(await balance(service, ids.main)).toEqual({ total: "9945.00", available: "9945.00", reserved: "0.00" });
	});

	test("to an account hosted here it arrives there", async () => {
		const service = await makeService();
		const { data } = await payBeneficiary(service, "25.00", ids.hosted);
		service.pass(500);
		expect((await balance(service, ids.savings)).total).toBe("25.00");
		expect(await fetched(service, data.id)).toMatchObject({ receiver: { ledgerId: ids.savings } });
	});
});

describe("what a transaction shows (operations 4)", () => {
	const reference = ',"reference":"Crème brûlée, 12 ?"';
	const supplier = { name: "Example Supplies Ltd" };

	test("of a beneficiary no more than is documented: the name, and the ledger where it is hosted as one", async () => {
		const service = await makeService();
		const outside = (await payBeneficiary(service, "5.00", ids.supplier, ids.main, reference)).data.id;
		const hosted = (await payBeneficiary(service, "6.00", ids.hosted)).data.id;
		// Hosted here whichever rail the money takes.
		const byRail = (await payBeneficiary(service, "7.00", ids.hosted, ids.main, ',"allowInterLedger":false')).data.id;
		const neighbour = { name: "Example Neighbour SAS", ledgerId: ids.savings };
		expect((await fetched(service, outside)).receiver).toEqual(supplier);
		const { content } = (await service.ask("GET", "/api/partner/transactions")).data;
		expect(content.map(({ id, receiver }: { id: string; receiver: unknown }) => [id, receiver])).toEqual([
			[outside, supplier],
			[hosted, neighbour],
			[byRail, neighbour],
		]);
		expect(Object.keys(content[0])).toEqual([
			"id",
			"type",
			"paymentType",
			"status",
			"creationDate",
			"amount",
			"currency",
			"information",
			"sender",
			"receiver",
		]);
	});

	test.each([
		["payee-ids", { receiver: { ...supplier, beneficiaryId: ids.supplier } }],
		["names-only", { sender: { name: "Example Trading SAS" }, receiver: supplier }],
		["reference-upper", { information: { reference: "CRÈME BRÛLÉE, 12 ?" } }],
		["reference-ascii", { information: { reference: "Creme brulee, 12 ?" } }],
		["reference-cut:5chars", { information: { reference: "Crème" } }],
		["reference-dropped", { information: {} }],
	])("%s", async (fault, shown) => {
		const service = await makeService();
		const { id } = (await payBeneficiary(service, "5.00", ids.supplier, ids.main, reference)).data;
		const list = async () => (await service.ask("GET", "/api/partner/transactions")).data.content[0];
		const plain = await list();
		await service.control("fault", { fault: `transaction.list=${fault}` });
		expect(await list()).toEqual({ ...plain, ...shown });
		// Each operation has its own faults.
		expect(await fetched(service, id)).toEqual(plain);
		await service.control("fault", { clear: true });
		expect(await list()).toEqual(plain);
	});

	test("late: one payment is listed after others that were made later", async () => {
		const service = await makeService();
		await service.control("fault", { fault: "transaction.beneficiary=late:60000ms:x1" });
		const late = (await payBeneficiary(service, "5.00")).data.id;
		const other = await payElsewhere(service, { from: ids.main, to: { beneficiary: ids.supplier }, amount: "6.00" });
		const listed = async () => (await service.ask("GET", "/api/partner/transactions")).data.content.map(({ id }: { id: string }) => id);
		expect(await listed()).toEqual([other]);
		expect(await statusOf(service, late)).toBe("PENDING");
		service.pass(60_000);
		expect(await listed()).toEqual([late, other]);
	});
});

describe("other currencies", () => {
	/** The first corporate with a ledger and a beneficiary in this currency. */
	async function inCurrency(currency: string) {
		const service = await makeService();
		const { ledgers, beneficiaries } = service.sandbox.state;
		const [ledger, beneficiary] = [ledgers[0], beneficiaries[0]];
		if (!ledger || !beneficiary) throw new Error("an empty world");
		const from = "aaaaaaaa-0009-4000-8000-000000000009";
		const to = "bbbbbbbb-0009-4000-8000-000000000009";
		ledgers.push({ ...ledger, id: from, currency, total: "500000" });
		beneficiaries.push({ ...beneficiary, id: to, currency });
		const pay = (amount: string, rest = "") => payBeneficiary(service, amount, to, from, rest);
		return { service, from, pay };
	}

	test.each([
		["GBP", "", "FASTER_PAYMENTS"],
		["GBP", ',"allowFastPayment":false', "BACS"],
		["USD", "", "SWIFT"],
		["USD", ',"allowFastPayment":false', "SWIFT"],
	])("%s%s goes by %s", async (currency, rest, rail) => {
		const { service, pay } = await inCurrency(currency);
		const { status, data } = await pay("12.50", rest);
		expect(status).toBe(201);
		expect(await fetched(service, data.id)).toMatchObject({ paymentType: rail, currency, amount: 12.5 });
	});

	test.each([
		["JPY", "500000", "1.5", "7", "499993"],
		["KWD", "500.000", "1.2345", "0.001", "499.999"],
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
	const nothingMoved = { total: "10000.00", available: "10000.00", reserved: "0.00" };
	const refusal = async (service: Service, said: Promise<{ status: number; data: { errorCode: string } }>) => {
		const { status, data } = await said;
		expect(await balance(service, ids.main)).toEqual(nothingMoved);
		expect((await service.ask("GET", "/api/partner/transactions")).data.totalElements).toBe(0);
		return [status, data.errorCode];
	};

	test.each([
		["more than there is", "10000.01", ids.main, ids.savings, 400, "INSUFFICIENT_FUNDS"],
		["much more than there is", "123456789012345678901234567890", ids.main, ids.savings, 400, "INSUFFICIENT_FUNDS"],
		["from nowhere", "1", ids.nobody, ids.savings, 404, "LEDGER_NOT_FOUND"],
		["to nowhere", "1", ids.main, ids.nobody, 404, "LEDGER_NOT_FOUND"],
		["to itself", "1", ids.main, ids.main, 400, "SAME_LEDGER"],
		["to itself in other letters", "1", ids.main, ids.main.toUpperCase(), 400, "SAME_LEDGER"],
		["to another currency", "1", ids.main, ids.dollars, 400, "CURRENCY_MISMATCH"],
		["more decimals than the currency has", "1.001", ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["nothing", "0.00", ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["less than nothing", "-5", ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["an amount as text", '"5"', ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["an amount with an exponent", "1e1", ids.main, ids.savings, 400, "VALIDATION_FAILED"],
		["no amount", "null", ids.main, ids.savings, 400, "VALIDATION_FAILED"],
	])("ledger to ledger: %s", async (_, amount, from, to, status, code) => {
		const service = await makeService();
		expect(await refusal(service, payLedger(service, amount, from, to))).toEqual([status, code]);
	});

	test.each([
		["more than there is", "10000.01", ids.supplier, ids.main, 400, "INSUFFICIENT_FUNDS"],
		["nobody", "1", ids.nobody, ids.main, 404, "BENEFICIARY_NOT_FOUND"],
		["one under review", "1", ids.unreviewed, ids.main, 400, "BENEFICIARY_NOT_VALID"],
		["one with an account in another currency", "1", ids.supplier, ids.dollars, 400, "CURRENCY_MISMATCH"],
		["one whose account is the ledger itself", "1", ids.hosted, ids.savings, 400, "SAME_LEDGER"],
	])("to a beneficiary: %s", async (_, amount, beneficiary, from, status, code) => {
		const service = await makeService();
		expect(await refusal(service, payBeneficiary(service, amount, beneficiary, from))).toEqual([status, code]);
	});

	test("exactly what there is can be paid, and what is held cannot be paid again", async () => {
		const service = await makeService();
		expect((await payLedger(service, "9999.99")).status).toBe(201);
		expect((await payLedger(service, "0.02")).data.errorCode).toBe("INSUFFICIENT_FUNDS");
		expect((await payLedger(service, "0.010")).status).toBe(201);
		expect(await balance(service, ids.main)).toEqual({ total: "10000.00", available: "0.00", reserved: "10000.00" });
	});

	test("a reference that is null is none", async () => {
		const service = await makeService();
		const { data } = await payLedger(service, "1", ids.main, ids.savings, ',"reference":null');
		expect((await service.ask("GET", `/api/partner/transactions/${data.id}`)).data.information).toEqual({});
	});

	test("another corporate's beneficiary", async () => {
		const service = await makeService({ complianceTakes: 0 });
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		await service.ask("POST", `/api/partner/corporates/${id}/kyb`);
		const [ledger] = (await service.ask("GET", `/api/partner/ledgers?endUserId=${id}`)).data.content;
		const { status, data } = await payBeneficiary(service, "1", ids.supplier, ledger.id);
		expect([status, data.errorCode]).toEqual([404, "BENEFICIARY_NOT_FOUND"]);
	});
});

describe("a reference that decides how a payment ends, for tests of batches", () => {
	test.each([
		["DECLINED", "DECLINED"],
		["ABORTED", "ABORTED"],
		["RELEASED", "RELEASED"],
		["REVERSED", "REVERSED"],
		["declined", "APPROVED"],
		["DECLINED ", "APPROVED"],
		["PENDING", "APPROVED"],
	])("%j ends %s, when it is due", async (reference, status) => {
		const service = await makeService();
		const { id } = (await payLedger(service, "40.00", ids.main, ids.savings, `,"reference":"${reference}"`)).data;
		service.pass(499);
		expect(await statusOf(service, id)).toBe("PENDING");
		service.pass(1);
		expect(await statusOf(service, id)).toBe(status);
		const moved = status === "APPROVED";
		expect((await balance(service, ids.savings)).total).toBe(moved ? "40.00" : "0.00");
		const main = moved ? "9960.00" : "10000.00";
		expect(await balance(service, ids.main)).toEqual({ total: main, available: main, reserved: "0.00" });
		expect((await fetched(service, id)).information.declineReason).toBe(moved ? undefined : "ASKED_FOR_BY_REFERENCE");
	});
});

describe("what a person may do with a transaction in the sandbox", () => {
	const end = (service: Service, transactionId: string, outcome?: string, reason?: string) =>
		service.control("transaction", { transactionId, outcome, reason });

	test.each(["DECLINED", "ABORTED", "RELEASED"])("%s lets go of what was held", async (outcome) => {
		const service = await makeService();
		const { id } = (await payBeneficiary(service, "40.00")).data;
		expect((await end(service, id, outcome, "ACCOUNT_CLOSED")).status).toBe(200);
		service.pass(60_000);
		expect(await fetched(service, id)).toMatchObject({ status: outcome, information: { declineReason: "ACCOUNT_CLOSED" } });
		expect(await balance(service, ids.main)).toEqual({ total: "10000.00", available: "10000.00", reserved: "0.00" });
	});

	test("REVERSED brings back what had arrived, once", async () => {
		const service = await makeService();
		const { id } = (await payLedger(service, "40.00")).data;
		expect((await end(service, id, "REVERSED")).status).toBe(409);
		expect((await end(service, id)).status).toBe(200);
		expect((await balance(service, ids.savings)).total).toBe("40.00");
		expect((await end(service, id, "REVERSED")).status).toBe(200);
		expect(await statusOf(service, id)).toBe("REVERSED");
		expect((await balance(service, ids.savings)).total).toBe("0.00");
		expect(await balance(service, ids.main)).toEqual({ total: "10000.00", available: "10000.00", reserved: "0.00" });
		for (const outcome of ["REVERSED", "APPROVED", "DECLINED"]) expect((await end(service, id, outcome)).status).toBe(409);
	});

	test("what was spent already cannot be brought back", async () => {
		const service = await makeService();
		const { id } = (await payLedger(service, "40.00")).data;
		await end(service, id);
		await payLedger(service, "30.00", ids.savings, ids.main);
		expect((await end(service, id, "REVERSED")).status).toBe(409);
		expect(await statusOf(service, id)).toBe("APPROVED");
		expect(await balance(service, ids.savings)).toEqual({ total: "40.00", available: "10.00", reserved: "30.00" });
	});

	test("money is put on a ledger in its currency, exactly", async () => {
		const service = await makeService();
		const fund = (amount: string, ledgerId = ids.dollars) => service.control("fund", `{"ledgerId":"${ledgerId}","amount":${amount}}`);
		expect((await fund("0.10")).status).toBe(200);
		expect((await fund("90071992547409.93")).status).toBe(200);
		expect((await balance(service, ids.dollars)).total).toBe("90071992549910.03");
		for (const amount of ["1.001", "-1", "0", '"1"', "null"]) expect([amount, (await fund(amount)).status]).toEqual([amount, 400]);
		expect((await fund("1", ids.nobody)).status).toBe(404);
		expect((await balance(service, ids.dollars)).total).toBe("90071992549910.03");
	});
});
