/**
 * What only the document shows to be wrong with a mapping: each fault once, with its line.
 */
import { describe, expect, test } from "vitest";
import { lineFinder, parseYaml } from "../../src/cli/input/yaml.js";
import { checkAgainst } from "../../src/mapping/check.js";
import { readOpenApi } from "../../src/mapping/document.js";
import { readMapping } from "../../src/mapping/file.js";
import type { Mapping } from "../../src/ports/mapping.js";
import { documentOf, type Line } from "./documents.js";

const company = {
	legalName: "string",
	employees: "integer",
	sector: "hospitality|retail",
	roles: { schema: { type: "array", items: { type: "string" } } },
	address: { town: "string" },
	"plan!": "FREE|PAID",
};
const payment = {
	id: "string",
	status: "booked|failed",
	amount: "number",
	made: { schema: { type: "string", format: "date-time" } },
	tags: { schema: { type: "array", items: { type: "string" } } },
	payer: { name: "string" },
};
const lines: Line[] = [
	{ at: "POST /companies", id: "createCompany", body: { "data!": company }, answer: { id: "string" } },
	{ at: "PATCH /companies/{id}", id: "updateCompany", form: true, body: { legalName: "string" } },
	{ at: "GET /companies/{companyId}", id: "getCompany", answer: { data: { id: "string", legalName: "string" } }, deprecated: true },
	{
		at: "GET /payments",
		id: "listPayments",
		query: ["cursor"],
		answer: { data: [payment], last: payment.made, page: { total: "integer" } },
	},
	{ at: "GET /payments/{id}", id: "getPayment", answer: payment },
	{
		at: "POST /payments",
		id: "pay",
		body: { "from!": "string", "to!": "string", "amount!": "string", note: "string" },
		answer: { id: "string" },
	},
	{
		...{ at: "POST /orders", id: "order", body: { "from!": "string", "to!": "string", "amount!": "string" }, status: 201 },
		parameters: [
			{ name: "Accept", in: "header", required: true, schema: { type: "string", enum: ["application/vnd.quay+json"] } },
			{ name: "X-Request-Key", in: "header", required: true, description: "For idempotency", schema: { type: "string" } },
			{ name: "X-Api-Key", in: "header", required: true, schema: { type: "string" } },
		],
	},
	{ at: "POST /persons/{id}/mail", id: "mail" },
];
const document = readOpenApi(documentOf(lines));

const mappingOf = (text: string): Mapping => {
	const { mapping, faults } = readMapping(parseYaml(text));
	expect(faults).toEqual([]);
	return mapping as Mapping;
};

/** The faults of a file, each as its line and what is wrong. */
function faultsOf(operations: string, shared = ""): string[] {
	const text = `purser: mapping\nversion: 1\n${shared}operations:\n${operations}`;
	const lineOf = lineFinder(text);
	const all = text.split("\n");
	return checkAgainst(mappingOf(text), document).map(({ path, message }) => `${(all[(lineOf(path) ?? 0) - 1] ?? "").trim()} → ${message}`);
}

const create = (field: string, more = "") =>
	`  corporate.create:\n    send: POST /companies\n    fields:\n      ${field}\n    constants:\n      body /data/plan: FREE\n${more}`;
const pay = (fields: string, more = "") =>
	`  transaction.interLedger:\n    send: POST /payments\n    fields:\n      ledgerFromId: body /from\n      ledgerToId: body /to\n      ${fields}\n${more}`;
const get = (field: string) =>
	`  transaction.get:\n    send: GET /payments/{id}\n    fields:\n      transactionId: path id\n    answer:\n      fields:\n        ${field}\n`;

describe("a request", () => {
	test.each([
		["a place that is not there", "corporateName: body /data/name", "the document has no body /data/name"],
		["a body outside of its envelope", "corporateName: body /legalName", "the document has no body /legalName"],
		["an object in a text", "metadata: body /data/legalName", "is of type object, and the document has type text here"],
		["one value for a list", "tradeName: body /data/roles", "is of type text, and the document has type list here"],
		[
			"values that theirs does not have",
			"industry: {at: body /data/sector, values: {CHARITY_RECOGNIZED: charity}}",
			"the document has no charity here: hospitality, retail",
		],
		[
			"none of their values",
			"industry: body /data/sector",
			"has none of the document's values: say which are ours (values): hospitality, retail",
		],
	])("of one field: %s", (_name, field, fault) => {
		expect(faultsOf(create(field))).toEqual([`${field} → ${fault}`]);
	});

	test.each<[string, string, string[]]>([
		["an operation that is not there", "  terms.get:\n    send: GET /terms\n", ["send: GET /terms → GET /terms is not in the document"]],
		[
			"another method",
			"  kyb.request:\n    send: PUT /companies/{id}\n    fields:\n      corporateId: path id\n",
			["send: PUT /companies/{id} → PUT /companies/{id} is not in the document"],
		],
		[
			"a constant that is none of theirs",
			create("corporateName: body /data/legalName").replace("FREE", "GOLD"),
			["body /data/plan: GOLD → the document has no GOLD here: FREE, PAID"],
		],
		[
			"a required field without a value",
			create("corporateName: body /data/legalName").replace(/ {4}constants:\n.*\n/, ""),
			["corporate.create: → have no body /data/plan, and the document requires it: one of FREE, PAID"],
		],
		["a number in a text", pay("amount: body /amount"), ["amount: body /amount → is of type number, and the document has type text here"]],
		[
			"a form for a JSON body",
			pay("amount: {at: body /amount, form: text}", "    body: form\n"),
			["body: form → must be json: so the document has it"],
		],
		[
			"JSON for a form",
			"  corporate.update:\n    send: PATCH /companies/{id}\n    fields:\n      corporateId: path id\n      corporateName: body /legalName\n",
			["corporate.update: → must be form: so the document has it"],
		],
		[
			"a body where there is none",
			"  email.sendLink:\n    send: POST /persons/{id}/mail\n    fields:\n      relatedPhysicalPersonId: path id\n      emailSubject: body /subject\n",
			["email.sendLink: → is sent, and the document has none here"],
		],
		["nothing", pay("amount: {at: body /amount, form: text}"), []],
		[
			"fields under our own names",
			"  transaction.interLedger:\n    send: POST /payments\n",
			[
				"transaction.interLedger: → the document has no body /ledgerFromId",
				"transaction.interLedger: → the document has no body /ledgerToId",
				"transaction.interLedger: → is of type number, and the document has type text here",
				"transaction.interLedger: → have no body /from, and the document requires it",
				"transaction.interLedger: → have no body /to, and the document requires it",
			],
		],
	])("%s", (_name, operations, faults) => {
		expect(faultsOf(operations)).toEqual(faults);
	});
});

test("a part of an object in a query, which the document has as one", () => {
	const parameters = [{ name: "filter", in: "query", schema: { type: "object" } }];
	const document = readOpenApi(documentOf([{ at: "GET /payments", parameters, answer: { data: [payment] } }]));
	const faults = (at: string) =>
		checkAgainst(
			mappingOf(
				`purser: mapping\nversion: 1\noperations:\n  transaction.list:\n    send: GET /payments\n    fields: {status: "query ${at}"}\n`,
			),
			document,
		).map(({ message }) => message);
	expect([faults("filter[state]"), faults("by[state]")]).toEqual([[], ["the document has no query by[state]"]]);
});

describe("an answer", () => {
	test.each<[string, string, string[]]>([
		["a pointer that is not there", get("currency: /currency"), ["currency: /currency → the document's answer has no /currency"]],
		["a list", get("reference: /tags"), ["reference: /tags → is of type text, and the document has type list here"]],
		["an object", get("sender.name: /payer"), ["sender.name: /payer → is of type text, and the document has type object here"]],
		[
			"values that theirs does not have",
			get("status: {at: /status, values: {APPROVED: done}}"),
			["status: {at: /status, values: {APPROVED: done}} → the document has no done here: booked, failed"],
		],
		[
			"a record that is none",
			"  corporate.get:\n    send: GET /companies/{id}\n    fields:\n      corporateId: path id\n    answer:\n      record: /result\n      fields:\n        id: /id\n",
			["id: /id → the document's answer has no /result/id"],
		],
		[
			"records that are no list",
			"  transaction.list:\n    send: GET /payments\n    answer:\n      records: /page\n      fields:\n        id: /id\n",
			["records: /page → /page is no list in the document"],
		],
		[
			"what is right",
			"  transaction.list:\n    send: GET /payments\n    answer:\n      records: /data\n      fields:\n        sender.name: /payer/name\n",
			[],
		],
	])("%s", (_name, operations, faults) => {
		expect(faultsOf(operations)).toEqual(faults);
	});
});

test("what holds for all operations: a cursor that is a date, a key that a payment does not have", () => {
	const list = "  transaction.list:\n    send: GET /payments\n    answer:\n      records: /data\n      fields:\n        id: /id\n";
	const shared = "paging: {style: cursor, at: cursor, next: /last}\nidempotency: {key: header Idempotency-Key}\n";
	expect(faultsOf(list + pay("amount: {at: body /amount, form: text}"), shared)).toEqual([
		"send: POST /payments → the document has no header Idempotency-Key",
		"answer: → has a date at /last (paging, next), and no cursor",
	]);
});

test("the line of a path is that of its name, of the nearest that is there, and of JSON too", () => {
	const text = 'a:\n  "b c":\n    - x\n    - d: 1\n  e: 2\n';
	const lineOf = lineFinder(text);
	expect([[], ["a"], ["a", "b c", "1", "d"], ["a", "e"], ["a", "e", "f"], ["a", "none"]].map((path) => lineOf(path))).toEqual([
		1, 1, 4, 5, 5, 1,
	]);
	expect(lineFinder('{\n\t"a": {\n\t\t"b": "?"\n\t}\n}')(["a", "b"])).toBe(3);
	expect(lineFinder("a: [")(["a"])).toBeUndefined();
});

test("a header that names their JSON, and one that is an idempotency key", () => {
	const entry = (more: string) =>
		`  transaction.interLedger:\n    send: POST /orders\n    fields:\n      ledgerFromId: body /from\n      ledgerToId: body /to\n      amount: { at: body /amount, form: text }\n${more}`;
	expect(faultsOf(entry(""))).toEqual([
		"transaction.interLedger: → have no header Accept, and the document requires it: one of application/vnd.quay+json",
		"transaction.interLedger: → have no header X-Request-Key, and the document requires it: name it under idempotency",
	]);
	const constants =
		"    constants:\n      header Accept: application/vnd.quay+json\n      header Content-Type: application/vnd.quay+json\n";
	expect(faultsOf(entry(constants), "idempotency: { key: header X-Request-Key }\n")).toEqual([]);
});
