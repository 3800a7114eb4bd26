import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { parseYaml } from "../../src/cli/input/yaml.js";
import { readOpenApi } from "../../src/mapping/document.js";
import { draftMapping } from "../../src/mapping/draft.js";
import { open, readMapping } from "../../src/mapping/file.js";
import { described, documentOf, type Line, schemaOf } from "./documents.js";

interface Drafted extends Record<string, unknown> {
	operations: Record<string, { send: string; fields: Record<string, unknown>; answer?: { fields: Record<string, unknown> } } | undefined>;
}

const person = { first_name: "string", last_name: "string", nationality: "string" };
const transfer = { "source_account_id!": "string", "target_account_id!": "string" };
const base: Line[] = [
	{
		at: "GET /companies/{id}",
		id: "getCompany",
		answer: { id: "string", legal_name: "string", registration_number: "string", kyb_status: "NEW|VALIDATED" },
	},
	{ at: "GET /persons/{id}", id: "getPerson", answer: { id: "string", ...person } },
];
const payment = (amount: unknown, more: Partial<Line> = {}, fields: Line["body"] = {}): Line => ({
	...{ at: "POST /internal-transfers", id: "createInternalTransfer", body: { ...transfer, "amount!": amount, ...fields } },
	...{ answer: { id: "string" }, ...more },
});
const create = (fields: Line["body"], more: Partial<Line> = {}): Line => ({
	...{ at: "POST /companies", id: "createCompany", summary: "Create a company", answer: { company_id: "string" } },
	...{ body: { "legal_name!": "string", registration_number: "string", trading_name: "string", ...fields }, ...more },
});
const get = (answer: Line["answer"]): Line => ({ at: "GET /payments/{payment_id}", id: "getPayment", answer });
const draftOf = (lines: Line[]): Drafted => parse(draftMapping(readOpenApi(documentOf([...base, ...lines]))));
const fieldsOf = (id: string, line: Line) => draftOf([line]).operations[id]?.fields ?? {};

test("a draft says first what to do, is a mapping but for what is open, and has beside that what is asked and what is left", () => {
	const key = { name: "Idempotency-Key", in: "header", description: "Kept for 24 hours.", schema: { type: "string" } };
	const lines = [
		create({ sector: "hospitality|retail", "channel!": "WEB|API", colour: "string" }, { form: true }),
		create({}, { at: "POST /v1/companies", deprecated: true }),
		payment("number", { status: 202, parameters: [key] }),
		{
			...{ at: "GET /payments", id: "listPayments", query: ["cursor", "limit", "account_id"] },
			answer: { data: [{ id: "string", amount: "number", currency: "string" }], next_cursor: "string" },
		},
	];
	const text = draftMapping(readOpenApi(documentOf([...base, ...lines])));
	expect(text.split("\n")[0]).toBe(
		'# Fill in every "?", then run: purser api check FILE --against DOCUMENT. Search: purser api find WORD… --in DOCUMENT. How: purser help mapping',
	);
	const { faults } = readMapping(parseYaml(text));
	expect(faults.filter(({ message }) => !message.startsWith("is open (?)"))).toEqual([]);
	for (const line of [
		"Take out a line that has none, and values where all are the same. theirs: hospitality, retail",
		'idempotency: "?"  # { key: header NAME, keeps: 24h }, or leave it out. theirs: header Idempotency-Key (Kept for 24 hours.).',
		'body /channel: "?"  # required. one of: WEB, API.',
		"theirs that are not used: body /colour.",
		"# or POST /v1/companies  Create a company",
		"which operation does this? purser api find …; where there is none: phone.sendCode: none",
	])
		expect(text, line).toContain(line);
	expect(parse(text)).toMatchObject({
		...{ paging: open, errors: open, ids: open, idempotency: open },
		operations: { "corporate.create": { send: "POST /companies", body: "form" }, "transaction.interLedger": { statuses: open } },
	});
});

describe("forms are those that the document tells", () => {
	const openForm = (at: string) => ({ at, form: open });
	test.each([
		["a number", "number"],
		["whole numbers of cents", described("In cents", "integer")],
		["a text", "string"],
	])("an amount as %s is asked, whatever is said of it", (_name, amount) => {
		expect(fieldsOf("transaction.interLedger", payment(amount)).amount).toEqual(openForm("body /amount"));
	});

	const text = (more: object) => ({ schema: { type: "string", ...more } });
	test.each<[string, string, unknown, string, unknown]>([
		["three letters", "country", text({ pattern: "^[A-Z]{3}$" }), "incorporationCountry", "body /country"],
		["letters of a country", "country", "string", "incorporationCountry", openForm("body /country")],
		["a date", "founded_on", text({ format: "date" }), "incorporationDate", "body /founded_on"],
		["a moment", "founded_on", text({ format: "date-time" }), "incorporationDate", openForm("body /founded_on")],
		["an object in a text", "legal_type", "string", "legalType", open],
		[
			"another address",
			"legal_address",
			{ schema: { ...schemaOf({ city: "string" }), description: "Mailing address" } },
			"registeredAddress.city",
			open,
		],
		["two that may be one", "company_name", "string", "corporateName", open],
	])("%s", (_name, name, schema, written, found) => {
		expect(fieldsOf("corporate.create", create({ [name]: schema }))[written]).toEqual(found);
	});

	test("a phone in one text, half a phone, yes and no, and a share of another unit", () => {
		const add = (fields: Line["body"]): Line => ({ at: "POST /companies/{id}/persons", id: "addPerson", body: { ...person, ...fields } });
		const fields = fieldsOf(
			"related.create",
			add({
				phone: text({ format: "e164" }),
				is_director: "yes|no",
				is_ubo: "true|false",
				ownership_percentage: described("Fraction, 0 to 1", "number"),
			}),
		);
		expect(fields).toMatchObject({
			phone: { at: "body /phone", form: "e164" },
			isDirector: { values: { true: open, false: open } },
			isUbo: { values: { true: "true", false: "false" } },
			directSharesPercentage: open,
		});
		const half = fieldsOf("related.create", add({ phone_number: "string" }));
		expect([fields, half].map((one) => Object.keys(one).filter((name) => /phone/.test(name) && one[name] !== open))).toEqual([
			["phone"],
			[],
		]);
	});
});

describe("statuses are never ours by a guess", () => {
	const every = Object.fromEntries("PENDING APPROVED DECLINED ABORTED RELEASED REVERSED".split(" ").map((one) => [one, open]));
	test.each<[string, unknown, unknown]>([
		["ours", "PENDING|APPROVED|DECLINED", undefined],
		["ours in small letters", "pending|approved", { PENDING: "pending", APPROVED: "approved" }],
		["others, with one of ours among them", "pending|booked|rejected", every],
		["untold", "string", open],
	])("%s", (_name, status, values) => {
		const answer = draftOf([get({ id: "string", amount: "number", currency: "string", status })]).operations["transaction.get"]?.answer;
		expect((answer?.fields.status as { values?: unknown } | undefined)?.values).toEqual(values);
	});
});

describe("where things stand", () => {
	it("a record in an envelope, an id under the record's name, and two ids", () => {
		const record = { payment_id: "string", amount: "number", currency: "string" };
		const answerOf = (answer: Line["answer"]) => draftOf([get(answer)]).operations["transaction.get"]?.answer;
		expect(answerOf({ data: record, meta: { request_id: "string" } })).toMatchObject({
			record: "/data",
			fields: { id: "/payment_id", currency: "/currency" },
		});
		expect(answerOf({ ...record, id: "string" })?.fields.id).toBe(open);
	});

	it("an idempotency key is told by what is said of it, and the names of ours where the operation is open", () => {
		const key = { name: "X-Request-Key", in: "header", description: "For idempotency, kept for 3 days", schema: { type: "string" } };
		const text = draftMapping(readOpenApi(documentOf([...base, { at: "POST /orders", id: "order", parameters: [key] }])));
		expect(text).toContain("theirs: header X-Request-Key (For idempotency, kept for 3 days).");
		expect(text).toContain("fields: transactionId (required). answer: id, type, paymentType, status,");
	});
});
