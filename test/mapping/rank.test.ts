/**
 * Which operation of a document is proposed for which of ours, in small documents.
 */
import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/mapping/document.js";
import { rankOperations } from "../../src/mapping/rank.js";
import { documentOf, type Line } from "./documents.js";

/** What is plain, by the name of ours. */
const plainIn = (document: ReturnType<typeof readOpenApi>): Map<string, string> =>
	new Map(rankOperations(document).flatMap(({ operation, plain }) => (plain ? [[operation.id, `${plain.method} ${plain.path}`]] : [])));

const base: Line[] = [
	{ at: "GET /companies/{id}", id: "getCompany", answer: { legal_name: "string", registration_number: "string", country: "string" } },
	{ at: "GET /persons/{id}", id: "getPerson", answer: { first_name: "string", last_name: "string", nationality: "string" } },
];
const body = { "source_account_id!": "string", "destination_account_id!": "string", "amount!": "number" };
const internal: Line = { at: "POST /internal-transfers", id: "createInternalTransfer", body, answer: { id: "string" } };
const sendIn = (id: string, ...lines: Line[]) => plainIn(readOpenApi(documentOf([...base, ...lines]))).get(id);

describe("what is no plain candidate", () => {
	it.each<[string, Partial<Line>]>([
		["a simulation", { at: "POST /simulations/internal-transfers" }],
		["a quote", { at: "POST /internal-transfer-quotes", id: "quoteInternalTransfer" }],
		["one of which nothing is moved", { description: "Works out the transfer; no money is moved." }],
		["a batch", { at: "POST /internal-transfers/batch" }],
		["a standing order", { summary: "Create a standing order between two accounts" }],
		["a direct debit", { summary: "Internal transfer by direct debit" }],
		["an incoming one", { at: "POST /incoming-internal-transfers" }],
		["a deprecated one", { deprecated: true }],
		["one that says so", { description: "Deprecated: use POST /v2/transfers instead." }],
		["one without an amount", { body: { "source_account_id!": "string", "destination_account_id!": "string" } }],
	])("%s", (_name, more) => {
		expect(sendIn("transaction.interLedger", internal)).toBe("POST /internal-transfers");
		expect(sendIn("transaction.interLedger", { ...internal, ...more })).toBeUndefined();
	});

	it("a twin leaves both open; a deprecated twin does not", () => {
		const twin: Line = { ...internal, at: "POST /v2/internal-transfers", id: "createInternalTransferV2" };
		expect(sendIn("transaction.interLedger", internal, twin)).toBeUndefined();
		expect(sendIn("transaction.interLedger", { ...internal, deprecated: true }, twin)).toBe("POST /v2/internal-transfers");
	});

	it("one that does not take an id that we require, one whose path needs another id, and one that takes no code", () => {
		const answer = { data: [base[1]?.answer as Record<string, unknown>] };
		const list = (at: string, query: string[] = []): Line => ({ at, id: "listPersons", query, answer });
		expect(sendIn("related.list", list("GET /persons"))).toBeUndefined();
		expect(sendIn("related.list", list("GET /persons", ["company_id"]))).toBe("GET /persons");
		expect(sendIn("related.list", list("GET /groups/{group_id}/persons", ["company_id"]))).toBeUndefined();
		const verify = (more: Partial<Line>): Line => ({ at: "POST /persons/{person_id}/phone-code/verify", id: "verifyPhoneCode", ...more });
		expect(sendIn("phone.verifyCode", verify({}))).toBeUndefined();
		expect(sendIn("phone.verifyCode", verify({ body: { "otp!": "string" } }))).toBe("POST /persons/{person_id}/phone-code/verify");
	});

	it("an account that has neither a balance, a currency nor an IBAN: it may be a login", () => {
		const account = (more: object): Line => ({
			at: "GET /accounts/{id}",
			id: "getAccount",
			answer: { id: "string", name: "string", ...more },
		});
		expect([sendIn("ledger.get", account({})), sendIn("ledger.get", account({ currency: "string" }))]).toEqual([
			undefined,
			"GET /accounts/{id}",
		]);
	});
});
