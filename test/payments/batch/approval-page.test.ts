/**
 * The page of a batch before it is approved: what is gathered while rows are read, and what the page says.
 */
import { describe, expect, test } from "vitest";
import { pageBytes } from "../../../src/pages/page.js";
import { type Approvable, approvalPage } from "../../../src/payments/batch/page/page.js";
import type { Findings } from "../../../src/payments/batch/plan/findings.js";
import type { PlannedRow } from "../../../src/ports/batch-plan.js";
import { linesOf } from "../../pages/lines.js";
import { ledgerA, plan, unsigned } from "./plans.js";

const payee = (at: number): string => `bbbbbbbb-0000-4000-8000-${String(at).padStart(12, "0")}`;
const pay = (row: number, amount: string, more: Partial<PlannedRow["transfer"]> = {}): PlannedRow => ({
	row,
	transfer: {
		...{ kind: "beneficiary", ledgerFromId: ledgerA, counterpartyId: payee(row), amount, currency: "EUR", reference: `Invoice ${row}` },
		...more,
	},
});
const findings = (rows: readonly PlannedRow[], more: Partial<Findings> = {}): Findings => ({
	first: rows.map((row) => (row.row === 1 ? { ...row, payeeName: "Jane Example" } : row)),
	inside: [],
	earlier: [],
	newPayees: { ledgers: 0, beneficiaries: 0, first: [] },
	unpayable: { rows: 0, first: [] },
	...more,
});

function approvable(rows: readonly PlannedRow[], more: Partial<Approvable> = {}): Approvable {
	return {
		plan: plan({ count: rows.length }),
		foundDuplicates: { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] },
		balances: [{ ledgerFromId: ledgerA, available: "20000", currency: "EUR", name: "Main account" }],
		dry: [],
		ignored: [],
		findings: findings(rows),
		nameOf: () => undefined,
		unmasked: false,
		madeBy: "purser 1.2.3",
		approve: "purser pay batch approve payroll.csv.plan.json",
		...more,
	};
}

const rows = [pay(1, "9000"), pay(2, "9000.00"), pay(3, "230.55")];
const said = (batch: Approvable): string => linesOf(pageBytes(approvalPage(batch)));

describe("the page", () => {
	test("says what the batch would pay, what there is to check, and how it is approved", async () => {
		await expect(said(approvable(rows))).toMatchFileSnapshot("../../pages/goldens/approval.txt");
	});

	test("warns of what looks the same, runs out, exceeds a limit, is paid for the first time, or was overridden", async () => {
		const more: Partial<Approvable> = {
			plan: plan({
				duplicates: { inside: 1, earlier: 1 },
				settings: { "cap-per-transfer": "5000 EUR" },
				despite: { duplicates: 2, reason: "second delivery" },
			}),
			foundDuplicates: { inside: 1, earlier: 2, doubts: { rows: 0, intents: [] }, batches: [{ batch: "5", rows: 2, same: false }] },
			dry: [{ ledgerFromId: ledgerA, row: 3 }],
			balances: [{ ledgerFromId: ledgerA, available: "10000", currency: "EUR", name: "Main account" }],
			findings: findings(rows, {
				inside: [{ ...(rows[1] as PlannedRow), same: 1 }],
				earlier: [
					{ ...(rows[0] as PlannedRow), rows: 2, intent: "17", state: "accepted", at: "2026-02-27T08:00:00.000Z" },
					{ ...(rows[2] as PlannedRow), rows: 1, intent: "18", batch: "5", batchRow: 4, state: "planned", at: "2026-02-28T08:00:00.000Z" },
				],
				newPayees: { ledgers: 0, beneficiaries: 1, first: rows.slice(2) },
				unpayable: { rows: 1, first: [{ ...(rows[2] as PlannedRow), status: "PENDING_REVIEW" }] },
			}),
			ignored: ["Department"],
		};
		await expect(said(approvable(rows, more))).toMatchFileSnapshot("../../pages/goldens/approval-warnings.txt");
	});

	test("holds no personal data unless it is asked for, and then says so; nobody approves without a planner", async () => {
		const masked = said(approvable(rows));
		expect(masked).not.toContain("Jane Example");
		// Whoever approves has to see what is paid.
		for (const word of ["Invoice 1", "Personal data is masked"]) expect(masked).toContain(word);
		const shown = said(approvable(rows, { unmasked: true }));
		for (const word of ["Jane Example", "Invoice 1", "This file shows personal data"]) expect(shown).toContain(word);
		expect(said(approvable(rows, { plan: unsigned({ settings: {} }) }))).toContain("Nobody can approve this plan: the planner had no key");
	});
});
