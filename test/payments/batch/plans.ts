/** Plans for tests: invented ledgers, literal totals. */
import type { BatchPlan } from "../../../src/ports/batch-plan.js";

export const ledgerA = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";

export const plan = (more: Partial<BatchPlan> = {}): BatchPlan => ({
	version: 1,
	batch: "7",
	installation: "11111111-0000-4000-8000-000000000001",
	profile: "sandbox",
	environment: "sandbox",
	origin: "http://127.0.0.1:4010",
	source: "payroll.csv",
	sourceDigest: "c".repeat(64),
	count: 3,
	digest: { rows: "a".repeat(64), sequence: "b".repeat(64) },
	totals: [{ ledgerFromId: ledgerA, currency: "EUR", rows: 3, amount: "18230.55" }],
	largest: [{ currency: "EUR", amount: "9000" }],
	settings: { approval: "always" },
	duplicates: { inside: 0, earlier: 0 },
	planned: "2026-03-01T10:00:00.000Z",
	expires: "2026-03-02T10:00:00.000Z",
	planner: "planner-key",
	...more,
});
