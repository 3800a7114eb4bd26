/**
 * The sheet of a batch: what a second person looks at before signing its plan, as a page. Pure.
 */

import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { DuplicateRows } from "../../../ports/batches.js";
import type { Block, Page, Section } from "../../../ports/page.js";
import { sumsByCurrency } from "../plan/check.js";
import type { Planned } from "../plan/planning.js";
import { overCap } from "../send/guards.js";
import { duplicateWarnings } from "../send/preview.js";
import { short } from "./cells.js";
import { duplicatesSection } from "./duplicates.js";
import type { FirstTime } from "./first-time.js";
import { firstTimeSection } from "./first-time-section.js";
import type { SheetRows } from "./gather.js";
import { type RowWords, rowsTable } from "./rows-table.js";
import { shortfalls, totalsSection } from "./totals-section.js";

export interface Sheet extends Planned {
	rows: Pick<SheetRows, "first" | "currencies">;
	firstTime: FirstTime;
	duplicates: DuplicateRows;
	/** Names that are no personal data, by id. */
	nameOf(id: string): string | undefined;
	/** Names of payees, by plain id, that may be personal data. */
	payees: ReadonlyMap<string, string>;
	unmasked: boolean;
	/** The tool and its version. */
	madeBy: string;
	/** The command that approves the plan with this sheet. */
	approve: string;
}

/** The page; the same sheet gives the same page. */
export function sheetPage(sheet: Sheet): Page {
	const { plan, unmasked, madeBy } = sheet;
	const words: RowWords = { ...sheet, firstTimeRows: sheet.firstTime.rows };
	return {
		title: `Batch ${plan.batch}: ${paymentsIn(plan.count)}, ${totalsOf(plan)}`,
		lead: `What this batch would pay${plan.planner === undefined ? "" : ", for the person who approves it"}. Nothing was sent yet.`,
		personalData: unmasked ? "shown" : "masked",
		madeBy,
		madeAt: plan.planned,
		of: `${short(plan.profile)} (${plan.environment})`,
		sections: [
			planSection(sheet),
			totalsSection(sheet),
			amountsSection(sheet),
			largestSection(sheet, words),
			firstTimeSection(sheet),
			duplicatesSection(sheet, words),
			rowsSection(sheet, words),
			limitsSection(sheet),
		],
	};
}

const paymentsIn = (rows: number): string => `${groupDigits(rows)} ${rows === 1 ? "payment" : "payments"}`;

/** The totals by currency; of many only the first, since a title has one line. */
function totalsOf(plan: BatchPlan): string {
	const sums = [...sumsByCurrency(plan)].map(([currency, amount]) => inCurrency(amount, currency === "?" ? undefined : currency));
	return `${sums.slice(0, 5).join(", ")}${sums.length > 5 ? ` and ${sums.length - 5} more currencies` : ""}`;
}

/** Most ledgers whose shortfall has a notice of its own. */
const mostShort = 5;

/** What the balances lack, by ledger and currency. */
function balanceWarnings(sheet: Sheet): string[] {
	const lacking = shortfalls(sheet);
	const notices = lacking.slice(0, mostShort).map(({ ledgerFromId, name, currency, missing, row }) => {
		const ledger = short(name ?? sheet.nameOf(ledgerFromId) ?? ledgerFromId);
		return `The available balance of ${ledger} is not enough: ${inCurrency(missing, currency)} is missing, from row ${groupDigits(row)} on`;
	});
	if (lacking.length === 0 && sheet.dry.length > 0) return [`The available balance is not enough for every payment: see "Totals"`];
	const more = lacking.length - mostShort;
	return more > 0 ? [...notices, `The balances of ${groupDigits(more)} more are not enough either: see "Totals"`] : notices;
}

function planSection(sheet: Sheet): Section {
	const { plan, alike, approve, unmasked } = sheet;
	const cap = overCap(plan);
	const warnings = [
		...(cap === undefined ? [] : [`${cap}: it cannot be sent like this`]),
		...balanceWarnings(sheet),
		...duplicateWarnings(plan, alike),
	];
	const { despite } = plan;
	const override =
		despite === undefined ? [] : [`The planner chose to go on although payments look the same. Reason: ${short(despite.reason, 300)}`];
	const notices = [...warnings, ...override].map((text): Block => ({ kind: "notice", tone: "warn", text: short(text, 600) }));
	return {
		title: "The plan",
		blocks: [
			...(notices.length > 0
				? notices
				: [
						{
							kind: "notice",
							tone: "good",
							text: "No warnings: no payment looks the same as another one, and the limit per payment and the known balances are kept.",
						} as const,
					]),
			{
				kind: "facts",
				rows: [
					["Batch", plan.batch],
					["File", sourceOf(plan)],
					["Payments", groupDigits(plan.count)],
					["Total", totalsOf(plan)],
					[
						"Largest payment",
						plan.largest
							.slice(0, 5)
							.map(({ currency, amount }) => inCurrency(amount, currency))
							.join(", "),
					],
					["Profile", `${short(plan.profile)} (${plan.environment})`],
					["Service", short(plan.origin, 200)],
					["Planned", { time: plan.planned }],
					["Planned by", plan.planner === undefined ? "not recorded" : { code: short(plan.planner, 100) }],
					["Valid until", { time: plan.expires }],
					["Fingerprint of the rows, in order (SHA-256)", { code: plan.digest.sequence }],
					["Fingerprint of the rows, in any order (SHA-256)", { code: plan.digest.rows }],
					["Fingerprint of the file (SHA-256)", { code: plan.sourceDigest }],
				],
			},
			{
				kind: "text",
				text:
					plan.planner === undefined
						? "A fingerprint changes when a single character changes."
						: `A fingerprint changes when a single character changes. "pay batch approve" shows the fingerprint of the rows, in order: both must be the same. With --sheet it also checks that this page is the one that was written with the plan.`,
			},
			...(unmasked
				? []
				: [
						{
							kind: "text",
							tone: "quiet",
							text: "References and names of persons are masked. To show them, the planner plans the file again with --sheet and --unmasked.",
						} as const,
					]),
			plan.planner === undefined
				? { kind: "text", text: notApproved }
				: { kind: "facts", rows: [["To approve it, somebody else than the planner types", { code: approve }]] },
		],
	};
}

const notApproved =
	"Nobody can approve this plan: the planner had no key. Where an approval is wanted, the planner makes one (purser pay batch key) and plans the file again.";

const sourceOf = ({ source }: BatchPlan): string => (source === "-" ? "standard input" : short(source, 200));

function amountsSection({ rows }: Sheet): Section {
	return {
		title: "Amounts",
		blocks: rows.currencies.map(({ currency, rows: count, buckets }) => ({
			kind: "histogram",
			caption: `${currency ?? "Currency not known"}: ${paymentsIn(count)} by amount`,
			bars: buckets.bars,
		})),
	};
}

function largestSection({ plan, rows }: Sheet, words: RowWords): Section {
	const more = new Set(plan.totals.map(({ currency }) => currency)).size - rows.currencies.length;
	const left: Block[] =
		more > 0
			? [
					{
						kind: "notice",
						tone: "warn",
						text: `${groupDigits(more)} more ${more === 1 ? "currency is" : "currencies are"} in the file, whose payments are neither here nor under "Amounts".`,
					},
				]
			: [];
	return {
		title: "Largest payments",
		blocks: [
			...left,
			...rows.currencies.map(({ currency, rows: count, largest }) =>
				rowsTable(largest, words, {
					caption: `${currency ?? "Currency not known"}: ${count > largest.length ? `the ${largest.length} largest of ${paymentsIn(count)}` : `all ${paymentsIn(count)}, the largest first`}`,
				}),
			),
		],
	};
}

function rowsSection({ plan, rows }: Sheet, words: RowWords): Section {
	const { length } = rows.first;
	const place = plan.source === "-" ? "were read from standard input" : `are in ${sourceOf(plan)}`;
	return {
		title: "Payments in the order of the file",
		blocks: [
			rowsTable(rows.first, words, {
				caption: plan.count > length ? `The first ${groupDigits(length)} of ${paymentsIn(plan.count)}` : `All ${paymentsIn(plan.count)}`,
				more: `All ${groupDigits(plan.count)} rows ${place}; the SHA-256 of that file is ${plan.sourceDigest}. Row 1 is the first payment.`,
			}),
		],
	};
}

function limitsSection({ plan, ignored }: Sheet): Section {
	const rows = Object.entries(plan.settings).map(([name, value]) => [short(name), { code: short(value, 200) }] as const);
	return {
		title: "Settings that applied",
		blocks: [
			{
				kind: "text",
				text: "Limits and rules of the profile when the batch was planned. If one of them changes, the plan can no longer be sent.",
			},
			...(rows.length === 0 ? [{ kind: "text", text: "None is set.", tone: "quiet" } as const] : [{ kind: "facts", rows } as const]),
			...(ignored.length === 0
				? []
				: [
						{
							kind: "text",
							text: `Columns of the file that were not read: ${short(
								ignored
									.slice(0, 20)
									.map((name) => short(name))
									.join(", "),
								600,
							)}`,
						} as const,
					]),
		],
	};
}
