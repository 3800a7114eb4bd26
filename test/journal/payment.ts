import type { Transfer } from "../../src/api/operations/transfer.js";
import type { JournalIntent } from "../../src/ports/intent.js";

export const ledgerA = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
export const ledgerB = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";

/** A transfer between ledgers; what is given replaces the usual. */
export function payment(transfer: Partial<Transfer> = {}, rest: Partial<JournalIntent> = {}): JournalIntent {
	return {
		operation: "transaction.interLedger",
		effect: "money",
		profile: "test",
		origin: "https://api.example.com",
		method: "POST",
		path: "/api/partner/transactions/inter-ledger",
		digest: "0".repeat(64),
		transfer: { kind: "ledger", ledgerFromId: ledgerA, counterpartyId: ledgerB, amount: "10.10", currency: "EUR", ...transfer },
		...rest,
	};
}
