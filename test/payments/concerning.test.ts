/** Which lines of a ledger are kept for doubts: nothing that may be one of them, or that an attempt holds, is left out. */

import { expect, test } from "vitest";
import type { TransactionView } from "../../src/api/operations/transaction.js";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { relevantLines } from "../../src/payments/settlement/lists/concerning.js";

const ledger = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const payee = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const stranger = "9e2f0a71-35c4-4d69-9a4a-1e7c6f5b4d32";
const held = "00000000-0000-4000-8000-000000000007";
const journal = { holders: async (ids: readonly string[]) => new Map(ids.filter((id) => id === held).map((id) => [id, "1"])) };

const toLedger: Transfer = {
	kind: "ledger",
	ledgerFromId: ledger,
	counterpartyId: payee,
	amount: "10.10",
	reference: "Invoice 7",
	currency: "EUR",
};
const toBeneficiary: Transfer = { ...toLedger, kind: "beneficiary" };

test.each<[string, Transfer, Partial<TransactionView>, boolean]>([
	["all the same", toLedger, {}, true],
	["another reference", toLedger, { reference: "Other" }, true],
	["another amount", toLedger, { amount: "25.00" }, true],
	["another amount and reference", toLedger, { amount: "25.00", reference: "Other" }, false],
	["another amount, its reference added to", toLedger, { amount: "25.00", reference: "SEPA Invoice 7/1" }, true],
	["another amount, its reference cut short", toLedger, { amount: "25.00", reference: "Invoi" }, true],
	["another amount, and no reference", toLedger, { amount: "25.00", reference: undefined }, true],
	["another date", toLedger, { createdAt: "2025-01-01" }, true],
	["nothing told", toLedger, { amount: undefined, reference: undefined, senderLedgerId: undefined, receiverLedgerId: undefined }, true],
	["an amount that cannot be read, under another reference", toLedger, { amount: "ten", reference: "Other" }, true],
	["a debit with a sign", toLedger, { amount: "-10.1", reference: "Other" }, true],
	["capitals", toLedger, { receiverLedgerId: payee.toUpperCase(), reference: "INVOICE 7", amount: "1" }, true],
	[
		"another currency, amount and reference: it may have been exchanged",
		toLedger,
		{ amount: "9", currency: "USD", reference: "Other" },
		true,
	],
	["another sender", toLedger, { senderLedgerId: stranger }, false],
	["another receiver", toLedger, { receiverLedgerId: stranger }, false],
	["another sender, held by an attempt", toLedger, { id: held, senderLedgerId: stranger, amount: "1" }, true],
	["a payee that is told", toBeneficiary, { beneficiaryId: payee, receiverLedgerId: stranger }, true],
	["another payee", toBeneficiary, { beneficiaryId: stranger }, false],
	[
		"another amount and reference, the payee not told: it may have been exchanged",
		toBeneficiary,
		{ amount: "9", reference: "Other" },
		true,
	],
])("a line with %s", async (_, transfer, more, kept) => {
	const view: TransactionView = {
		id: "00000000-0000-4000-8000-000000000001",
		createdAt: "2026-03-01T10:00:00Z",
		amount: "10.10",
		currency: "EUR",
		reference: "Invoice 7",
		senderLedgerId: ledger,
		...(transfer.kind === "ledger" && { receiverLedgerId: payee }),
		...more,
	};
	expect(await relevantLines(journal, [transfer])([view])).toEqual(kept ? [view] : []);
});
