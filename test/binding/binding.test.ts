import { describe, expect, it } from "vitest";
import { Decimal, formatJson, parseJson } from "../../src/api/json.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { createCorporate, listCorporates } from "../../src/api/operations/corporate.js";
import { createBeneficiaryTransaction, createInterLedger, getTransaction, listTransactions } from "../../src/api/operations/transaction.js";
import { boundOperation } from "../../src/binding/binding.js";
import { bindingDigest } from "../../src/binding/digest.js";
import { bindingFaults } from "../../src/binding/faults.js";
import { draftRequest } from "../../src/client/request/request.js";
import type { Codec, OperationBinding, RequestField, ServiceBinding } from "../../src/ports/binding.js";
import type { Profile } from "../../src/ports/profiles.js";
import { Random } from "../payments/simulation/random.js";
import { failure } from "../support/failure.js";
import { payment } from "./payment.js";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";

const envelope: OperationBinding = {
	...payment,
	request: { ...payment.request, record: "/data" },
	answer: { record: "/data", others: "apart", fields: { id: { at: "/payment/uuid" } }, statuses: { accepted: [200] } },
};

function profile(overrides: Profile["overrides"], service?: ServiceBinding): Profile {
	return {
		name: "t",
		baseUrl: "https://api.example.com",
		environment: "sandbox",
		auth: { kind: "login" },
		overrides,
		settings: {},
		service,
	};
}

describe("a payment in another form", () => {
	const input = { body: { ledgerFromId: a, ledgerToId: b, amount: "12.34", reference: "Invoice 2041" } };
	const draft = (facts: { currency?: string }) =>
		draftRequest(profile({ "transaction.interLedger": envelope }), createInterLedger, input, "0", facts);

	it("stands where the binding says, digits and direction as typed", () => {
		const { url, body, headers } = draft({ currency: "EUR" });
		expect(url).toBe("https://api.example.com/v2/payments");
		expect(headers["x-remittance"]).toBe("Invoice 2041");
		expect(new TextDecoder().decode(body)).toBe(
			`{"data":{"debtor":{"account":"${a}"},"creditor":{"account":"${b}"},"amount":{"value":1234,"currency":"EUR"}},"kind":"internal"}`,
		);
	});

	it("is not sent where nobody tells the currency that its minor units need", () => {
		const error = failure(() => draft({}));
		expect([error.kind, error.failure.code]).toEqual(["guard", "CURRENCY_UNKNOWN"]);
	});

	it("a field without a place is refused, a default without one is left to the deployment", () => {
		const binding: OperationBinding = {
			request: {
				others: "refused",
				fields: {
					ledgerFromId: { place: "body", at: "/from" },
					beneficiaryId: { place: "body", at: "/payee" },
					amount: { place: "body", at: "/amount", codec: "decimal-text" },
				},
			},
		};
		const pay = (body: object) =>
			draftRequest(
				profile({ "transaction.beneficiary": binding }),
				createBeneficiaryTransaction,
				{ body: { ledgerFromId: a, beneficiaryId: b, amount: "1.50", ...body } },
				"0",
			);
		expect(new TextDecoder().decode(pay({}).body)).toBe(`{"from":"${a}","payee":"${b}","amount":"1.50"}`);
		expect(failure(() => pay({ allowFastPayment: false })).failure.code).toBe("FIELD_NOT_BOUND");
		expect(failure(() => pay({ reference: "x" })).failure.code).toBe("FIELD_NOT_BOUND");
	});

	it("of a record whose other parts have their places, the parts that have none are named", () => {
		const place = { place: "body", at: "/address/town" } as const;
		const bound = boundOperation(
			createCorporate,
			{ request: { others: "refused", fields: { "registeredAddress.city": place } } },
			undefined,
		);
		const body = { registeredAddress: { city: "Exampleville", number: "1", street: "Rue de l'Exemple" } };
		const refused = failure(() => bound.toRequest({ params: {}, query: {}, body }));
		expect(refused.failure.details?.map(({ field }) => field)).toEqual(["registeredAddress.number", "registeredAddress.street"]);
	});

	it("the new id is read at its place alone", () => {
		const bound = boundOperation(createInterLedger, envelope, undefined);
		expect(bound.fromAnswer({ data: { payment: { uuid: a }, id: b } })).toEqual({ id: a });
		expect(bound.fromAnswer({ id: b, data: {} })).toEqual({});
		expect(bound.fromAnswer({ id: b })).toEqual({});
	});
});

describe("what is not bound", () => {
	it("stays as it is, and no description is taken apart for it", () => {
		const operation: AnyOperation = {
			...listTransactions,
			get answer(): AnyOperation["answer"] {
				throw new Error("the answer's description was looked at");
			},
		};
		const bound = boundOperation(operation, undefined, { errors: { code: "/code" } });
		const [values, data] = [{ params: {}, query: {}, body: undefined }, { content: [] }];
		expect([bound.toRequest(values), bound.fromRequest(values)].every((one) => one === values)).toBe(true);
		expect([bound.fromAnswer(data), bound.toAnswer(data)].every((one) => one === data)).toBe(true);
		expect(bound.fieldFromWire("/a/0[b]")).toBe("/a/0[b]");
		expect(bound.errors).toEqual({ code: "/code" });
		// The control: with a binding it is looked at.
		expect(() => boundOperation(operation, {}, undefined)).toThrow("was looked at");
	});
});

describe("answers", () => {
	const view: OperationBinding = {
		answer: {
			others: "apart",
			fields: {
				id: { at: "/uuid" },
				status: { at: "/state", values: { APPROVED: "settled", PENDING: "open" } },
				amount: { at: "/money/minor", codec: "minor-units" },
				currency: { at: "/money/iso" },
			},
		},
	};

	it("a record under our names; a field that is called as ours and is not bound means nothing", () => {
		const bound = boundOperation(getTransaction, view, undefined);
		const read = bound.fromAnswer(
			parseJson(`{"uuid":"${a}","state":"settled","status":"APPROVED","money":{"minor":1234,"iso":"EUR"},"note":"x"}`),
		);
		expect(formatJson(read)).toBe(`{"note":"x","id":"${a}","status":"APPROVED","amount":12.34,"currency":"EUR"}`);
		const open = bound.fromAnswer({ uuid: a, state: "APPROVED", status: "APPROVED" });
		expect(open).toMatchObject({ status: "OTHER_APPROVED" });
	});

	it("an amount whose currency is not told is not read", () => {
		expect(boundOperation(getTransaction, view, undefined).fromAnswer(parseJson('{"money":{"minor":1234}}'))).toEqual({});
	});

	it("a page with its entries and their number elsewhere", () => {
		const service: ServiceBinding = {
			paging: { style: "offset", at: "from", size: { at: "count", most: 50 }, records: "/data/items", total: "/data/count" },
		};
		const bound = boundOperation(listTransactions, view, service);
		const read = bound.fromAnswer(parseJson(`{"data":{"items":[{"uuid":"${a}","state":"open"}],"count":7}}`));
		expect(formatJson(read)).toBe(`{"content":[{"id":"${a}","status":"PENDING"}],"totalElements":7}`);
		expect(formatJson(bound.toAnswer(read))).toBe(`{"data":{"items":[{"uuid":"${a}","state":"open"}],"count":7}}`);
		const request = draftRequest(profile({}, service), listTransactions, { query: { page: "2", pageSize: "100" } }, "0");
		expect(request.url).toBe("https://api.example.com/api/partner/transactions?count=50&from=100");
	});

	it("an error's field is told under our name", () => {
		expect(boundOperation(createInterLedger, envelope, undefined).fieldFromWire("debtor.account")).toBe("ledgerFromId");
		expect(boundOperation(createInterLedger, envelope, undefined).fieldFromWire("/amount/value")).toBe("amount");
		expect(boundOperation(createInterLedger, envelope, undefined).fieldFromWire("other")).toBe("other");
	});
});

describe("the digest of a binding", () => {
	it("changes with what decides, not with where it comes from", () => {
		const digest = (binding: OperationBinding) => bindingDigest(createInterLedger, binding, undefined);
		expect(digest({ ...envelope, source: { document: "x", sha256: "y", pointer: "/z" } })).toBe(digest(envelope));
		expect(digest({ ...envelope, path: "/v3/payments" })).not.toBe(digest(envelope));
		expect(bindingDigest(createInterLedger, envelope, { ids: { ledger: "[0-9]{12}" } })).not.toBe(digest(envelope));
		expect(bindingDigest(createInterLedger, {}, { paging: { style: "page", at: "p" } })).toBeUndefined();
	});
});

describe("both directions undo one another", () => {
	const seed = Number(process.env.PURSER_TEST_SEED ?? 20_261_122);
	const count = 2_000;

	it(`${count} random bindings of a payment, a company and a list (seed ${seed})`, () => {
		const random = new Random(seed);
		const wrong: string[] = [];
		for (let index = 0; index < count; index++) {
			const transfer = {
				ledgerFromId: a,
				ledgerToId: b,
				amount: `${1 + random.below(99_999)}.${10 + random.below(90)}`,
				reference: "Invoice 2041",
			};
			const { binding, input } = randomBinding(random, transfer);
			const faults = bindingFaults(createInterLedger, binding, "https://api.example.com");
			if (faults.length > 0) wrong.push(`${index}: ${faults[0]?.field} ${faults[0]?.message}`);
			const bound = boundOperation(createInterLedger, binding, undefined);
			const wire = bound.toRequest({ params: {}, query: {}, body: { ...input, amount: new Decimal(input.amount) } }, { currency: "EUR" });
			const back = bound.fromRequest(wire).body as typeof transfer;
			if (formatJson(sorted({ ...back, amount: String(back.amount) })) !== formatJson(sorted(input)))
				wrong.push(`${index}: ${formatJson(back)} for ${formatJson(input)} by ${formatJson(binding)}`);
			const answer = { id: a, status: "APPROVED", amount: new Decimal(input.amount), currency: "EUR" };
			const seen = boundOperation(getTransaction, answerBinding(random), undefined);
			if (formatJson(sorted(seen.fromAnswer(seen.toAnswer(answer)))) !== formatJson(sorted(answer))) wrong.push(`${index}: answer`);
		}
		expect(wrong.slice(0, 5)).toEqual([]);
	});

	it("nested fields and lists of records", () => {
		const binding: OperationBinding = {
			request: {
				record: "/company",
				fields: { registeredAddress: { place: "body", at: "/seat" }, externalId: { place: "body", at: "/meta/crm" } },
			},
		};
		const body = { corporateName: "Example Florist", registeredAddress: { city: "Vienna" }, externalId: "crm-1" };
		const bound = boundOperation(createCorporate, binding, undefined);
		const wire = bound.toRequest({ params: {}, query: {}, body });
		expect(wire.body).toEqual({ company: { seat: { city: "Vienna" }, meta: { crm: "crm-1" }, corporateName: "Example Florist" } });
		expect(bound.fromRequest(wire).body).toEqual(body);
		const list = boundOperation(listCorporates, { answer: { fields: { id: { at: "/ref" } } } }, undefined);
		expect(list.fromAnswer({ content: [{ ref: a, name: "x" }], totalElements: 1 })).toEqual({
			content: [{ name: "x", id: a }],
			totalElements: 1,
		});
	});
});

function sorted(value: unknown): Record<string, unknown> {
	return Object.fromEntries(Object.entries(value as object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Each field somewhere else: in a body at a depth of one to three, a query, a header, or the path. */
function randomBinding(random: Random, input: Record<"ledgerFromId" | "ledgerToId" | "amount" | "reference", string>) {
	const fields: Record<string, RequestField> = {};
	let path = "/v9/pay";
	for (const [index, name] of ["ledgerFromId", "ledgerToId", "amount", "reference"].entries()) {
		const place = random.pick(["body", "body", "body", "query", "header", "path"] as const);
		const codec: Codec | undefined = name === "amount" ? random.pick(["number", "decimal-text", "minor-units"] as const) : undefined;
		const depth = 1 + random.below(3);
		const at = place === "body" ? Array.from({ length: depth }, (_, level) => `/l${level}x${index}`).join("") : `f${index}`;
		if (place === "path") path += `/{${at}}`;
		fields[name] = { place, at: place === "header" ? `x-${at}` : at, ...(codec ? { codec } : {}) };
	}
	if (random.below(2) === 0) fields.currency = { place: "body", at: "/currency" };
	const readable = fields.amount?.codec !== "minor-units" || fields.currency !== undefined;
	if (!readable && fields.amount) fields.amount.currency = "EUR";
	const binding: OperationBinding = {
		path,
		constants: random.below(2) === 0 ? [{ place: "body", at: "/kind", value: "internal" }] : [],
		request: { record: random.below(2) === 0 ? "/data" : "", others: "refused", fields },
	};
	return { binding, input };
}

function answerBinding(random: Random): OperationBinding {
	return {
		answer: {
			record: random.below(2) === 0 ? "/result" : "",
			others: random.pick(["kept", "apart"] as const),
			fields: {
				id: { at: random.pick(["/uuid", "/payment/id"]) },
				status: { at: "/state", values: { APPROVED: "settled", PENDING: "APPROVED" } },
				amount: { at: "/value", codec: random.pick(["number", "decimal-text", "minor-units"] as const) },
				currency: { at: "/iso" },
			},
		},
	};
}
