import { describe, expect, it } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { readOpenApi } from "../../src/openapi/document.js";
import { matchDocument } from "../../src/openapi/match.js";
import { idPatternOf } from "../../src/openapi/service.js";
import { documentOf, type Line } from "./documents.js";

const described = (description: string) => ({ schema: { type: "string", description } });

function matchedLine(given: Line | readonly Line[], id: string) {
	const document = readOpenApi(documentOf("A bank", [given].flat() as Line[]), "0".repeat(64));
	const { operations } = matchDocument(document, catalog, { baseUrl: "https://api.example.com" });
	return operations.find(({ operation }) => operation.id === id)?.candidates[0]?.proposal.binding;
}

describe("the text for the payee", () => {
	const transfer = (more: Record<string, unknown>): Line => ({
		at: "POST /book-transfers",
		id: "createBookTransfer",
		body: { "sourceAccountId!": "string", "targetAccountId!": "string", "amount!": "string", ...more },
		answer: { id: "string" },
	});
	const at = (more: Record<string, unknown>) => matchedLine(transfer(more), "transaction.interLedger")?.request?.fields?.reference?.at;

	it("is no reference that may be sent once; a description is one", () => {
		expect(at({ reference: described("Unique; a duplicate is rejected"), description: "string" })).toBe("/description");
		expect(at({ reference: described("End-to-end identification") })).toBeUndefined();
		expect(at({ reference: described("What the payee reads"), description: "string" })).toBe("/reference");
	});
});

it("the id of a request, in an envelope, is not the record's", () => {
	const envelope = { data: { payment_id: "string", status: "string" }, meta: { request_id: "string", id: "string" } };
	const read = matchedLine({ at: "GET /payments/{payment_id}", id: "get_payment", answer: envelope }, "transaction.get")?.answer;
	expect(`${read?.record}${read?.fields?.id?.at ?? read?.fields?.transactionId?.at}`).toBe("/data/payment_id");
});

it("the field of an error is a text, not the object around it", () => {
	const entry = { source: { pointer: "string" }, detail: "string" };
	const document = documentOf("A bank", [{ at: "GET /payments/{id}", id: "getPayment", answer: { id: "string" } }]) as {
		paths: Record<string, { get: { responses: Record<string, object> } }>;
	};
	const properties = (one: Record<string, unknown>): object => ({
		type: "object",
		properties: Object.fromEntries(
			Object.entries(one).map(([name, part]) => [name, typeof part === "string" ? { type: part } : properties(part as never)]),
		),
	});
	const errors = { type: "object", properties: { errors: { type: "array", items: properties(entry) } } };
	(document.paths["/payments/{id}"] as never as { get: { responses: Record<string, object> } }).get.responses["422"] = {
		description: "Wrong",
		content: { "application/json": { schema: errors } },
	};
	const { service } = matchDocument(readOpenApi(document, "0".repeat(64)), catalog, { baseUrl: "https://api.example.com" });
	expect(service.errors?.details).toEqual({ records: "/errors", field: "/source/pointer", message: "/detail" });
});

it("one example of an id says how it begins, not how long it is", () => {
	expect(idPatternOf("cli_81HgqA02")).toBe("cli_[0-9A-Za-z]{4,64}");
	expect(idPatternOf("01ARZ3NDEKTSV4RRFFQ69G5FAV")).toBe("[0-9A-Za-z]{8,64}");
});

it("a server's variables are what they are where nothing else is said", () => {
	const servers = [{ url: "https://{region}.example.com/{base}/v2", variables: { region: { default: "eu" } } }];
	const read = readOpenApi({ ...documentOf("A bank", []), servers }, "0".repeat(64));
	expect(read.servers).toEqual(["https://eu.example.com/{base}/v2"]);
});

it("a payment that is sent is the payment, not the standing order beside it", () => {
	const payment = { "debtorAccount!": "string", "counterparty!": "string", "amount!": "string" };
	const answer = { id: "string" };
	const lines: Line[] = [
		{ at: "POST /payments:sendExternal", id: "Payments_SendExternal", body: payment, answer },
		{ at: "POST /recurringPayments", id: "RecurringPayments_Create", body: { ...payment, cron: "string" }, answer },
	];
	expect(matchedLine(lines, "transaction.beneficiary")?.path).toBe("/payments:sendExternal");
});

it("a search in a register, which takes no id, is not the record of a company", () => {
	const answer = { legalName: "string", registrationNumber: "string", jurisdiction: "string", tradingName: "string" };
	const search: Line = { at: "GET /company", id: "findCompany", query: ["name"], answer };
	expect(matchedLine(search, "corporate.get")).toBeUndefined();
	expect(matchedLine({ ...search, query: ["companyRef"] }, "corporate.get")?.path).toBe("/company");
});

it("the legal name of a company is its name, not the name of the record", () => {
	const body = { name: "string", legalName: "string", tradingName: "string", jurisdiction: "string", registrationNumber: "string" };
	const found = matchedLine({ at: "PATCH /companies/{company}", id: "updateCompany", body, answer: { id: "string" } }, "corporate.update");
	expect(found?.request?.fields?.corporateName?.at).toBe("/legalName");
});

describe("the id at the end of a path", () => {
	const company = { legalName: "string", registrationNumber: "string", jurisdiction: "string", tradingName: "string" };
	const fields = (line: Line, id: string) => matchedLine(line, id)?.request?.fields ?? {};

	it("is that of the record, whatever it is called and however it is written", () => {
		const get: Line = { at: "GET /companies/{firmRef}", id: "getCompany", answer: company };
		expect(fields(get, "corporate.get")).toEqual({ corporateId: { place: "path", at: "firmRef" } });
		const bracketed: Line = { at: "GET /Companies({CompanyNo})", id: "Companies.Get", answer: company };
		expect(fields(bracketed, "corporate.get")).toEqual({ corporateId: { place: "path", at: "CompanyNo" } });
	});

	it("is not ours where it names another thing", () => {
		const at = "POST /companies/{company_id}/identity-checks";
		expect(fields({ at, id: "create_identity_check", answer: { url: "string" } }, "kyc.link")).not.toHaveProperty(
			"relatedPhysicalPersonId",
		);
		const session: Line = { at: "GET /identity-sessions/{sessionId}", id: "getIdentitySession", answer: { url: "string" } };
		expect(fields(session, "kyc.link")).not.toHaveProperty("relatedPhysicalPersonId");
	});
});

it("accounts under another word are told by what they hold, and so are the sides of a payment between them", () => {
	const pot = { potId: "string", iban: "string", balance: "string", available: "string" };
	const body = { "fromPot!": "string", "toPot!": "string", "amount!": "string" };
	const lines: Line[] = [
		{ at: "GET /pots/{potId}", id: "readPot", answer: pot },
		{ at: "POST /internal-transfers", id: "createInternalTransfer", body, answer: { id: "string" } },
	];
	expect(matchedLine(lines, "transaction.interLedger")?.request?.fields).toMatchObject({
		ledgerFromId: { place: "body", at: "/fromPot" },
		ledgerToId: { place: "body", at: "/toPot" },
	});
});

it("an id may be called a key or a reference; a creditor's reference is none", () => {
	const body = { "debitAccountRef!": "string", "payeeRef!": "string", creditorRef: "string", "amount!": "string" };
	const paid = matchedLine({ at: "POST /cmd/pay-payee", id: "PayPayee", body, answer: { id: "string" } }, "transaction.beneficiary");
	expect(paid?.request?.fields).toMatchObject({ ledgerFromId: { at: "/debitAccountRef" }, beneficiaryId: { at: "/payeeRef" } });
	const officer: Line = {
		at: "POST /cmd/text-passcode",
		id: "TextPasscode",
		summary: "Text a passcode",
		body: { "officerRef!": "string" },
	};
	expect(matchedLine(officer, "phone.sendCode")?.request?.fields).toEqual({
		relatedPhysicalPersonId: { place: "body", at: "/officerRef" },
	});
	expect(matchedLine({ ...officer, body: { "cardRef!": "string" } }, "phone.sendCode")).toBeUndefined();
});
