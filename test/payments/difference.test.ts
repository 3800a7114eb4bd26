import { describe, expect, test } from "vitest";
import type { TransactionView } from "../../src/api/operations/transaction.js";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { differenceOf, differenceText } from "../../src/payments/settlement/matching/difference.js";

const [from, to, other] = ["a", "b", "c"].map((letter) => `3f1c9a52-7f0e-4b6e-9d2a-${letter.repeat(12)}`) as [string, string, string];
const ledger: Transfer = {
	kind: "ledger",
	ledgerFromId: from,
	counterpartyId: to,
	amount: "10.10",
	currency: "EUR",
	reference: "Invoice 2041",
};
const beneficiary: Transfer = { ...ledger, kind: "beneficiary" };
const marked: Transfer = { ...ledger, reference: "Inv 7K3M9TQX26", token: "7K3M9TQX26" };
const seen: TransactionView = {
	id: "x",
	senderLedgerId: from,
	receiverLedgerId: to,
	amount: "10.1",
	currency: "EUR",
	reference: "Invoice 2041",
	createdAt: "2026-03-01T10:00:00Z",
};

describe("a record is its holder's, or says nothing else", () => {
	test.each<[string, Transfer, Partial<TransactionView>]>([
		["as it was sent", ledger, {}],
		["with nothing told", ledger, { senderLedgerId: undefined, receiverLedgerId: undefined, amount: undefined, reference: undefined }],
		["as a negative debit, ids in capitals", ledger, { amount: "-10.10", senderLedgerId: from.toUpperCase() }],
		["with the amount in another currency", ledger, { amount: "11.90", currency: "USD" }],
		["to a beneficiary, where no currency is told", beneficiary, { amount: "11.90", currency: undefined }],
		["to a beneficiary whose ledger stands there", beneficiary, { receiverLedgerId: other }],
		["with an amount that is no decimal", ledger, { amount: "ten" }],
		["with the reference cut short", ledger, { reference: "Invoice 20" }],
		["with the reference as a rail writes it", { ...ledger, reference: "Reçu 7, à Élan" }, { reference: "RECU 7 A ELAN" }],
		["with our token and other words", marked, { reference: "SEPA 7K3M9TQX26" }],
	])("%s", (_, transfer, told) => {
		expect(differenceOf(transfer, { ...seen, ...told })).toBeUndefined();
	});
});

describe("what differs is told, and is surely another payment where nothing else explains it", () => {
	test.each<[string, Transfer, Partial<TransactionView>, string, boolean]>([
		["a fee", ledger, { amount: "10.35" }, "amount differs", false],
		["a rewritten reference", ledger, { reference: "NOTPROVIDED" }, "reference differs", false],
		["amount and reference", ledger, { amount: "7", reference: "Rent" }, "amount and reference differ", true],
		["the payee", ledger, { receiverLedgerId: other }, "payee differs", true],
		["the beneficiary", beneficiary, { beneficiaryId: other }, "payee differs", true],
		["the debited ledger", ledger, { senderLedgerId: other }, "ledger differs", true],
		["parties told the wrong way round", ledger, { senderLedgerId: to, receiverLedgerId: from }, "ledger and payee differ", false],
		[
			"everything",
			ledger,
			{ senderLedgerId: other, receiverLedgerId: from, amount: "7", reference: "Rent" },
			"ledger, payee, amount and reference differ",
			true,
		],
		["another token", marked, { reference: "Inv 023456789L" }, "reference differs", false],
	])("%s", (_, transfer, told, words, surely) => {
		const difference = differenceOf(transfer, { ...seen, ...told });
		expect(difference && [differenceText(difference), difference.surely]).toEqual([words, surely]);
	});

	test("the token of another payment", () => {
		const difference = differenceOf(marked, { ...seen, reference: `Inv ${anotherToken}` });
		expect(difference).toEqual({ fields: ["reference"], surely: true });
	});
});

const anotherToken = "9BCDFGHJKP";
