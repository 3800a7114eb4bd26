/** Sheets for tests: invented payees, literal amounts; and one whose every text is foreign and as long as it may be. */
import { gatherFirstTime } from "../../../src/payments/batch/sheet/first-time.js";
import { SheetRows } from "../../../src/payments/batch/sheet/gather.js";
import type { Sheet } from "../../../src/payments/batch/sheet/page.js";
import type { PlannedRow } from "../../../src/ports/batch-plan.js";
import { ledgerA, plan } from "./plans.js";

export const payee = (at: number): string => `bbbbbbbb-0000-4000-8000-${String(at).padStart(12, "0")}`;
export const pay = (row: number, amount: string, more: Partial<PlannedRow["transfer"]> = {}): PlannedRow => ({
	row,
	transfer: {
		kind: "beneficiary",
		ledgerFromId: ledgerA,
		counterpartyId: payee(row),
		amount,
		currency: "EUR",
		reference: `Invoice ${row}`,
		...more,
	},
});
export async function* pages(...rows: PlannedRow[]): AsyncGenerator<PlannedRow[]> {
	for (const row of rows) yield [row];
}

export async function sheetOf(rows: PlannedRow[], more: Partial<Sheet> = {}): Promise<Sheet> {
	const gathered = new SheetRows();
	for (const row of rows) gathered.add(row);
	return {
		plan: plan({ count: rows.length }),
		alike: { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] },
		strangers: { ledgers: 0, beneficiaries: 0 },
		balances: [{ ledgerFromId: ledgerA, available: "20000", currency: "EUR", name: "Main account" }],
		dry: [],
		ignored: [],
		rows: gathered,
		firstTime: await gatherFirstTime(pages(), new Set()),
		duplicates: { inside: [], earlier: [] },
		nameOf: () => undefined,
		payees: new Map([[payee(1), "Jane Example"]]),
		unmasked: false,
		madeBy: "purser 1.2.3",
		approve: "purser pay batch approve payroll.csv.plan.json --sheet payroll.html",
		...more,
	};
}

/** A million rows, of which everything is told that there is room for. */
export async function hostileSheet(): Promise<Sheet> {
	const hostile = (at: number): string => `<script>${"\u202e&\"'<😀".repeat(2_000)}${at}`;
	const gathered = new SheetRows();
	const first = Array.from({ length: 1_000 }, (_, at) =>
		pay(at + 1, `${"9".repeat(25)}.${"9".repeat(25)}`, { reference: hostile(at), currency: `AA${String.fromCharCode(65 + (at % 26))}` }),
	);
	for (const row of first) gathered.add(row);
	return sheetOf([], {
		plan: plan({
			count: 1_000_000,
			source: hostile(0),
			profile: hostile(0),
			totals: first.map(({ transfer }, at) => ({
				ledgerFromId: `${payee(at)}`,
				currency: transfer.currency,
				rows: 1,
				amount: transfer.amount,
			})),
			settings: { approval: hostile(1), "cap-per-day": hostile(2) },
			despite: { duplicates: 1, reason: hostile(3) },
		}),
		balances: first.map((_, at) => ({ ledgerFromId: payee(at), name: hostile(at), available: "1" })),
		dry: first.map((_, at) => ({ ledgerFromId: payee(at), row: at + 1 })),
		ignored: first.map((_, at) => hostile(at)),
		rows: gathered,
		firstTime: await gatherFirstTime(pages(...first), new Set(first.map(({ row }) => row))),
		strangers: { ledgers: 500_000, beneficiaries: 500_000 },
		duplicates: {
			inside: first.slice(0, 30).map((row) => ({ ...row, same: 1 })),
			earlier: first
				.slice(0, 30)
				.map((row) => ({ ...row, rows: 1_000, intent: "1", state: "accepted" as const, at: "2026-02-27T08:00:00.000Z" })),
		},
		alike: { inside: 1_000_000, earlier: 1_000_000, doubts: { rows: 0, intents: [] }, batches: [] },
		payees: new Map(first.map(({ row }) => [payee(row), hostile(row)])),
		unmasked: true,
	});
}
