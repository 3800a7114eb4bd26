/**
 * A request and an answer by a mapping, from the file to the bytes.
 */
import { describe, expect, it } from "vitest";
import { formatJson, parseJson } from "../../src/api/json.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { extraFields } from "../../src/api/operation.js";
import { createCorporate, listCorporates, updateCorporate } from "../../src/api/operations/corporate.js";
import { createBeneficiaryTransaction, createInterLedger, getTransaction, listTransactions } from "../../src/api/operations/transaction.js";
import { sendEmailLink } from "../../src/api/operations/verification.js";
import { draftRequest, withKey } from "../../src/http/request/request.js";
import { mappingFaults } from "../../src/mapping/faults.js";
import { readMapping } from "../../src/mapping/file.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import type { Facts } from "../../src/mapping/request/request.js";
import type { Mapping } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { failure } from "../support/failure.js";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";

/** The mapping of a file without faults. */
function mapped(operations: object, shared: object = {}): Mapping {
	const { mapping, faults } = readMapping({ purser: "mapping", version: 1, ...shared, operations });
	if (mapping === undefined) throw new Error(JSON.stringify(faults));
	expect([...faults, ...mappingFaults(mapping)]).toEqual([]);
	return mapping;
}

const profileOf = (mapping?: Mapping): Profile => ({
	name: "t",
	baseUrl: "https://api.example.com",
	environment: "sandbox",
	auth: { kind: "login" },
	settings: {},
	mapping,
});

const envelope = {
	"transaction.interLedger": {
		send: "POST /v2/payments",
		fields: {
			ledgerFromId: "body /data/debtor/account",
			ledgerToId: "body /data/creditor/account",
			amount: { at: "body /data/amount/value", form: "minor-units" },
			currency: "body /data/amount/currency",
			reference: "header X-Remittance",
		},
		constants: { "body /kind": "internal", "header X-Version": 2, "header Accept": "application/vnd.quay+json" },
		answer: { record: "/data", fields: { id: "/payment/uuid" } },
		statuses: { done: [200] },
	},
};
const body = { ledgerFromId: a, ledgerToId: b, amount: "12.34", reference: "Invoice 2041" };
const draft = (mapping: Mapping, operation: AnyOperation, input: object, facts: Facts = {}) =>
	draftRequest(profileOf(mapping), operation, input, "0", facts);
const text = (bytes?: Uint8Array) => new TextDecoder().decode(bytes);

describe("a payment in another form", () => {
	it("stands where the mapping says, digits and direction as typed", () => {
		const { url, body: bytes, headers } = draft(mapped(envelope), createInterLedger, { body }, { currency: "EUR" });
		expect([url, headers["x-remittance"], headers["x-version"]]).toEqual(["https://api.example.com/v2/payments", "Invoice 2041", "2"]);
		expect(headers.accept).toBe("application/vnd.quay+json");
		expect(text(bytes)).toBe(
			`{"data":{"debtor":{"account":"${a}"},"creditor":{"account":"${b}"},"amount":{"value":1234,"currency":"EUR"}},"kind":"internal"}`,
		);
	});

	it("as a form, with brackets for what is nested", () => {
		const form = { "transaction.interLedger": { ...envelope["transaction.interLedger"], body: "form" } };
		const { body: bytes, headers } = draft(mapped(form), createInterLedger, { body }, { currency: "EUR" });
		expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
		expect([...new URLSearchParams(text(bytes))]).toEqual([
			["data[debtor][account]", a],
			["data[creditor][account]", b],
			["data[amount][value]", "1234"],
			["data[amount][currency]", "EUR"],
			["kind", "internal"],
		]);
	});

	it("carries the key of its attempt where the mapping names one, and no other operation does", () => {
		const shared = { idempotency: { key: "header Idempotency-Key", keeps: "24h" } };
		const mapping = mapped(envelope, shared);
		const drafted = draft(mapping, createInterLedger, { body }, { currency: "EUR" });
		const transfer = { kind: "ledger", ledgerFromId: a, counterpartyId: a, amount: "1" } as const;
		const keyed = withKey(drafted, profileOf(mapping), { installation: "i", intent: "7", attempt: 1, transfer });
		expect([drafted, keyed].map(({ headers }) => headers["idempotency-key"])).toEqual([
			"made-for-each-payment",
			expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
		]);
		expect(draft(mapping, getTransaction, { params: { transactionId: a } }).headers["idempotency-key"]).toBeUndefined();
		expect(mapping.idempotency).toEqual({ place: "header", at: "Idempotency-Key", hours: 24 });
	});

	it("a field without a place is refused, a default without one is left to the deployment", () => {
		const mapping = mapped({
			"transaction.beneficiary": {
				send: "POST /p",
				fields: {
					ledgerFromId: "body /from",
					beneficiaryId: "body /payee",
					amount: { at: "body /amount", form: "text" },
					reference: "none",
				},
			},
		});
		const pay = (more: object) =>
			draft(mapping, createBeneficiaryTransaction, { body: { ledgerFromId: a, beneficiaryId: b, amount: "1.50", ...more } });
		expect(text(pay({}).body)).toBe(`{"from":"${a}","payee":"${b}","amount":"1.50"}`);
		for (const more of [{ allowFastPayment: false }, { reference: "x" }])
			expect(failure(() => pay(more)).failure.code).toBe("FIELD_WITHOUT_PLACE");
	});

	it("an id that stands as a number keeps its digits, and one that a number would change is not sent", () => {
		const ids = { ledgerFromId: { at: "body /a", form: "number" }, ledgerToId: { at: "body /b", form: "number" } };
		const mapping = mapped({ "transaction.interLedger": { send: "POST /p", fields: { ...ids, amount: "body /c" } } });
		const pay = (from: string) =>
			draft(mapping, createInterLedger, { body: { ledgerFromId: from, ledgerToId: "10023842", amount: "1.10" } });
		expect(text(pay("900719925474099312").body)).toBe('{"a":900719925474099312,"b":10023842,"c":1.10}');
		for (const id of ["0010023841", "acc_1"]) expect(() => pay(id), id).toThrow("ledgerFromId cannot be sent");
	});
});

describe("other requests", () => {
	it("an operation that the deployment does not have sends nothing", () => {
		const error = failure(() => draft(mapped({ "corporate.create": "none" }), createCorporate, { body: {} }));
		expect([error.kind, error.failure.code]).toEqual(["usage", "OPERATION_ABSENT"]);
	});

	it("a field may stand anywhere: a body's in the query, a path's in a header", () => {
		const mapping = mapped({
			"corporate.update": { send: "POST /update", fields: { corporateId: "header X-Company", lastTermsAccepted: "query terms" } },
		});
		const {
			url,
			headers,
			body: bytes,
		} = draft(mapping, updateCorporate, { params: { corporateId: a }, body: { lastTermsAccepted: "1.0" } });
		expect([url, headers["x-company"], text(bytes)]).toEqual(["https://api.example.com/update?terms=1.0", a, "{}"]);
	});

	it("a GET has no body, a POST that may have a field in it has one; an order without a place is refused", () => {
		const sent = (operation: AnyOperation, send: string, fields: object, input: object) => {
			const { body: bytes, headers } = draft(mapped({ [operation.id]: { send, fields } }), operation, input);
			return [text(bytes), headers["content-type"]];
		};
		const who = { body: { relatedPhysicalPersonId: a } };
		expect(sent(sendEmailLink, "GET /l", { relatedPhysicalPersonId: "query who" }, who)).toEqual(["", undefined]);
		const list = (query: object) => sent(listCorporates, "POST /l", { kybStatus: "body /status" }, { query });
		expect(list({})).toEqual(["{}", "application/json"]);
		for (const order of [{ sortDirection: "ASC" }, { sortAttribute: "UPDATE_DATE" }]) expect(() => list(order)).toThrow("has no place");
	});

	it("what is named by --set goes where the mapping says, else into the body, and never in place of a field of ours", () => {
		const fields = { corporateId: "path id", corporateName: "body /name", website: "body /web", "set.step": "path step" };
		const mapping = mapped({ "corporate.update": { send: "PATCH /c/{id}/{step}", fields, constants: { "body /kind": "own" } } });
		const send = (more: object) =>
			draft(mapping, updateCorporate, { params: { corporateId: a }, body: { corporateName: "Example", [extraFields]: more } });
		const { url, body: bytes } = send({ step: "two", born_on: "1990-01-31" });
		expect([url, text(bytes)]).toEqual([`https://api.example.com/c/${a}/two`, '{"name":"Example","born_on":"1990-01-31","kind":"own"}']);
		for (const name of ["name", "web", "kind"])
			expect(failure(() => send({ step: "two", [name]: "Other" })).message).toContain("it would stand in place of another field");
	});

	it("without a mapping it stays as it is, and no description is taken apart for it", () => {
		const operation: AnyOperation = {
			...listTransactions,
			get answer(): AnyOperation["answer"] {
				throw new Error("the answer's description was looked at");
			},
		};
		const applied = appliedMapping(operation, undefined);
		const [values, data] = [{ params: {}, query: {}, body: undefined }, { content: [] }];
		expect([applied.toRequest(values) === values, applied.fromAnswer(data) === data]).toEqual([true, true]);
		// The control: with a mapping it is looked at.
		expect(() => appliedMapping(operation, { operations: {} })).toThrow("was looked at");
	});
});

describe("answers", () => {
	const view = {
		"transaction.get": {
			send: "GET /p/{transactionId}",
			answer: {
				fields: {
					id: "/uuid",
					status: { at: "/state", values: { APPROVED: "settled", PENDING: "open" } },
					amount: { at: "/money/minor", form: "minor-units" },
					currency: "/money/iso",
					creationDate: "/made",
				},
			},
		},
	};
	const list = { "transaction.list": { ...view["transaction.get"], send: "GET /p" } };

	it("the new id is read at its place alone", () => {
		const applied = appliedMapping(createInterLedger, mapped(envelope));
		expect(applied.fromAnswer({ data: { payment: { uuid: a }, id: b } })).toEqual({ id: a });
		for (const data of [{ id: b, data: {} }, { id: b }]) expect(applied.fromAnswer(data)).toEqual({});
	});

	it("a record under our names; a field that is called as ours and has no place means nothing", () => {
		const applied = appliedMapping(getTransaction, mapped(view));
		const read = applied.fromAnswer(
			parseJson(`{"uuid":"${a}","state":"settled","status":"APPROVED","money":{"minor":1234,"iso":"EUR"},"note":"x"}`),
		);
		expect(formatJson(read)).toBe(`{"note":"x","id":"${a}","status":"APPROVED","amount":12.34,"currency":"EUR"}`);
		expect(applied.fromAnswer({ uuid: a, state: "APPROVED", status: "APPROVED" })).toMatchObject({ status: "OTHER_APPROVED" });
		expect(applied.fromAnswer(parseJson('{"money":{"minor":1234}}'))).toEqual({});
	});

	it("a page with its entries and their number elsewhere", () => {
		const paging = { style: "offset", at: "from", size: { at: "count", most: 50 }, records: "/data/items", total: "/data/count" };
		const mapping = mapped(list, { paging });
		const read = appliedMapping(listTransactions, mapping).fromAnswer(
			parseJson(`{"data":{"items":[{"uuid":"${a}","state":"open"}],"count":7}}`),
		);
		expect(formatJson(read)).toBe(`{"content":[{"id":"${a}","status":"PENDING"}],"totalElements":7}`);
		expect(draft(mapping, listTransactions, { query: { page: "2", pageSize: "100" } }).url).toBe(
			"https://api.example.com/p?count=50&from=100",
		);
		expect(appliedMapping(listCorporates, mapping).fromAnswer([{ name: "x" }])).toEqual([{ name: "x" }]);
	});
});
