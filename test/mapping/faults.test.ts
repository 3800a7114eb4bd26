/**
 * What is wrong with a mapping, whatever the deployment's document says.
 */
import { expect, it } from "vitest";
import { mappingFaults } from "../../src/mapping/faults.js";
import { mappingSchema, readMapping } from "../../src/mapping/file.js";

const fields = {
	ledgerFromId: "body /debtor/account",
	ledgerToId: "body /creditor/account",
	amount: { at: "body /amount/value", form: "minor-units" },
	currency: "body /amount/currency",
	reference: "header X-Remittance",
};
const payment = { send: "POST /v2/payments", fields, constants: { "body /kind": "internal" }, answer: { fields: { id: "/id" } } };
const found = (operations: object, shared: object = {}): string[] => {
	const { mapping, faults } = readMapping({ purser: "mapping", version: 1, ...shared, operations });
	const all = mapping === undefined || faults.length > 0 ? faults : mappingFaults(mapping);
	return all.map(({ path, message }) => `${path.join(" ")}: ${message}`);
};
const pay = (more: object, also: object = {}) =>
	found({ "transaction.interLedger": { ...payment, fields: { ...fields, ...more }, ...also } });
const at = "operations transaction.interLedger";

it("one that is right has none", () => {
	expect(pay({})).toEqual([]);
	expect(found({ "corporate.get": { send: "GET /companies/{id}", fields: { corporateId: "path id" } }, "kyb.request": "none" })).toEqual(
		[],
	);
	expect(found({ "related.delete": { send: "DELETE /api/people/{corporateId}/{relatedId}" } }).length).toBeGreaterThan(0);
});

it("a service may have a name of its own for JSON, as a constant; no other type may be said", () => {
	const typed = (type: string, also: object = {}) =>
		pay({}, { ...also, constants: { "header Accept": type, "header Content-Type": type } });
	expect(
		[typed("application/vnd.quay.v1+json"), typed("text/html"), typed("application/json", { body: "form" })].map((all) => all.length),
	).toEqual([0, 2, 1]);
});

it.each<[string, string[], string]>([
	[
		"two fields at one place",
		pay({ ledgerToId: "body /debtor/account" }),
		`${at} fields ledgerToId: stands at one place with ledgerFromId`,
	],
	[
		"a constant at a field's place",
		pay({}, { constants: { "body /amount": 1 } }),
		`${at} constants body /amount: stands at one place with amount`,
	],
	[
		"a field that is none",
		pay({ iban: "body /iban" }),
		`${at} fields iban: is no field of transaction.interLedger, which has ledgerFromId, ledgerToId, amount, reference, currency`,
	],
	["an open field", pay({ reference: "?" }), `${at} fields reference: is open (?)`],
	["a place that is none", pay({ reference: "cookie x" }), "must be path NAME, query NAME, header NAME or body /POINTER"],
	["a payment's ledger translated", pay({ ledgerToId: { at: "body /to", values: { a: "b" } } }), "of a payment cannot have other values"],
	["an amount as a date", pay({ amount: { at: "body /a", form: "epoch-seconds" } }), "of a payment cannot be written as epoch-seconds"],
	["a payer without a place", pay({ ledgerFromId: "none" }), "do not say where ledgerFromId goes, and it is always given"],
	["a body of a GET", pay({}, { send: "GET /v2/payments" }), "stands in a body, and GET has none"],
	["a GET whose fields are all of the body", found({ "email.sendLink": { send: "GET /l" } }), "send: is a GET, which has no body"],
	["a path without its field", pay({ ledgerToId: "path to" }), `${at} send: must contain {to} exactly once`],
	["a path that nobody fills", pay({}, { send: "POST /v2/payments/{id}" }), "has {id}, and no field goes there"],
	["a path that leaves the base", pay({}, { send: "POST //evil.example/pay" }), "must stay below the base address"],
	["a credential's header", pay({ reference: "header Authorization" }), "Authorization is a header that no mapping may set"],
	["a secret as a constant", pay({}, { constants: { "header X-Api-Key": "k" } }), "is a header that no mapping may set"],
	[
		"one key for all payments",
		pay({}, { constants: { "header Idempotency-Key": "k" } }),
		"is an idempotency key: with one for all payments",
	],
	["one status for two meanings", pay({}, { statuses: { done: [202], waiting: [202] } }), "has a status twice"],
	["no place of the new id", pay({}, { answer: { fields: { id: "none" } } }), "do not say where the new record's id stands (id)"],
	["a prototype", pay({ ledgerToId: "body /__proto__/x" }), "is not a JSON Pointer of a field"],
	["a member that no mapping has", pay({}, { server: "https://x.example" }), "has server, which no mapping has"],
	[
		"a record in a header",
		found({ "corporate.create": { send: "POST /c", fields: { registeredAddress: "header X-A" } } }),
		"is a record, which a header cannot hold",
	],
	[
		"two values of ours for one of theirs, which cannot be read",
		found({
			"transaction.get": {
				send: "GET /p/{transactionId}",
				answer: { fields: { status: { at: "/s", values: { PENDING: "x", APPROVED: ["y", "x"] } } } },
			},
		}),
		"has two values of ours for x",
	],
	["a pointer into a list", pay({}, { answer: { fields: { id: "/ids/0" } } }), "/ids/0 points into a list"],
	["an error's pointer into a list", found({}, { errors: { code: "/errors/0/code" } }), "errors code: /errors/0/code points into a list"],
	["an operation that is none", found({ "corporate.merge": { send: "POST /m" } }), "operations corporate.merge: is no operation of purser"],
	[
		"a cursor without its end",
		found({}, { paging: { style: "cursor", at: "cursor" } }),
		"paging: does not say where the next cursor stands",
	],
	["a form of ids that takes for ever", found({}, { ids: { ledger: "(a+)+" } }), "ids ledger:"],
	["a key in a path", found({}, { idempotency: { key: "path k" } }), "idempotency key: stands in a path"],
])("%s", (_name, faults, message) => {
	expect(faults.join("\n")).toContain(message);
});

it("what stands inside a record of a list has a place, and what no record has has none", () => {
	const list = (name: string) =>
		found({ "transaction.list": { send: "GET /p", answer: { fields: { [name]: "/payer/account" } } } }).map((one) => one.split(": ")[1]);
	expect(list("sender.ledgerId")).toEqual([]);
	expect(list("senders.ledgerId")).toEqual([
		"is no field of transaction.list's answer, which has id, type, paymentType, status, creationDate, amount, currency, reference, sender.ledgerId, receiver.ledgerId, receiver.beneficiaryId",
	]);
});

it("the JSON Schema describes the file for an editor", () => {
	const schema = mappingSchema() as { $schema: string; required: string[]; properties: Record<string, { description?: string }> };
	expect([schema.$schema, schema.required]).toEqual(["https://json-schema.org/draft/2020-12/schema", ["purser", "version", "operations"]]);
	expect(schema.properties.zone?.description).toBe("The zone of times that have none: UTC, +01:00 or Europe/Paris");
});
