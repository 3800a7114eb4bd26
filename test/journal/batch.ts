/**
 * A batch as the tests of the journal load it: what its rows have in common, its rows, its plan.
 */
import type { Transfer } from "../../src/api/operations/transfer.js";
import type { BatchPlan } from "../../src/ports/batch-plan.js";
import type { BatchShared } from "../../src/ports/batches.js";
import { ledgerA, ledgerB } from "./payment.js";

export const shared: BatchShared = {
	profile: "test",
	origin: "https://api.example.com",
	operations: {
		ledger: { operation: "transaction.interLedger", method: "POST", path: "/api/partner/transactions/inter-ledger" },
		beneficiary: { operation: "transaction.beneficiary", method: "POST", path: "/api/partner/transactions/beneficiary" },
	},
};

/** Nothing is said of rows alike. */
export const none = { duplicates: 0, batches: [] };

export const transfer = (index: number): Transfer => ({
	kind: "ledger",
	ledgerFromId: ledgerA,
	counterpartyId: ledgerB,
	amount: "1.10",
	currency: "EUR",
	reference: `Row ${index}`,
});

/** @param amount the sum of all rows */
export const planOf = (batch: string, count: number, amount: string, rows = "a".repeat(64)): BatchPlan => ({
	version: 1,
	batch,
	installation: "i",
	profile: "test",
	environment: "sandbox",
	origin: shared.origin,
	source: "pay.csv",
	sourceDigest: "0".repeat(64),
	count,
	digest: { rows, sequence: "b".repeat(64) },
	totals: [{ ledgerFromId: ledgerA, currency: "EUR", rows: count, amount }],
	largest: [{ currency: "EUR", amount: "1.10" }],
	settings: {},
	duplicates: { inside: 0, earlier: 0 },
	planned: "2026-03-01T10:00:00.000Z",
	expires: "2026-03-02T10:00:00.000Z",
});
