/**
 * The sheet of a batch: what is gathered while rows are read, and the page of it.
 */
import { describe, expect, test } from "vitest";
import { Buckets } from "../../../src/payments/batch/sheet/buckets.js";
import { short } from "../../../src/payments/batch/sheet/cells.js";
import { gatherFirstTime } from "../../../src/payments/batch/sheet/first-time.js";
import { SheetRows } from "../../../src/payments/batch/sheet/gather.js";
import { sheetPage } from "../../../src/payments/batch/sheet/page.js";
import { compareAmounts } from "../../../src/payments/rules/decimal.js";
import type { PlannedRow } from "../../../src/ports/batch-plan.js";
import type { Block, Page } from "../../../src/ports/page.js";
import { pageBytes } from "../../../src/shell/html/page.js";
import { ledgerA, plan, planner, unsigned } from "./plans.js";
import { hostileSheet, pages, pay, payee, sheetOf } from "./sheets.js";

describe("amounts", () => {
	test.each<[string, string, number]>([
		["9", "10", -1],
		["10", "9.999", 1],
		["0.5", "0.45", 1],
		["0.4", "0.45", -1],
		["10.10", "10.1", 0],
		["0010", "10.000", 0],
		["0.0000001", "0.00000011", -1],
		["123456789012345678901234567890", "123456789012345678901234567889.999999999999999999999999999999", 1],
	])("%s is to %s as %i", (one, other, sign) => {
		expect([Math.sign(compareAmounts(one, other)), Math.sign(compareAmounts(other, one))]).toEqual([sign, sign === 0 ? 0 : -sign]);
	});

	test("are counted in steps of 1, 2 and 5, each exactly at its border", () => {
		const buckets = new Buckets();
		for (const amount of ["1", "1.99", "2", "4.999", "5.00", "9.99", "10", "19.9999999999999999999999", "20", "0.5", "0.0499", "007"])
			buckets.add(amount);
		expect(buckets.bars).toEqual([
			{ label: "0.02 to under 0.05", count: 1 },
			{ label: "nothing from 0.05 to under 0.5", count: 0 },
			{ label: "0.5 to under 1", count: 1 },
			{ label: "1 to under 2", count: 2 },
			{ label: "2 to under 5", count: 2 },
			{ label: "5 to under 10", count: 3 },
			{ label: "10 to under 20", count: 2 },
			{ label: "20 to under 50", count: 1 },
		]);
	});

	test("one empty step has a bar, and no amounts have none", () => {
		const buckets = new Buckets();
		expect(buckets.bars).toEqual([]);
		for (const amount of ["1", "7"]) buckets.add(amount);
		expect(buckets.bars.map(({ label }) => label)).toEqual(["1 to under 2", "2 to under 5", "5 to under 10"]);
	});

	test("that are very far apart have one line between them", () => {
		const buckets = new Buckets();
		buckets.add("0.000000000000000000000000000001");
		buckets.add("999999999999999999999999999999");
		expect(buckets.bars).toEqual([
			{ label: "0.000000000000000000000000000001 to under 0.000000000000000000000000000002", count: 1 },
			{ label: "nothing from 0.000000000000000000000000000002 to under 500 000 000 000 000 000 000 000 000 000", count: 0 },
			{ label: "500 000 000 000 000 000 000 000 000 000 to under 1000000000000000000000000000000", count: 1 },
		]);
	});
});

describe("what is gathered", () => {
	test("the largest by currency: exact, the first of the same amount, and in memory that does not grow", () => {
		const rows = new SheetRows();
		for (let row = 1; row <= 100_000; row++) rows.add(pay(row, `${row % 1_000}.${row % 10}`, { currency: row % 2 ? "EUR" : "USD" }));
		rows.add(pay(100_001, "1000000000000000000000.01"));
		rows.add(pay(100_002, "1000000000000000000000.02"));
		expect(rows.first.map(({ row }) => row)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
		const [euros, dollars] = rows.currencies;
		expect([euros?.currency, euros?.rows, euros?.largest.length]).toEqual(["EUR", 50_002, 20]);
		expect(euros?.largest.slice(0, 4).map(({ row }) => row)).toEqual([100_002, 100_001, 999, 1_999]);
		expect([dollars?.currency, dollars?.rows, dollars?.largest[0]?.transfer.amount]).toEqual(["USD", 50_000, "998.8"]);
		expect(dollars?.largest.slice(0, 2).map(({ row }) => row)).toEqual([998, 1_998]);
	});

	test("first-time payees: exact sums of all, the first two hundred, and which rows are theirs", async () => {
		const many = Array.from({ length: 201 }, (_, at) => pay(at + 1, "0.10"));
		const again = pay(300, "0.005", { counterpartyId: payee(1).toUpperCase() });
		const found = await gatherFirstTime(pages(...many, again, pay(301, "7", { currency: undefined })), new Set([2, 300, 999]));
		expect(found.totals).toEqual([
			{ ledgerFromId: "", currency: "EUR", rows: 202, amount: "20.105" },
			{ ledgerFromId: "", rows: 1, amount: "7" },
		]);
		expect(found.payees).toHaveLength(200);
		expect(found.payees[0]).toEqual({
			kind: "beneficiary",
			id: payee(1),
			firstRow: 1,
			totals: [{ ledgerFromId: payee(1), currency: "EUR", rows: 2, amount: "0.105" }],
		});
		expect([...found.rows]).toEqual([2, 300]);
	});
});

const section = (page: Page, title: string): readonly Block[] => page.sections.find((one) => one.title === title)?.blocks ?? [];
const rows = [pay(1, "9000"), pay(2, "9000.00"), pay(3, "230.55")];

describe("the page", () => {
	test("says what the plan is, its fingerprints, totals, largest payments and where all rows are", async () => {
		const sheet = await sheetOf(rows);
		const page = sheetPage(sheet);
		expect(page).toMatchObject({
			title: "Batch 7: 3 payments, 18 230.55 EUR",
			personalData: "masked",
			madeBy: "purser 1.2.3",
			madeAt: "2026-03-01T10:00:00.000Z",
			of: "sandbox (sandbox)",
		});
		const facts = section(page, "The plan").flatMap((block) => (block.kind === "facts" ? block.rows : []));
		expect(facts).toEqual([
			["Batch", "7"],
			["File", "payroll.csv"],
			["Payments", "3"],
			["Total", "18 230.55 EUR"],
			["Largest payment", "9 000.00 EUR"],
			["Profile", "sandbox (sandbox)"],
			["Service", "http://127.0.0.1:4010"],
			["Planned", { time: "2026-03-01T10:00:00.000Z" }],
			["Planned by", { code: planner.key }],
			["Valid until", { time: "2026-03-02T10:00:00.000Z" }],
			["Fingerprint of the rows, in order (SHA-256)", { code: "b".repeat(64) }],
			["Fingerprint of the rows, in any order (SHA-256)", { code: "a".repeat(64) }],
			["Fingerprint of the file (SHA-256)", { code: "c".repeat(64) }],
			[
				"To approve it, somebody else than the planner types",
				{ code: "purser pay batch approve payroll.csv.plan.json --sheet payroll.html" },
			],
		]);
		expect(section(page, "The plan")[0]).toMatchObject({ kind: "notice", tone: "good" });
		const textOf = (settings: Record<string, string>): string => JSON.stringify(sheetPage({ ...sheet, plan: unsigned({ settings }) }));
		expect(textOf({})).toContain("Nobody can approve this plan: the planner had no key.");
		expect(textOf({})).not.toMatch(/To approve it|for the person who approves it/);
		expect(textOf({ approval: "above 9 EUR" })).toContain("Nobody can approve this plan: the planner had no key.");
		expect(section(page, "Totals")).toMatchObject([
			{
				rows: [
					[
						"Main account",
						{ code: ledgerA },
						"3",
						{ amount: "18230.55", currency: "EUR" },
						{ amount: "20000", currency: "EUR" },
						undefined,
					],
				],
			},
		]);
		expect(section(page, "Amounts")).toMatchObject([
			{
				caption: "EUR: 3 payments by amount",
				bars: [{ count: 1 }, { label: "nothing from 500 to under 5 000", count: 0 }, { label: "5 000 to under 10 000", count: 2 }],
			},
		]);
		expect(section(page, "Largest payments")).toEqual([
			{
				kind: "table",
				caption: "EUR: all 3 payments, the largest first",
				columns: [
					{ name: "Row", right: true },
					{ name: "Amount", right: true },
					{ name: "To" },
					{ name: "Kind" },
					{ name: "Id" },
					{ name: "Reference" },
				],
				rows: [
					["1", { amount: "9000", currency: "EUR" }, "***", "beneficiary", { code: payee(1) }, "***"],
					["2", { amount: "9000.00", currency: "EUR" }, undefined, "beneficiary", { code: payee(2) }, "***"],
					["3", { amount: "230.55", currency: "EUR" }, undefined, "beneficiary", { code: payee(3) }, "***"],
				],
				empty: "None.",
				more: undefined,
			},
		]);
		expect(section(page, "Payments in the order of the file")).toMatchObject([
			{
				caption: "All 3 payments",
				more: `All 3 rows are in payroll.csv; the SHA-256 of that file is ${"c".repeat(64)}. Row 1 is the first payment.`,
			},
		]);
	});

	test("holds no personal data unless it is asked for, and then says so", async () => {
		const text = async (unmasked: boolean) => new TextDecoder().decode(pageBytes(sheetPage(await sheetOf(rows, { unmasked }))));
		const masked = await text(false);
		for (const word of ["Jane Example", "Invoice 1"]) expect(masked).not.toContain(word);
		expect(masked).toContain("Personal data is masked");
		const shown = await text(true);
		for (const word of ["Jane Example", "Invoice 1", "This file shows personal data"]) expect(shown).toContain(word);
		// The control: what is told as no personal data is shown, and the same sheet gives the same bytes.
		expect(pageBytes(sheetPage(await sheetOf(rows, { nameOf: () => "Example Ltd" })))).toEqual(
			pageBytes(sheetPage(await sheetOf(rows, { nameOf: () => "Example Ltd" }))),
		);
	});

	test("warns of what looks the same, runs out, exceeds a limit, or was overridden", async () => {
		const page = sheetPage(
			await sheetOf(rows, {
				plan: plan({
					duplicates: { inside: 1, earlier: 1 },
					settings: { "cap-per-transfer": "5000 EUR" },
					despite: { duplicates: 2, reason: "second delivery" },
				}),
				alike: { inside: 1, earlier: 2, doubts: { rows: 0, intents: [] }, batches: [{ batch: "5", rows: 2, same: false }] },
				dry: [{ ledgerFromId: ledgerA, row: 3 }],
				balances: [{ ledgerFromId: ledgerA, available: "10000", currency: "EUR", name: "Main account" }],
				duplicates: {
					inside: [{ ...(rows[1] as PlannedRow), same: 1 }],
					earlier: [
						{ ...(rows[0] as PlannedRow), rows: 2, intent: "17", state: "accepted", at: "2026-02-27T08:00:00.000Z" },
						{
							...(rows[2] as PlannedRow),
							rows: 1,
							intent: "18",
							batch: "5",
							batchRow: 4,
							state: "planned",
							at: "2026-02-28T08:00:00.000Z",
						},
					],
				},
				strangers: { ledgers: 0, beneficiaries: 1 },
				firstTime: await gatherFirstTime(pages(rows[2] as PlannedRow), new Set([1, 2, 3])),
			}),
		);
		const notices = section(page, "The plan").flatMap((block) => (block.kind === "notice" ? [block.text] : []));
		expect(notices).toEqual([
			expect.stringContaining("9 000.00 EUR"),
			"The available balance of Main account is not enough: 8 230.55 EUR is missing, from row 3 on",
			"1 of 3 rows is the same as another row of this file",
			"2 of 3 rows were paid recently, or are in a batch under way",
			"2 of 3 rows are also in batch 5",
			"The planner chose to go on although payments look the same. Reason: second delivery",
		]);
		expect(section(page, "Totals")).toMatchObject([
			{ rows: [expect.arrayContaining([{ text: "8\u00a0230.55\u00a0EUR missing, from row 3", tone: "bad" }])] },
		]);
		const tables = section(page, "Possible duplicates").flatMap((block) => (block.kind === "table" ? [block] : []));
		expect(tables.map(({ caption }) => caption)).toEqual([
			"Rows that repeat an earlier row of this file: 1",
			"Rows that look like an earlier payment",
		]);
		expect(
			tables.map(({ rows }) => rows.map((cells) => cells.filter((cell) => typeof cell === "string" && /row|payment/.test(cell)))),
		).toEqual([
			[["row 1"]],
			[["payment 17, accepted 2026-02-27 (2 rows of this file)"], ["row 4 of batch 5, still to be sent 2026-02-28"]],
		]);
		const [said, , table] = section(page, "Payees paid for the first time");
		expect(said).toMatchObject({ tone: "warn", text: "1 beneficiary in 1 of 3 payments: 230.55 EUR." });
		expect(table).toMatchObject({ rows: [["beneficiary", { code: payee(3) }, "3", "1", "230.55 EUR"]] });
		const [largest] = section(page, "Largest payments");
		expect(largest).toMatchObject({
			rows: [expect.arrayContaining(["yes"]), {}, expect.arrayContaining([{ text: "first time", tone: "warn" }])],
		});
	});

	test("stays below a megabyte, whatever a million rows say", async () => {
		const page = sheetPage(await hostileSheet());
		const bytes = pageBytes(page);
		expect(bytes.length).toBeLessThan(1_000_000);
		const text = new TextDecoder().decode(bytes);
		expect([text.includes("<script"), text.includes("\u202e"), text.includes("�")]).toEqual([false, false, false]);
		expect(text).toContain("21 more currencies are in the file");
	});

	test("cuts a text without a half character", () => {
		expect([short("12345", 5), short("123456", 5), short("1234😀6", 5), short("123😀6", 5)]).toEqual([
			"12345",
			"12345…",
			"1234…",
			"123😀…",
		]);
	});
});
