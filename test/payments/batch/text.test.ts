/**
 * What a person is told of a batch: before it is sent, and where it stands.
 */

import { describe, expect, test } from "vitest";
import { adviceText } from "../../../src/api/advice.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { makeStyle, noPaint } from "../../../src/cli/output/style.js";
import { type Findings, findingLines, ledgersTable, rowsTable } from "../../../src/payments/batch/plan/findings.js";
import { previewOfApproval, previewOfBatch } from "../../../src/payments/batch/send/preview.js";
import { batchText, isOver, nextSteps, outcomeOfBatch } from "../../../src/payments/batch/send/text.js";
import { refusalsText } from "../../../src/payments/rules/refusal-text.js";
import type { BatchPlan } from "../../../src/ports/batch-plan.js";
import type { BatchDuplicates, BatchRecord } from "../../../src/ports/batches.js";
import { none, plan as planOf } from "./plans.js";

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const other = "aaaaaaaa-0002-4000-8000-000000000002";
const payee = "bbbbbbbb-0001-4000-8000-000000000001";
const style = makeStyle({ paint: noPaint, columns: 100, now: new Date("2026-03-01T12:00:00.000Z") });

const plan = (over: Partial<BatchPlan> = {}): BatchPlan =>
	planOf({
		totals: [{ ledgerFromId: main, currency: "EUR", rows: 3, amount: "18230.55" }],
		planned: "2026-03-01T11:00:00.000Z",
		expires: "2026-03-02T11:00:00.000Z",
		...over,
	});
const alike = { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] };

const record = (counts: Partial<BatchRecord["counts"]>, over: Partial<BatchRecord> = {}): BatchRecord => ({
	batch: "7",
	state: "begun",
	plan: plan(),
	begun: "2026-03-01T11:30:00.000Z",
	sending: false,
	counts: { ...none, ...counts },
	...over,
});

describe("before it is sent", () => {
	const row = (row: number, more: Partial<Transfer> = {}) => ({
		row,
		transfer: { kind: "beneficiary", ledgerFromId: main, counterpartyId: payee, amount: "1234.5", currency: "EUR", ...more } as const,
		ledgerName: "Main account of Example Bakery SAS",
		payeeName: "Example Supplies Ltd",
	});
	const findings = (over: Partial<Findings> = {}): Findings => ({
		first: [row(1, { reference: "Invoice 7" })],
		inside: [],
		earlier: [],
		newPayees: { ledgers: 0, beneficiaries: 0, first: [] },
		unpayable: { rows: 0, first: [] },
		...over,
	});
	const debited = [{ ledgerFromId: main, name: "Main account of Example Bakery SAS", available: "10000.00", currency: "EUR" }];
	const before = { foundDuplicates: alike, findings: findings(), debited };

	test("amounts come in groups, ledgers by name and company, and what is missing is said", () => {
		const preview = previewOfBatch(plan(), before);
		expect(preview).toMatchObject({
			title: "Send batch 7: 3 payments, 18 230.55 EUR in all",
			rows: [
				["File", "payroll.csv"],
				["Valid until", { time: "2026-03-02T11:00:00.000Z" }],
			],
			tables: [
				{ rows: [["1", "Example Supplies Ltd", "1 234.50 EUR", "Invoice 7"]], below: "and 2 more rows" },
				{ rows: [["Main account of Example Bakery SAS", "3", "18 230.55 EUR", "10 000.00 EUR", "8 230.55 EUR missing"]] },
			],
			warnings: [],
		});
		// What a live profile has to be typed stays the plain amount.
		expect([preview.amount, preview.currency]).toEqual(["18230.55", "EUR"]);
	});

	test("a ledger that cannot be read or that is not active is said, many are counted, and several stand beside their rows", () => {
		const totals = [main, ...Array.from({ length: 11 }, (_, at) => `${other.slice(0, -2)}${10 + at}`)].map((ledgerFromId) => ({
			ledgerFromId,
			currency: "EUR",
			rows: 1,
			amount: "1.00",
		}));
		const { rows, below } = ledgersTable(
			{ totals },
			[{ ...debited[0], ledgerFromId: totals[1]?.ledgerFromId as string, status: "CLOSED" }],
			[],
		);
		expect([rows[0], rows[1]?.at(-1), rows.length, below]).toEqual([
			[main, "1", "1.00 EUR", "not known", ""],
			"CLOSED",
			10,
			"and 2 more ledgers",
		]);
		expect(rowsTable([row(1), { ...row(2, { ledgerFromId: other }), ledgerName: undefined }], 2)).toEqual({
			columns: ["Row", "From", "To", "Amount", "Reference"],
			rows: [
				["1", "Main account of Example Bakery SAS", "Example Supplies Ltd", "1 234.50 EUR", ""],
				["2", other, "Example Supplies Ltd", "1 234.50 EUR", ""],
			],
		});
	});

	test("what may be wrong is said by row, of many the first", () => {
		const earlier = { rows: 1, intent: "17", at: "2026-02-21T10:00:00.000Z" } as const;
		const found = findings({
			earlier: [
				{ ...row(3, { reference: "Invoice 7", amount: "12.50" }), ...earlier, state: "accepted", id: other },
				{ ...row(4), ...earlier, rows: 3, state: "planned", batch: "2", batchRow: 8 },
				{ ...row(5), ...earlier, state: "in-doubt" },
			],
			inside: [{ ...row(9), same: 8 }],
			newPayees: { ledgers: 0, beneficiaries: 12, first: [row(3), { ...row(6), payeeName: undefined }] },
			unpayable: { rows: 122, first: [6, 7].map((at) => ({ ...row(at), status: "PENDING_REVIEW" })) },
		});
		const lines = (batches: BatchDuplicates["batches"]) => findingLines(found, { ...alike, inside: 2, earlier: 9, batches });
		const rest = [
			"Row 9 (1 234.50 EUR to Example Supplies Ltd) is the same as row 8",
			"and 1 more, the same as another row",
			"Cannot be paid yet: Example Supplies Ltd (PENDING_REVIEW), rows 6 and 7; 120 more rows",
			`12 payees never paid before: Example Supplies Ltd (row 3), ${payee} (row 6) and 10 more`,
		];
		expect(lines([])).toEqual([
			`Row 3 (Invoice 7, 12.50 EUR to Example Supplies Ltd) was already paid on 21 Feb as ${other}`,
			"Row 4 (1 234.50 EUR to Example Supplies Ltd) is the same as row 8 of batch 2 (still to be sent, 21 Feb), like 2 more of this file",
			"Row 5 (1 234.50 EUR to Example Supplies Ltd) is the same as payment 17 (in doubt, 21 Feb)",
			"and 4 more, paid recently or in a batch under way",
			...rest,
		]);
		// That it is the same batch says it of every row.
		expect(lines([{ batch: "2", rows: 9, same: true }])).toEqual(rest);
	});

	test("whoever approves a plan is shown the service that it is for, and its rows where they are known here", () => {
		const of = plan({ origin: "https://service.example.com/v1", duplicates: { inside: 1, earlier: 0 } });
		const balances = [{ ledgerFromId: main, name: "Main account" }];
		const preview = previewOfApproval(of, undefined, { findings: findings({ inside: [{ ...row(2), same: 1 }] }), balances });
		expect(preview.title).toBe("Approve batch 7: 18 230.55 EUR in 3 rows");
		expect(preview.rows).toContainEqual(["Service", "https://service.example.com/v1 (sandbox)"]);
		const ledgers = { columns: ["From", "Rows", "Total"], rows: [["Main account", "3", "18 230.55 EUR"]] };
		expect(preview.tables).toEqual([expect.objectContaining({ below: "and 2 more rows" }), ledgers]);
		expect(preview.warnings).toEqual(["Row 2 (1 234.50 EUR to Example Supplies Ltd) is the same as row 1"]);
		// What is typed for live money is the amount as the title shows it.
		expect([preview.amount, preview.currency]).toEqual(["18230.55", "EUR"]);
		const planner = (operator?: string, name?: string) => new Map(previewOfApproval({ ...of, operator }, name).rows).get("Planned by");
		expect([planner("ada"), planner("ada", "ci"), planner("ci", "ci"), planner()]).toEqual(["ada", "ci, as ada", "ci", of.planner]);
		const elsewhere = previewOfApproval(of, "ci", { balances });
		expect([elsewhere.tables, elsewhere.warnings]).toEqual([[ledgers], ["1 of 3 rows is the same as another row of this file"]]);
	});

	test("what goes on is told apart from the whole", () => {
		const left = record({ accepted: 1, planned: 1, "in-doubt": 1 });
		const { title, rows, tables, warnings, amount } = previewOfBatch(left.plan, before, left);
		expect(title).toBe("Send 1 of the 3 payments of batch 7");
		expect(rows).toEqual([
			["File", "payroll.csv"],
			["Whole batch", "3 payments, 18 230.55 EUR"],
			["Accepted", "1"],
		]);
		expect(tables?.map((one) => one.rows)).toEqual([[["1", "Example Supplies Ltd", "1 234.50 EUR", "Invoice 7"]]]);
		expect(warnings.map((warning) => adviceText(warning))).toEqual([
			"1 row is in doubt and is not sent again: purser pay settle --batch 7",
		]);
		expect(amount).toBe("1");
	});
});

describe("where it stands", () => {
	test.each<[string, Partial<BatchRecord["counts"]>]>([
		["Batch 7: every row was accepted", { accepted: 3 }],
		["Batch 7: 1 row is in doubt; do not send it again before it is settled", { accepted: 2, "in-doubt": 1 }],
		["Batch 7: 2 rows are in doubt; do not send them again before they are settled", { accepted: 1, "in-doubt": 2 }],
		["Batch 7: 2 of 3 rows were refused, and 1 of 3 rows is still to be sent", { refused: 2, "not-sent": 1 }],
		["Batch 7: accepted, and rows wait for strong authentication", { accepted: 2, waiting: 1 }],
	])("%s", (headline, counts) => {
		expect(batchText(record(counts), style).split("\n")[0]).toBe(headline);
	});

	test.each<[string | undefined, BatchRecord["refusals"]]>([
		[undefined, undefined],
		[
			"Refused 1 204: rows 3, 5 and 1 200 more, the available balance does not cover it (INSUFFICIENT_FUNDS); rows 7 and 9, this login may not pay (HTTP 403)",
			[
				{ status: 400, apiCode: "INSUFFICIENT_FUNDS", rows: 1_202, first: [3, 5] },
				{ status: 403, rows: 2, first: [7, 9] },
			],
		],
		[
			"Refused 7: row 1, the service did not take it (HTTP 422, A); row 2, the service did not take it (HTTP 422, B); row 3, the service did not take it (HTTP 422, C); row 4, the service did not take it (HTTP 422, D); row 5, the service did not take it (HTTP 422, E); 2 for other reasons",
			["A", "B", "C", "D", "E", "F", "G"].map((apiCode, at) => ({ status: 422, apiCode, rows: 1, first: [at + 1] })),
		],
	])("%s", (line, refusals) => {
		expect(refusalsText(refusals)).toBe(line);
		const text = batchText(record({ accepted: 1, refused: 2 }, { refusals }), style);
		expect([text.includes(`\n${line}\n`), /^Refused +2$/m.test(text)]).toEqual([line !== undefined, line === undefined]);
	});

	test.each<[string, boolean, BatchRecord]>([
		["planned", false, record({ planned: 3 }, { state: "planned" })],
		["being sent", false, record({ accepted: 3 }, { sending: true })],
		["all sent, some refused or in doubt", true, record({ accepted: 1, refused: 1, "in-doubt": 1 })],
		["its sender died", false, record({ accepted: 2, planned: 1 })],
		["a row that never left", false, record({ accepted: 2, "not-sent": 1 })],
		["cancelled", true, record({ accepted: 1, abandoned: 2 }, { state: "abandoned" })],
	])("to be watched: %s", (_name, over, batch) => {
		expect(isOver(batch)).toBe(over);
	});

	test.each<[string, BatchRecord, string]>([
		[
			"some refused",
			record({ accepted: 2, refused: 1 }),
			"purser pay batch report 7: refused.csv can be planned again, corrected where needed",
		],
		["all accepted", record({ accepted: 3 }), "purser pay reconcile: to compare with what the service lists"],
		["the rest cancelled", record({ accepted: 3 }, { state: "abandoned" }), "purser pay reconcile: to compare with what the service lists"],
	])("what is next: %s", (_name, batch, next) => {
		expect(nextSteps(batch).map((step) => `${adviceText(step)}: ${step.remark}`)).toEqual([next]);
	});

	test("approvers stand there by the name that is known", () => {
		const approvals = [
			{ approver: "ben", key: "BENS-KEY", at: "2026-03-01T11:10:00.000Z", signature: "x" },
			{ key: "ANOTHER-KEY", at: "2026-03-01T11:10:00.000Z", signature: "x" },
		];
		expect(batchText(record({ accepted: 3 }, { approvals }), style)).toMatch(/Approved by +ben, ANOTHER-KEY$/m);
	});
});

test.each([
	[{ accepted: 5 }, undefined],
	[{ accepted: 5, waiting: 1 }, "pending"],
	[{ accepted: 4, refused: 1 }, "partial"],
	[{ refused: 5 }, "partial"],
	[{ accepted: 4, "not-sent": 1, waiting: 3 }, "partial"],
	[{ planned: 4, "not-sent": 1 }, "guard"],
	[{ planned: 4, sending: 1 }, "pending"],
	[{ planned: 4, sending: 2, "in-doubt": 1 }, "unknown"],
] as const)("a batch with %o ends as %s", (counts, kind) => {
	expect(outcomeOfBatch({ counts })).toBe(kind);
});
