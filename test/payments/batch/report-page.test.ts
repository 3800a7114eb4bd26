/**
 * The page of a batch's report: what it shows, what it masks, and how large it can get.
 */
import { describe, expect, test } from "vitest";
import { adviceText } from "../../../src/api/advice.js";
import { pageBytes } from "../../../src/pages/page.js";
import { reportPage } from "../../../src/payments/batch/page/page.js";
import { Gathered, type Listed, type ListedRow, stepsAfter, type WrittenReport } from "../../../src/payments/batch/report/report.js";
import type { BatchRow } from "../../../src/ports/batches.js";
import type { Page } from "../../../src/ports/page.js";
import { linesOf } from "../../pages/lines.js";
import { ledgerA, none, plan } from "./plans.js";

const payee = "bbbbbbbb-0002-4000-8000-000000000002";
const report = (more: Partial<WrittenReport> = {}): WrittenReport => ({
	batch: "7",
	state: "begun",
	begun: "2026-03-01T11:30:00.000Z",
	sending: false,
	counts: { ...none, accepted: 3 },
	written: "2026-03-01T13:00:00.000Z",
	plan: plan(),
	plannerName: "anna",
	approvals: [{ approver: "ben", key: "approver-key", at: "2026-03-01T11:00:00.000Z", signature: "signature" }],
	parts: {
		accepted: { file: "accepted.csv", rows: 3, sha256: "1".repeat(64) },
		refused: { file: "refused.csv", rows: 0, sha256: "2".repeat(64) },
		unsent: { file: "unsent.csv", rows: 0, sha256: "3".repeat(64) },
		doubt: { file: "doubt.csv", rows: 0, sha256: "4".repeat(64) },
	},
	totals: [{ state: "accepted", currency: "EUR", rows: 3, amount: "18230.55" }],
	refusals: [],
	operators: ["carl"],
	control: { agrees: true },
	folder: "batch-7",
	...more,
});

const row = (number: number, reference: string | undefined, more: Partial<ListedRow>): ListedRow => ({
	row: number,
	state: "refused",
	intent: String(100 + number),
	begun: "2026-03-01T11:30:00.000Z",
	transfer: { kind: "beneficiary", ledgerFromId: ledgerA, counterpartyId: payee, amount: "1.50", currency: "EUR", reference },
	...more,
});

const nothing: Listed = { refused: [], doubt: [], unsent: [] };
const few: Listed = {
	refused: [row(2, "Salary Dora", { status: 422, apiCode: "LIMIT", payeeName: "Example Supplies Ltd" })],
	doubt: [row(3, "Salary Emil", { state: "in-doubt", why: "the connection was closed before an answer came" })],
	unsent: [row(4, undefined, { state: "not-sent", why: "the connection was refused" })],
};

/** Two of five accepted, one each in doubt, refused and not sent. */
const mixed = (more: Partial<WrittenReport> = {}): WrittenReport =>
	report({
		counts: { ...none, accepted: 1, waiting: 1, refused: 1, "in-doubt": 1, "not-sent": 1 },
		plan: plan({
			count: 5,
			despite: { duplicates: 2, reason: "second delivery" },
			totals: [{ ledgerFromId: ledgerA, currency: "EUR", rows: 5, amount: "7.50" }],
		}),
		parts: {
			accepted: { file: "accepted.csv", rows: 2, sha256: "1".repeat(64) },
			refused: { file: "refused.csv", rows: 1, sha256: "2".repeat(64) },
			unsent: { file: "unsent.csv", rows: 1, sha256: "3".repeat(64) },
			doubt: { file: "doubt.csv", rows: 1, sha256: "4".repeat(64) },
		},
		totals: [
			{ state: "refused", currency: "EUR", rows: 1, amount: "1.50" },
			{ state: "accepted", currency: "EUR", rows: 1, amount: "1.50" },
			{ state: "waiting", currency: "EUR", rows: 1, amount: "1.50" },
			{ state: "in-doubt", currency: "EUR", rows: 1, amount: "1.50" },
			{ state: "not-sent", currency: "EUR", rows: 1, amount: "1.50" },
		],
		refusals: [{ status: 422, apiCode: "LIMIT", rows: 1, first: [2] }],
		...more,
	});

const options = { unmasked: false, folder: "batch-7", madeBy: "purser 1.2.3", shown: adviceText, nameOf: () => "Main account" };
const pageOf = (of: WrittenReport, unmasked = false, listed = few): Page => reportPage(of, listed, { ...options, unmasked });
const htmlOf = (page: Page): string => new TextDecoder().decode(pageBytes(page));

const said = (of: WrittenReport, listed = nothing): string => linesOf(pageBytes(pageOf(of, false, listed)));

describe("the page of a batch's report", () => {
	test("tells that all was accepted, when, by whom, and against which plan", async () => {
		await expect(said(report({ plan: plan({ sheet: { sha256: "d".repeat(64) } }) }))).toMatchFileSnapshot("../../pages/goldens/report.txt");
	});

	test("tells what is in doubt with the command that settles it, what was refused and why, and what was not sent", async () => {
		await expect(said(mixed(), few)).toMatchFileSnapshot("../../pages/goldens/report-mixed.txt");
	});

	test("says at the top what does not match the plan", () => {
		expect(said(report({ control: { agrees: false } }))).toContain(
			"What became of it\nThe recorded rows do not match the plan. Have this looked into before anything else is sent.\n",
		);
	});

	test("of a batch that was not sent, of one that was cancelled, and of one that is being sent", () => {
		const unsent = { operators: [], begun: undefined, approvals: [] };
		const planned = said(report({ ...unsent, state: "planned", counts: { ...none, planned: 3 } }));
		for (const words of ["Nothing of this batch was sent.", "Approved by | nobody yet", "Started | not yet"])
			expect(planned).toContain(words);
		const abandoned = { at: "2026-03-01T12:00:00.000Z", reason: "wrong file", rows: 3 } as NonNullable<WrittenReport["abandoned"]>;
		const cancelled = said(report({ ...unsent, state: "abandoned", counts: { ...none, abandoned: 3 }, abandoned }));
		for (const words of ["The rest was cancelled: 3 payments will never be sent. Reason: ***", "Started | never; it was cancelled"])
			expect(cancelled).toContain(words);
		expect(said(report({ sending: true }))).toContain("The batch was still being sent when this was read");
	});

	test("masks references unless they are asked for, and nothing that says who acted", () => {
		const [hidden, shown] = [htmlOf(pageOf(mixed())), htmlOf(pageOf(mixed(), true))];
		for (const reference of ["Salary Dora", "Salary Emil", "second delivery"])
			expect([hidden.includes(reference), shown.includes(reference)]).toEqual([false, true]);
		expect([hidden.includes("Personal data is masked"), shown.includes("This file shows personal data")]).toEqual([true, true]);
		for (const html of [hidden, shown])
			for (const open of [payee, "anna", "ben", "carl", "Main account", "Example Supplies Ltd"]) expect(html).toContain(open);
	});
});

test("what the page lists is bounded, and the sums are exact all the same", () => {
	const gathered = new Gathered(() => undefined);
	for (let number = 1; number <= 1_000; number++)
		gathered.add({
			...row(number, "Invoice", { state: number % 2 === 0 ? "refused" : "accepted" }),
			operator: `operator ${number}`,
		} as BatchRow);
	expect([gathered.count, gathered.listed.refused.length, gathered.listed.refused.at(-1)?.row, gathered.operators.length]).toEqual([
		...[1_000, 200, 400, 20],
	]);
	expect(gathered.totals).toEqual([
		{ state: "accepted", currency: "EUR", rows: 500, amount: "750.00" },
		{ state: "refused", currency: "EUR", rows: 500, amount: "750.00" },
	]);
});

test("of a cancelled batch, what was not sent can be planned again too, after what is in doubt", () => {
	expect(stepsAfter(mixed({ state: "abandoned" })).map((step) => adviceText(step))).toEqual([
		"purser pay settle --batch 7",
		"purser pay batch plan batch-7/refused.csv",
		"purser pay batch plan batch-7/unsent.csv",
	]);
});
