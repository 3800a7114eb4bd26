/**
 * What bodies say, in the one form of all events; also bodies that were written to do harm.
 */
import { describe, expect, test } from "vitest";
import { changeIn, rawIn } from "../../src/events/normal.js";

const said = (body: unknown) => changeIn(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));
const nothing = { type: "unknown", subject: null, from: null, to: null };
const id = "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11";
const digits = "90071992547409931234";

describe("what a body says", () => {
	type Said = [kind: string, subject: string, from: string | null, to: string | null];
	const flat = { event: "CORPORATE_KYB_VALIDATED", corporateId: id };
	const wrapped = { type: "transaction.approved", data: { id, status: "APPROVED", previousStatus: "PENDING" } };
	const person = { eventType: "CORPORATE_RELATED_KYC_VALIDATED", data: { corporateId: "c-1", corporateRelatedId: id } };
	const cased = { event_type: "transactionStatusChanged", payload: { transaction_id: id, new_status: "declined", old_status: "pending" } };
	const within = { type: "payment.updated", id: "evt_own", data: { object: { id: "pay_7", status: "PENDING" } } };
	test.each<[string, object, string, Said]>([
		["wrapped", wrapped, "transaction.approved", ["transaction", id, "PENDING", "APPROVED"]],
		["flat, in the service's capitals", flat, "corporate.kyb.validated", ["corporate", id, null, "VALIDATED"]],
		["a related person's, which is no corporate's", person, "corporate.related.kyc.validated", ["related", id, null, "VALIDATED"]],
		["in camel case and snake case", cased, "transaction.status.changed", ["transaction", id, "PENDING", "DECLINED"]],
		["within an object of the data", within, "payment.updated", ["transaction", "pay_7", null, "PENDING"]],
		["an id that is a number", { type: "transaction.updated", data: "NUMBER" }, "transaction.updated", ["transaction", digits, null, null]],
		[
			"a beneficiary without a state",
			{ type: "BENEFICIARY_CREATED", beneficiaryId: id },
			"beneficiary.created",
			["beneficiary", id, null, null],
		],
		[
			"a payment that names its ledger",
			{ type: "payment.x", ledgerId: "l", transactionId: id },
			"payment.x",
			["transaction", id, null, null],
		],
	])("%s", (_what, body, type, [kind, subject, from, to]) => {
		const text = JSON.stringify(body).replace('"NUMBER"', `{"id":${digits}}`);
		expect(said(text)).toEqual({ type, subject: { kind, id: subject }, from, to });
	});

	test.each([
		["nothing", ""],
		["no JSON", "hello=world&a=b"],
		["null", "null"],
		["a list", '[{"type":"transaction.approved"}]'],
		["a key twice", '{"type":"a.b","type":"transaction.approved"}'],
		["a type that is no text", '{"type":{"a":1}}'],
		["a prototype", '{"__proto__":{"type":"transaction.approved","status":"APPROVED","id":"x"}}'],
		["a type of signs", '{"type":"\\u0000\\u001b[2J\\u202e"}'],
	])("%s says nothing", (_what, body) => {
		expect(said(body).subject).toBeNull();
		expect({ ...said(body), type: said(body).type.replace(/^2.j$/, "unknown") }).toEqual(nothing);
		expect(({} as { type?: string }).type).toBeUndefined();
	});

	test("bytes that are no UTF-8 say nothing, and are no text", () => {
		const body = Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]);
		expect(changeIn(body)).toEqual(nothing);
		expect(rawIn(body)).toBeUndefined();
	});

	test("a megabyte of brackets, of keys and of values is not looked into", () => {
		const brackets = "[".repeat(1_000_000);
		expect(said(brackets)).toEqual(nothing);
		expect(said(`{"type":"a.b","data":${"[".repeat(500_000)}${"]".repeat(500_000)}}`)).toEqual(nothing);
		expect(said(`{"type":"a.b",${Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(",")}}`)).toEqual(nothing);
		expect(said(`{"type":"a.b","data":[${"1,".repeat(400_000)}1]}`)).toEqual(nothing);
	});

	test("no control character and no endless word gets through", () => {
		expect(said({ type: "Transaction\u001b[31m \u202eApproved\n" }).type).toBe("transaction.31m.approved");
		expect(said({ type: "x".repeat(10_000) }).type).toHaveLength(100);
		expect(said({ type: "a.b", data: { id: "one\u0007two", status: "OK\u001b[0m" } })).toMatchObject({ subject: null, to: null });
		expect(said({ type: "a.b", data: { id: "y".repeat(201) } }).subject).toBeNull();
	});
});
