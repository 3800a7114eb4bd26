import { describe, expect, it } from "vitest";
import { getCorporate } from "../../src/api/operations/corporate.js";
import { createInterLedger, getTransaction, listTransactions } from "../../src/api/operations/transaction.js";
import { bindingFaults, serviceFaults } from "../../src/binding/faults.js";
import type { OperationBinding } from "../../src/ports/binding.js";
import { payment } from "./payment.js";

const faultsOf = (binding: OperationBinding) =>
	bindingFaults(createInterLedger, binding, "https://api.example.com/base").map(({ field, message }) => `${field}: ${message}`);

const withFields = (fields: NonNullable<OperationBinding["request"]>["fields"], more: OperationBinding = {}): OperationBinding => ({
	...payment,
	...more,
	request: { others: "refused", fields: { ...payment.request.fields, ...fields } },
});

describe("faults of a binding", () => {
	it("one that is right has none", () => {
		expect(faultsOf(payment)).toEqual([]);
		expect(faultsOf({ path: "/pay", request: { fields: { ledgerFromId: { place: "body", at: "/from" } } } })).toEqual([]);
		expect(
			bindingFaults(
				getCorporate,
				{ path: "/companies/{id}", request: { fields: { corporateId: { place: "path", at: "id" } } } },
				"https://a.example",
			),
		).toEqual([]);
	});

	it.each<[string, OperationBinding, string]>([
		[
			"two fields at one place",
			withFields({ ledgerToId: { place: "body", at: "/debtor/account" } }),
			"ledgerFromId and ledgerToId would stand at one place",
		],
		[
			"one inside another",
			withFields({ ledgerToId: { place: "body", at: "/debtor" } }),
			"ledgerFromId and ledgerToId would stand at one place",
		],
		[
			"a constant at a field's place",
			{ ...payment, constants: [{ place: "body", at: "/amount", value: 1 }] },
			"amount and the constant /amount would stand at one place",
		],
		[
			"a field where an unbound one stands under its own name",
			{ path: "/pay", request: { fields: { ledgerFromId: { place: "body", at: "/ledgerToId" } } } },
			"ledgerToId and ledgerFromId would stand at one place",
		],
		[
			"a field below an unbound one",
			{ path: "/pay", request: { fields: { currency: { place: "body", at: "/amount/currency" } } } },
			"amount and currency would stand at one place",
		],
		[
			"a constant at an unbound field's place",
			{ path: "/pay", constants: [{ place: "body", at: "/sum", value: 1 }], fields: { amount: "sum" } },
			"amount and the constant /sum would stand at one place",
		],
		[
			"a header of its own at a field's place",
			withFields({ ledgerFromId: { place: "header", at: "x-debit" } }, { headers: { "X-Debit": "1" } }),
			"the header X-Debit and ledgerFromId would stand at one place",
		],
		["a field that is none", withFields({ iban: { place: "body", at: "/iban" } }), "iban: names no field of transaction.interLedger"],
		[
			"a payment's ledger translated",
			withFields({ ledgerToId: { place: "body", at: "/to", values: { a: "b" } } }),
			"of a payment cannot have other values",
		],
		[
			"a payment's ledger in another form",
			withFields({ ledgerToId: { place: "body", at: "/to", codec: "decimal-text" } }),
			"of a payment cannot be written as decimal-text",
		],
		[
			"an amount as a date",
			withFields({ amount: { place: "body", at: "/a", codec: "epoch-seconds" } }),
			"cannot be written as epoch-seconds",
		],
		["a body of a GET", { ...payment, method: "GET" }, "stands in a body, and GET has none"],
		["a path without its field", withFields({ ledgerToId: { place: "path", at: "to" } }), "the path must contain {to} exactly once"],
		["a path that nobody fills", { ...payment, path: "/v2/payments/{id}" }, "the path has {id}, and nothing says what it is"],
		["a path with a brace too many", { ...payment, path: "/v2/payments}" }, "the path has an unmatched brace"],
		["a path that leaves the base", { ...payment, path: "//evil.example/pay" }, "must stay below the base address"],
		["another server", { ...payment, server: "https://pay.example.com" }, "is not at the profile's own address, https://api.example.com"],
		["a credential's header", withFields({ reference: { place: "header", at: "Authorization" } }), "is a header that no binding may set"],
		[
			"a header that frames the request",
			withFields({ reference: { place: "header", at: "Keep-Alive" } }),
			"is a header that no binding may set",
		],
		["the tool's own name", withFields({ reference: { place: "header", at: "User-Agent" } }), "is a header that no binding may set"],
		[
			"a required field without a place",
			{ ...payment, request: { others: "refused", fields: { amount: { place: "body", at: "/a" } } } },
			"ledgerFromId is required and has no place",
		],
		[
			"a refusing status that means done",
			{ ...payment, answer: { ...payment.answer, statuses: { accepted: [200, 409] } } },
			"409 is no 2xx",
		],
		[
			"one status for two meanings",
			{ ...payment, answer: { ...payment.answer, statuses: { accepted: [202], waiting: [202] } } },
			"one status cannot mean both",
		],
		[
			"no place of the new id",
			{ ...payment, answer: { fields: { status: { at: "/status" } } } },
			"does not say where the new record's id stands",
		],
		["a pointer that is none", withFields({ ledgerToId: { place: "body", at: "to" } }), "to is not a JSON Pointer of a field"],
		["a prototype", withFields({ ledgerToId: { place: "body", at: "/__proto__/x" } }), "is not a JSON Pointer of a field"],
	])("%s", (_name, binding, message) => {
		expect(faultsOf(binding).join("\n")).toContain(message);
	});

	it("what stands inside a record of a list has a place, and what no record has has none", () => {
		const list = (name: string) =>
			bindingFaults(listTransactions, { answer: { fields: { [name]: { at: "/payer/account" } } } }, "https://a.example");
		expect(list("sender.ledgerId")).toEqual([]);
		expect(list("senders.ledgerId").map(({ message }) => message)).toEqual(["names no field of transaction.list's answer"]);
	});

	it("two values that are one at the deployment cannot be read back", () => {
		const binding: OperationBinding = {
			answer: { fields: { id: { at: "/id" }, status: { at: "/state", values: { PENDING: "x", APPROVED: "x" } } } },
		};
		expect(bindingFaults(getTransaction, binding, "https://a.example")).toEqual([
			{ field: "status", message: "has two values that are both x at the deployment" },
		]);
	});

	it("of what holds for all operations", () => {
		expect(
			serviceFaults({ paging: { style: "cursor", at: "cursor", next: "next" }, ids: { ledger: "(a+)+" } }).map(({ field }) => field),
		).toEqual(["next", "ids.ledger"]);
		expect(serviceFaults({ paging: { style: "page" } })).toHaveLength(1);
	});
});
