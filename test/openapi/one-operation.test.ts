import { expect, test } from "vitest";
import { withoutUnsure } from "../../src/openapi/adopt.js";
import { documentMatch, type Imports } from "../../src/openapi/import.js";
import { withChosen } from "../../src/openapi/walk/draft.js";
import { idsQuestion } from "../../src/openapi/walk/service-details.js";
import { documentOf, snake } from "./documents.js";

const ledger = { account_id: { schema: { type: "string" } }, iban: "string", currency: "string", balance: "string" };
const company = { business_id: { schema: { type: "string", example: "biz_0123456789abcdef" } }, legal_name: "string" };
const payment = { "source_account_id!": "string", "target_account_id!": "string", "amount!": "string", remittance_information: "string" };
const idSchema = { type: "string", format: "id" };
const only = (document: unknown, id: string): Imports => documentMatch(document, "0".repeat(64), { only: id });
const firstOf = ({ matched }: Imports) => {
	const candidate = matched.operations[0]?.candidates[0];
	if (candidate === undefined) throw new Error("nothing was proposed");
	return candidate;
};

function openIds(imports: Imports): string[] {
	const draft = withChosen({ chosen: new Map(), service: imports.matched.service, dropped: new Map() }, firstOf(imports));
	return idsQuestion(draft, imports).flatMap(({ above }) => above);
}

test("a value of ours is never put into a list of theirs: an import could not be finished by it", () => {
	const roles = { schema: { type: "array", items: { type: "string" } } };
	const person = { "given_name!": "string", "family_name!": "string", email: "string", roles };
	const document = documentOf("Persons", [{ at: "POST /businesses/{id}/persons", id: "addPerson", body: person }]);
	const { binding } = firstOf(only(document, "related.create")).proposal;
	expect(binding.request?.fields?.firstName).toEqual({ place: "body", at: "/given_name" });
	expect(binding.request?.fields).not.toHaveProperty("position");
});

test("an import of one operation asks about the ids of that one alone", () => {
	const document = documentOf(
		"Accounts",
		[
			{ at: "GET /businesses/{business_id}", id: "getBusiness", answer: { ...company, business_id: "string" } },
			{ at: "GET /accounts/{account_id}", id: "getAccount", answer: ledger },
		],
		{ idSchema },
	);
	expect(openIds(only(document, "ledger.get"))).toEqual(["The document does not say what ids look like (ledgers)."]);
});

test("an end-user that is named as a company is has the form of a company's id", () => {
	const lines = (owner: string) => [
		{ at: "GET /businesses/{business_id}", id: "getBusiness", answer: company },
		{ at: "GET /accounts", id: "listAccounts", query: [owner], answer: [ledger] as const },
	];
	const openOf = (owner: string) => only(documentOf("Accounts", lines(owner), { idSchema }), "ledger.list").matched.unsaid.ids;
	expect(openOf("business_id")).not.toContain("endUser");
	expect(openOf("holder_id")).toContain("endUser");
});

test("an import of one operation tells of no other's idempotency key", () => {
	const lines = [{ at: "POST /internal_transfers", id: "createInternalTransfer", body: { ...payment, idempotency_key: "string" } }];
	const document = documentOf("Payments", lines);
	const told = (id: string) => only(document, id).remarks.filter((one) => one.includes("idempotency"));
	expect(told("transaction.interLedger")).toEqual([
		"The document names an idempotency key, which is not sent: transaction.interLedger: idempotency_key",
	]);
	expect(told("terms.get")).toEqual([]);
});

test("a part that may be left out of a record that must be there, and whose place is not sure, is left out and not asked about", () => {
	const owner = { "first_name!": "string", "last_name!": "string", "email!": "string", "job_title!": "string", phone_number: "string" };
	// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is changed here
	const document = structuredClone(snake) as any;
	const one = documentOf("Owner", [{ at: "POST /v3/owners", body: owner }]);
	const schemaIn = (path: string, { paths }: typeof document) => paths[path].post.requestBody.content["application/json"].schema;
	const { properties } = schemaIn("/v3/businesses", document);
	delete properties.trading_address;
	properties.account_owner = schemaIn("/v3/owners", one);
	const found = only(document, "corporate.create");
	expect(found.matched.operations[0]?.state).toBe("sure");
	const { request } = withoutUnsure(firstOf(found)).proposal.binding;
	expect(request?.fields?.["accountOwnerInfo.position"]).toEqual({ place: "body", at: "/account_owner/job_title" });
	expect(Object.keys(request?.fields ?? {}).filter((name) => name.includes("phone"))).toEqual([]);
});

test("an operation that is known and yet to be asked about says which fields are the reason", () => {
	const document = JSON.parse(JSON.stringify(snake).replaceAll('"trading_address"', '"registered_office"'));
	const { candidates, state } = only(document, "corporate.create").report.operations[0] ?? { candidates: [] };
	expect(state).toBe("ask");
	expect(candidates[0]?.evidence).toContain("not sure: registeredAddress.city at /legal_address/town");
});

test("two addresses are told apart by what theirs are called, with every part of them", () => {
	const { state, fields = [] } = only(snake, "corporate.create").report.operations[0] ?? {};
	expect(state).toBe("sure");
	const placeOf = (name: string) => fields.find(({ ours }) => ours === name)?.theirs;
	expect(placeOf("registeredAddress.number")).toBe("/legal_address/house_number");
	expect(placeOf("businessAddress.number")).toBe("/trading_address/house_number");
	expect(placeOf("accountOwnerInfo.address.number")).toBeUndefined();
});

test("a mobile in two parts is the phone, and its country is nobody's country of registration", () => {
	const member = {
		"forename!": "string",
		"surname!": "string",
		emailAddress: "string",
		mobile: { countryCode: "string", number: "string" },
	};
	const document = documentOf("Members", [{ at: "POST /organisations/{id}/members", id: "addMember", body: member }]);
	const fields = firstOf(only(document, "related.create")).proposal.binding.request?.fields;
	expect(fields?.["phone.countryCode"]).toEqual({ place: "body", at: "/mobile/countryCode" });
	expect(fields).not.toHaveProperty("incorporationCountry");
});
