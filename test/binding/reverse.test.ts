/**
 * What one direction of a binding writes, the other one reads: places that hold text alone, constants, names in errors, periods.
 */
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/api/json.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { createCorporate, getCorporate, listCorporates } from "../../src/api/operations/corporate.js";
import { createRelated } from "../../src/api/operations/related.js";
import { getTerms } from "../../src/api/operations/terms.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../src/api/operations/transaction.js";
import { idPatternFault } from "../../src/api/text/ids.js";
import { boundOperation } from "../../src/binding/binding.js";
import { bindingFaults } from "../../src/binding/faults.js";
import type { OperationBinding, RequestField, ServiceBinding } from "../../src/ports/binding.js";
import { failure } from "../support/failure.js";

const id = "11111111-1111-4111-8111-111111111111";

describe("fields in places that hold text alone", () => {
	it("are read back as what they are: numbers with their digits, yes and no, lists", () => {
		const fields: Record<string, RequestField> = {
			amount: { place: "query", at: "sum" },
			allowFastPayment: { place: "header", at: "X-Instant" },
			beneficiaryId: { place: "path", at: "payee" },
		};
		const bound = boundOperation(createBeneficiaryTransaction, { path: "/pay/{payee}", request: { fields } }, undefined);
		const body = { ledgerFromId: id, beneficiaryId: id, amount: new Decimal("10.10"), allowFastPayment: false };
		const wire = bound.toRequest({ params: {}, query: {}, body });
		expect([wire.headers, wire.params]).toEqual([{ "x-instant": "false" }, { payee: id }]);
		const query = { sum: String(wire.query.sum) };
		expect(bound.fromRequest({ ...wire, query }).body).toEqual(body);
	});

	it("a list in a query, its values joined by commas", () => {
		const service: ServiceBinding = { paging: { style: "page", at: "p", lists: "comma" } };
		const values = { APPROVED: "settled", PENDING: "open" };
		const bound = boundOperation(listTransactions, { request: { fields: { status: { place: "query", at: "state", values } } } }, service);
		expect(bound.fromRequest({ params: {}, query: { state: "open,settled" }, body: undefined }).query).toEqual({
			status: ["PENDING", "APPROVED"],
		});
	});

	it("a record stands in a body alone, a list in a query too", () => {
		const faultsOf = (name: string, field: RequestField) =>
			bindingFaults(createCorporate, { request: { fields: { [name]: field } } }, "https://api.example.com").map(({ message }) => message);
		expect(faultsOf("registeredAddress", { place: "query", at: "seat" })).toEqual(["is a record, which a query cannot hold"]);
		expect(faultsOf("metadata", { place: "header", at: "X-Extra" })).toEqual(["is a record, which a header cannot hold"]);
		expect(faultsOf("corporateName", { place: "header", at: "X-Name" })).toEqual([]);
	});

	it("a header loses the spaces at its ends, so a text with such is not sent", () => {
		const bound = boundOperation(createInterLedger, { request: { fields: { reference: { place: "header", at: "X-Text" } } } }, undefined);
		const sent = (reference: string) => bound.toRequest({ params: {}, query: {}, body: { reference } });
		expect(sent("Rent March").headers).toEqual({ "x-text": "Rent March" });
		expect(failure(() => sent(" Rent")).failure.details).toEqual([
			{ field: "reference", message: "begins or ends with a space, which a header loses" },
		]);
	});
});

describe("what is no field of ours", () => {
	it("a constant is not read as one", () => {
		const binding: OperationBinding = {
			constants: [
				{ place: "body", at: "/data/kind", value: "human" },
				{ place: "query", at: "v", value: "2" },
			],
			request: { record: "/data" },
		};
		const bound = boundOperation(createRelated, binding, undefined);
		const ours = { params: { corporateId: id }, query: {}, body: { firstName: "Ada" } };
		const wire = bound.toRequest(ours);
		expect(wire.body).toEqual({ data: { kind: "human", firstName: "Ada" } });
		expect(bound.fromRequest(wire)).toEqual(ours);
	});

	it("a default of the description needs no place, in a query neither", () => {
		const binding: OperationBinding = { request: { others: "refused", fields: { language: { place: "query", at: "lang" } } } };
		const bound = boundOperation(getTerms, binding, undefined);
		const asked = (type: string) => bound.toRequest({ params: {}, query: { type, language: "EN" }, body: undefined }).query;
		expect(asked("CORPORATE")).toEqual({ lang: "EN" });
		expect(failure(() => asked("PERSON")).failure.code).toBe("FIELD_NOT_BOUND");
	});
});

describe("an order that the deployment does not know", () => {
	const bound = boundOperation(listCorporates, { request: { others: "refused", fields: {} } }, undefined);
	const asked = (query: object) => bound.toRequest({ params: {}, query: { ...query }, body: undefined }).query;

	it("is left out, because it selects nothing; a filter is not", () => {
		expect(asked({ sortAttribute: "CREATION_DATE", sortDirection: "DESC", page: "0", pageSize: "100" })).toEqual({});
		expect(failure(() => asked({ registeredName: "Example" })).failure.code).toBe("FIELD_NOT_BOUND");
	});
});

describe("names in errors", () => {
	const binding: OperationBinding = {
		fields: { tradeName: "trading_as" },
		request: {
			record: "/data",
			fields: { registeredAddress: { place: "body", at: "/seat" }, "accountOwnerInfo.firstName": { place: "body", at: "/owner/given" } },
		},
	};
	const bound = boundOperation(createCorporate, binding, undefined);

	it.each([
		["registeredAddress.city", "data.seat.city"],
		["accountOwnerInfo.firstName", "data.owner.given"],
		["tradeName", "data.trading_as"],
	])("%s is told as %s", (ours, theirs) => {
		expect([bound.fieldToWire(ours), bound.fieldFromWire(theirs), bound.fieldFromWire(`/${theirs.replaceAll(".", "/")}`)]).toEqual([
			theirs,
			ours,
			ours,
		]);
	});
});

describe("a list's records and period", () => {
	it("fields below a known one can be bound", () => {
		const answer = { fields: { "sender.ledgerId": { at: "/from/account" }, "information.reference": { at: "/text" } } };
		expect(bindingFaults(listTransactions, { answer }, "https://api.example.com")).toEqual([]);
		const list = boundOperation(listTransactions, { answer }, undefined).fromAnswer({ content: [{ from: { account: id }, text: "Rent" }] });
		expect(list).toEqual({ content: [{ sender: { ledgerId: id }, information: { reference: "Rent" } }] });
		const other = { answer: { fields: { "nothing.at": { at: "/x" } } } };
		expect(bindingFaults(listTransactions, other, "https://api.example.com")).toHaveLength(1);
	});

	it("a record has what it was created with, and a payment's has no more than it is known to have", () => {
		const faultsOf = (operation: AnyOperation, name: string) =>
			bindingFaults(operation, { answer: { fields: { id: { at: "/id" }, [name]: { at: "/x" } } } }, "https://api.example.com");
		expect([faultsOf(getCorporate, "expectedMonthlyExpenses.value"), faultsOf(listCorporates, "employeesRange")]).toEqual([[], []]);
		expect(faultsOf(getCorporate, "profit")).toHaveLength(1);
	});

	it.each([
		["epoch-seconds", "2026-03-01T10:00:00.250Z", "2026-03-01T10:00:00.250Z", "1772359200", "1772359201"],
		["date:YYYY-MM-DD", "2026-03-01T11:00:00Z", "2026-03-01T11:00:00Z", "2026-02-28", "2026-03-03"],
		["date:DD.MM.YYYY", "2026-03-01", "2026-03-02", "01.03.2026", "02.03.2026"],
		["epoch-milliseconds", "2026-03-01T10:00:00.250Z", "2026-03-01T10:00:00.250Z", "1772359200250", "1772359200250"],
	] as const)("a border that %s cannot say exactly shows more, never less", (codec, startDate, endDate, from, to) => {
		const fields: Record<string, RequestField> = {
			startDate: { place: "query", at: "from", codec },
			endDate: { place: "query", at: "to", codec },
		};
		const { query } = boundOperation(listTransactions, { request: { fields } }, undefined).toRequest({
			params: {},
			query: { startDate, endDate },
			body: undefined,
		});
		expect([String(query.from), String(query.to)]).toEqual([from, to]);
	});
});

it("an id's range holds letters and digits alone", () => {
	expect(["[A-z]{8}", "[0-z]{8}", "[0-Z]{8}"].map((pattern) => idPatternFault(pattern)?.slice(0, 17))).toEqual(
		Array(3).fill("must be a row of "),
	);
	expect(["[0-9A-Za-z_-]{8}", "[a-f-]{8}", "[-a-f]{8}"].map(idPatternFault)).toEqual([undefined, undefined, undefined]);
});
