/**
 * A transfer and the body of its request: what goes to the wire is what is guarded, shown and recorded.
 */
import { describe, expect, test } from "vitest";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { type Transfer, transferBody, transferFromBody } from "../../src/api/operations/transfer.js";
import { serviceOf } from "../../src/http/service.js";
import { answered, smallContext } from "../support/context.js";

const from = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const to = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const made = "33333333-3333-4333-8333-333333333333";
const between: Transfer = { kind: "ledger", ledgerFromId: from, counterpartyId: to, amount: "10.10", reference: "Invoice 2041" };
const outside: Transfer = { ...between, kind: "beneficiary", allowFastPayment: false };

test.each([
	["between ledgers", between, { ledgerFromId: from, ledgerToId: to, amount: "10.10", reference: "Invoice 2041" }],
	[
		"to a beneficiary",
		outside,
		{ ledgerFromId: from, beneficiaryId: to, amount: "10.10", reference: "Invoice 2041", allowFastPayment: false },
	],
])("%s: the body asks for the transfer, and nothing else of it", (_, transfer, body) => {
	expect(transferBody({ ...transfer, currency: "EUR" })).toEqual(body);
	const operation = transfer.kind === "ledger" ? createInterLedger : createBeneficiaryTransaction;
	expect(transferFromBody(operation, { ...body, currency: "USD" }, "EUR")).toEqual({ ...transfer, currency: "EUR" });
});

describe("a payment that is sent", () => {
	const sent = async (transfer: Transfer) => {
		const recorded: unknown[] = [];
		const small = smallContext({
			answers: [answered(201, { id: made })],
			journal: { begin: async (intent) => String(recorded.push(JSON.stringify(intent.transfer))), end: async () => {} },
		});
		expect(await serviceOf(small.context).send(transfer, { despite: undefined, expected: undefined })).toMatchObject({
			id: made,
			waiting: false,
		});
		return [new TextDecoder().decode(small.requests[0]?.body), recorded[0]];
	};

	test("is on record without its switches, which are both sent", async () => {
		expect(await sent({ ...outside, currency: "EUR" })).toEqual([
			`{"ledgerFromId":"${from}","beneficiaryId":"${to}","amount":10.10,"reference":"Invoice 2041","allowFastPayment":false,"allowInterLedger":true}`,
			`{"kind":"beneficiary","ledgerFromId":"${from}","counterpartyId":"${to}","amount":"10.10","currency":"EUR","reference":"Invoice 2041"}`,
		]);
	});
});
