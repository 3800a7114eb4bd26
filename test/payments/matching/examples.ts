/** A payment and the line that surely is it; the tables change one thing of them. */
import type { TransactionView } from "../../../src/api/operations/transaction.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { type Line, lineOf, type Payment } from "../../../src/payments/matching/fits.js";

export const ledgerA = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
export const ledgerB = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
export const ledgerC = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c22";
export const beneficiary = "5b0e4a11-93c7-4f0d-8a62-7c1d2e3f4a5b";
export const otherBeneficiary = "5b0e4a11-93c7-4f0d-8a62-7c1d2e3f4a5c";
export const idOf = (number: number): string => `00000009-0000-4000-8000-${String(number).padStart(12, "a")}`;

/** When it was sent, by the service's clock. */
export const sentAt = "2026-11-20T10:00:00Z";
export const settleAfter = 24 * 3_600_000;

export type Given = Omit<Partial<Payment>, "transfer"> & Partial<Transfer>;

let intents = 0;

export function paymentOf(given: Given = {}): Payment {
	const { kind, ledgerFromId, counterpartyId, amount, currency, reference, ...rest } = given;
	const transfer = { kind: kind ?? "ledger", ledgerFromId: ledgerFromId ?? ledgerA, counterpartyId: counterpartyId ?? ledgerB };
	intents += 1;
	return {
		intent: String(intents),
		attempt: 1,
		state: "in-doubt",
		transfer: {
			...transfer,
			amount: amount ?? "10.00",
			currency: "currency" in given ? currency : "EUR",
			reference: "reference" in given ? reference : "Invoice 12",
		},
		begun: Date.parse(sentAt),
		timed: true,
		...rest,
	};
}

/** To a beneficiary; the line of it names nobody unless it is told to. */
export const toBeneficiary: Given = { kind: "beneficiary", counterpartyId: beneficiary };

export function line(given: TransactionView = {}, offset?: number): Line {
	const view = {
		id: idOf(1),
		createdAt: "2026-11-20T10:00:05Z",
		amount: "10.00",
		currency: "EUR",
		reference: "Invoice 12",
		senderLedgerId: ledgerA,
		receiverLedgerId: ledgerB,
	};
	return lineOf({ ...view, ...given }, offset);
}
