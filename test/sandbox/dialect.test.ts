/**
 * The sandbox in another deployment's words, asked by hand: every request and answer here is a literal of that deployment.
 */
import { describe, expect, it } from "vitest";
import { readDialect } from "../../src/sandbox/dialect/file.js";
import { dialectNamed } from "./dialects.js";
import { ids, makeService, type Service } from "./service.js";

const enveloped = () => makeService({ dialect: dialectNamed("enveloped") });

const payment = (category: string, creditor: object, minor: number) => ({
	data: { category, debtor: { account_id: ids.main }, creditor, money: { minor, iso: "EUR" }, remittance: "Rent", instant: "false" },
});

describe("a deployment with an envelope", () => {
	it("both payments at one address, told apart by their category", async () => {
		const service = await enveloped();
		const own = await service.ask("POST", "/v3/payments", payment("own_book", { account_id: ids.savings }, 1010));
		const out = await service.ask("POST", "/v3/payments", payment("outgoing", { payee_id: ids.supplier }, 20_00));
		expect([own.status, Object.keys(own.data), Object.keys(own.data.data), out.status]).toEqual([201, ["data"], ["payment_id"], 201]);
		expect(service.sandbox.state.transactions).toMatchObject([
			{ type: "INTER_LEDGER", fromLedgerId: ids.main, toLedgerId: ids.savings, amount: "1010", reference: "Rent" },
			{ type: "BENEFICIARY", fromLedgerId: ids.main, beneficiaryId: ids.supplier, amount: "2000", paymentType: "SEPA_CREDIT_TRANSFER" },
		]);
		const read = await service.ask("GET", `/v3/payments/${own.data.data.payment_id}`);
		expect(read.data).toEqual({
			data: {
				payment_id: own.data.data.payment_id,
				category: "own_book",
				rail: "INTER_LEDGER",
				state: "open",
				made: 1772359200000,
				money: { minor: 1010, iso: "EUR" },
				remittance: "Rent",
				debtor: { name: "Example Trading SAS", account_id: ids.main },
				creditor: { name: "Example Trading SAS", account_id: ids.savings },
			},
		});
	});

	it("a payment without its category moves nothing, and the fault is told in the deployment's form", async () => {
		const service = await enveloped();
		const lost = await service.ask("POST", "/v3/payments", payment("card", { account_id: ids.savings }, 1010));
		expect([lost.status, lost.data]).toEqual([
			400,
			{
				error: {
					code: "VALIDATION_FAILED",
					text: "The request has invalid fields",
					problems: [{ where: "data.category", what: "must be own_book or outgoing" }],
				},
			},
		]);
		const poor = await service.ask("POST", "/v3/payments", payment("own_book", { account_id: "nobody" }, 0));
		expect(poor.data.error.problems).toEqual([
			{ where: "data.creditor.account_id", what: "must be a UUID" },
			{ where: "data.money.minor", what: "must be greater than 0" },
		]);
		expect(service.sandbox.state.transactions).toEqual([]);
	});

	it("a list goes from cursor to cursor and says where it ends", async () => {
		const service = await enveloped();
		for (const minor of [100, 200, 300]) await service.ask("POST", "/v3/payments", payment("own_book", { account_id: ids.savings }, minor));
		const page = async (token: string) => {
			const { data } = await service.ask("GET", `/v3/payments?account=${ids.main}&state=open,settled&page_size=2${token}`);
			return { amounts: data.data.map((one: { money: { minor: number } }) => one.money.minor), next: data.meta.next_page_token, data };
		};
		const first = await page("");
		expect([first.amounts, Object.keys(first.data)]).toEqual([
			[100, 200],
			["data", "meta"],
		]);
		const second = await page(`&page_token=${first.next}`);
		expect([second.amounts, second.next]).toEqual([[300], null]);
		expect((await service.ask("GET", "/v3/payments?page_token=7")).data.error.problems).toEqual([
			{ where: "page_token", what: "is no place in this list" },
		]);
	});

	it("its own addresses alone, a part of a segment among them", async () => {
		const service = await enveloped();
		expect((await service.ask("POST", "/api/partner/transactions/inter-ledger", {})).status).toBe(404);
		const wrong = await service.ask("DELETE", "/v3/payments");
		expect([wrong.status, wrong.headers.allow, wrong.data.error.code]).toEqual([405, "POST, GET, HEAD", "METHOD_NOT_ALLOWED"]);
		const submitted = await service.ask("POST", `/v3/businesses/${ids.corporate}:submit`, { data: { purpose: "onboarding" } });
		expect([submitted.status, submitted.data.error.code]).toEqual([409, "KYB_ALREADY_VALIDATED"]);
	});

	it("simulated faults come in its form", async () => {
		const service = await enveloped();
		await service.control("fault", { fault: "transaction.interLedger=500:x1" });
		const failed = await service.ask("POST", "/v3/payments", payment("own_book", { account_id: ids.savings }, 100));
		expect([failed.status, failed.data]).toEqual([500, { error: { code: "INTERNAL_ERROR", text: "Something went wrong" } }]);
		await service.control("fault", { fault: "transaction.interLedger=drop-after:x1" });
		const lost = await service.ask("POST", "/v3/payments", payment("own_book", { account_id: ids.savings }, 100));
		expect([lost.delivery, service.sandbox.state.transactions.length]).toEqual([{ drop: true }, 1]);
	});

	it("who is not let in is told so before the body is read", async () => {
		const service = await enveloped();
		const refused = await service.ask("POST", "/v3/payments", "no JSON", { token: null });
		expect([refused.status, refused.data.error.code]).toEqual([401, "UNAUTHORIZED"]);
		expect((await service.ask("POST", "/v3/businesses", "no JSON")).status).toBe(400);
	});
});

describe("a deployment with verbs and ids of its own", () => {
	const accounts = async (service: Service) => (await service.ask("GET", "/rpc/v1/listAccounts?dir=up")).data as Record<string, string>[];

	it("gives out ids of its forms, the same ones at each start", async () => {
		const service = await makeService({ dialect: dialectNamed("rpc") });
		const [main, savings] = await accounts(service);
		expect(main).toMatchObject({ friendlyName: "Main account", balance: "10000.00", free: "10000.00" });
		expect(main?.accountNo).toMatch(/^[A-Z]{2}[0-9]{14}$/);
		expect(main?.clientNo).toMatch(/^CL[0-9]{10}$/);
		expect(await accounts(await makeService({ dialect: dialectNamed("rpc") }))).toEqual(await accounts(service));
		const paid = await service.ask("POST", "/rpc/v1/createPayment", {
			payer: main?.accountNo,
			payeeAccountNo: savings?.accountNo,
			sum: "10.10",
			text: "Rent",
		});
		expect([paid.status, paid.data]).toEqual([200, { paymentNo: expect.stringMatching(/^tx_[0-9A-Za-z]{20}$/) }]);
		const read = await service.ask("POST", "/rpc/v1/getPayment", paid.data);
		expect(read.data).toMatchObject({ ...paid.data, sum: "10.10", payer: main?.accountNo, payeeAccountNo: savings?.accountNo });
		expect((await service.ask("POST", "/rpc/v1/getPayment", { paymentNo: paid.data.paymentNo.toUpperCase() })).status).toBe(404);
	});

	it("the payment is told by who is paid, and a UUID is no account here", async () => {
		const service = await makeService({ dialect: dialectNamed("rpc") });
		const [main] = await accounts(service);
		const payees = (await service.ask("GET", "/rpc/v1/listPayees")).data as Record<string, string>[];
		const out = { payer: main?.accountNo, payeeNo: payees[0]?.payeeNo, sum: "5" };
		expect((await service.ask("POST", "/rpc/v1/createPayment?instant=false", out)).status).toBe(200);
		expect(service.sandbox.state.transactions).toMatchObject([{ type: "BENEFICIARY", paymentType: "SEPA_CREDIT_TRANSFER", amount: "500" }]);
		const refused = await service.ask("POST", "/rpc/v1/createPayment", { payer: ids.main, payeeAccountNo: ids.savings, sum: "5" });
		expect([refused.status, refused.data]).toEqual([400, { fault: "VALIDATION_FAILED", reason: "The request has invalid fields" }]);
	});

	it("offsets that are no whole pages, and pages that are smaller than was asked for", async () => {
		const service = await makeService({ dialect: dialectNamed("rpc") });
		const names = async (query: string) =>
			((await service.ask("GET", `/rpc/v1/listAccounts?${query}`)).data as { friendlyName: string }[]).map((one) => one.friendlyName);
		expect(await names("take=2")).toEqual(["Main account", "Savings"]);
		expect(await names("take=2&skip=1")).toEqual(["Savings", "Dollars"]);
		expect(await names("take=2&skip=1&dir=down")).toEqual(["Savings", "Main account"]);
		expect((await service.ask("GET", "/rpc/v1/listAccounts?skip=x")).status).toBe(400);
	});
});

describe("a file that cannot be a dialect", () => {
	const faultsOf = (operations: object) =>
		readDialect({ purser: "binding", version: 1, operations }).faults.map(({ field, message }) => `${field} ${message}`);

	it("two operations that nothing tells apart", () => {
		const path = "/checks";
		expect(faultsOf({ "email.sendLink": { path }, "phone.sendCode": { path } })).toEqual([
			"operations.phone.sendCode is POST /checks as email.sendLink is, and nothing in a request tells them apart; a constant could",
		]);
		const constants = [{ place: "body", at: "/channel", value: "sms" }];
		expect(faultsOf({ "email.sendLink": { path }, "phone.sendCode": { path, constants } })).toEqual([]);
	});

	it("records of two kinds at one address are told by their ids", async () => {
		const bound = (name: string) => ({ path: "/parties/{party}", request: { fields: { [name]: { place: "path", at: "party" } } } });
		const operations = { "corporate.get": bound("corporateId"), "related.get": bound("corporateRelatedId") };
		const { bindings, faults } = readDialect({ purser: "binding", version: 1, operations });
		expect(faults).toEqual([]);
		const service = await makeService({ dialect: bindings });
		const names = [];
		for (const id of [ids.corporate, ids.owner, ids.nobody]) names.push((await service.ask("GET", `/parties/${id}`)).data);
		expect(names).toMatchObject([
			{ corporateName: "Example Trading SAS" },
			{ firstName: "Ada" },
			{ errorCode: "CORPORATE_RELATED_NOT_FOUND" },
		]);
	});

	it("another base address is put on this machine", async () => {
		const file = {
			purser: "binding",
			version: 1,
			operations: { "terms.get": { server: "https://legal.example.com/base", path: "/terms" } },
		};
		const { bindings, faults } = readDialect(file);
		expect(faults).toEqual([]);
		const service = await makeService({ dialect: bindings });
		expect((await service.ask("GET", "/base/terms")).data.version).toBe("1.0");
	});
});
