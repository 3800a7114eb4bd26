/** What the page of a batch has at both of its moments. Pure. */
import { groupDigits } from "../../../api/amount.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { Block, Cell, Section } from "../../../ports/page.js";
import { totalsText } from "../plan/totals.js";

/** Most rows of a table, and most of what stands beside one. */
export const most = { rows: 200, notices: 20, currencies: 5, reasons: 5, settings: 30 } as const;

export type Fact = readonly [label: string, value: Cell];

export const counted = (count: number, noun: string): string => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
export const notice =
	(tone: "good" | "warn" | "bad") =>
	(text: string): Block => ({ kind: "notice", tone, text });
export const note = (text: string | false | undefined): Block[] => (text ? [{ kind: "text", tone: "quiet", text }] : []);

/** Sums by currency; of many only the first, since it stands on one line. */
export function sumsText({ totals }: { totals: readonly BatchTotal[] }): string {
	const sums = totalsText({ totals }).split(", ");
	const more = sums.length - most.currencies;
	return more > 0 ? `${sums.slice(0, most.currencies).join(", ")} and ${more} more currencies` : sums.join(", ");
}

type Paid = Pick<Transfer, "ledgerFromId" | "counterpartyId" | "amount" | "currency" | "reference">;

interface Column<T> {
	name: string;
	right?: boolean;
	of(row: T): Cell;
}

/**
 * A table of payments. A column in which nothing would stand is left out, and the ledger that all of them leave.
 * @param references whether they are shown: one may name a person
 */
export function paymentsTable<T extends { row: number } & (Paid | { transfer: Paid })>(
	caption: string,
	rows: readonly T[],
	totals: readonly { ledgerFromId: string }[],
	{ nameOf, references, more }: { nameOf(id: string, row: T): string | undefined; references: boolean; more: readonly Column<T>[] },
): Extract<Block, { kind: "table" }> {
	const paid = (row: T): Paid => ("transfer" in row ? row.transfer : row);
	const several = new Set(totals.map(({ ledgerFromId }) => plainId(ledgerFromId))).size > 1;
	const columns: Column<T>[] = [
		{ name: "Row", right: true, of: ({ row }) => groupDigits(row) },
		{ name: "Amount", right: true, of: (row) => ({ amount: paid(row).amount, currency: paid(row).currency }) },
		{ name: "To", of: (row) => nameOf(paid(row).counterpartyId, row) },
		{ name: "Payee", of: (row) => ({ code: paid(row).counterpartyId }) },
		...more,
		{ name: "From", of: (row) => (several ? (nameOf(paid(row).ledgerFromId, row) ?? { code: paid(row).ledgerFromId }) : undefined) },
		{ name: "Reference", of: (row) => (paid(row).reference && !references ? "***" : paid(row).reference) },
	];
	const shown = columns.filter(({ of }) => rows.some((row) => of(row) !== undefined));
	return {
		kind: "table",
		caption,
		columns: shown.map(({ name, right }) => ({ name, right })),
		rows: rows.map((row) => shown.map(({ of }) => of(row))),
		empty: "None.",
	};
}

export const ledgers = (columns: readonly string[], rows: readonly Cell[][], of: number, where: string): Section => ({
	title: "From which ledgers",
	blocks: [
		{
			kind: "table",
			caption: "By debited ledger and currency",
			columns: columns.map((name) => ({ name, right: !/^(From|Ledger|Note|As planned)$/.test(name) })),
			rows,
			empty: "No ledger pays anything.",
			of,
			where,
		},
	],
});

/** Digests stand at the end: they are compared, not read. */
export function fingerprints({ digest, sourceDigest, settings }: BatchPlan, more: readonly Fact[]): Section {
	return {
		title: "Fingerprints and settings",
		blocks: [
			{
				kind: "facts",
				rows: [
					["Rows, in order (SHA-256)", { code: digest.sequence }],
					["Rows, in any order (SHA-256)", { code: digest.rows }],
					["File (SHA-256)", { code: sourceDigest }],
					...more,
					...Object.entries(settings)
						.slice(0, most.settings)
						.map(([name, value]): Fact => [`Setting ${name}`, { code: value }]),
				],
			},
			...note(
				`A fingerprint changes when a single character changes; what is approved and sent is that of the rows, in order, which "pay batch approve" shows. The settings are those of the profile when it was planned: if one of them changes, the plan can no longer be sent.`,
			),
		],
	};
}
