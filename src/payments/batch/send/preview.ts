/**
 * The preview that a person is shown before a batch is sent.
 */

import { advice, purser } from "../../../api/advice.js";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import { plainId } from "../../../api/text/ids.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, BatchRecord } from "../../../ports/batches.js";
import type { Preview } from "../../../ports/changes.js";
import type { IntentState } from "../../../ports/intent.js";
import { counted } from "../../rules/refusal-text.js";
import { sumsByCurrency } from "../plan/check.js";
import { Directory } from "../plan/directory.js";
import { type Debited, debitedOf, type Findings, findingLines, findingsOf, ledgersTable, mostShown, rowsTable } from "../plan/findings.js";
import type { Planned } from "../plan/planning.js";
import { sourceOf, totalInRows, totalsText } from "../plan/totals.js";
import { requireConfirmedRows } from "./again.js";
import { findShownDuplicates, overCap } from "./guards.js";
import { rowsIn } from "./text.js";

interface BeforeSending {
	foundDuplicates: BatchDuplicates;
	findings: Findings;
	debited: readonly Debited[];
}

/** The preview before the rows in these states are sent; a Yes confirms so many of them. @param record where the batch goes on */
export async function previewOfSending(context: Context, plan: BatchPlan, takes: readonly IntentState[], record?: BatchRecord) {
	await requireConfirmedRows(context, plan);
	const foundDuplicates = await findShownDuplicates(context, plan, takes, record === undefined);
	const confirms = record === undefined ? plan.count : rowsIn(record.counts, ...takes);
	const { profile } = await context.settings.read();
	const ids = await context.settings.ids();
	const directory = new Directory(context.report, context.service, context.names.resolver, { ids });
	const ledgers = [...new Set(plan.totals.map(({ ledgerFromId }) => plainId(ledgerFromId)))].slice(0, mostShown);
	await directory.of(ledgers, "ledger");
	const batches = await context.journal.batches(profile);
	const findings = await findingsOf(context, batches, plan.batch, { takes, duplicates: foundDuplicates, directory });
	return { ...previewOfBatch(plan, { foundDuplicates, findings, debited: await debitedOf(context, plan, directory) }, record), confirms };
}

/** @param record where it goes on: then the number of its remaining rows is confirmed, as their total is not known here */
export function previewOfBatch(plan: BatchPlan, { findings, foundDuplicates, debited }: BeforeSending, record?: BatchRecord): Preview {
	const left = record === undefined ? plan.count : rowsIn(record.counts, "planned", "not-sent", "not-created");
	const doubts = record === undefined ? 0 : rowsIn(record.counts, "in-doubt");
	const totals = sumsByCurrency(plan);
	const [only] = totals;
	const isOneSum = record === undefined && totals.size === 1 && only !== undefined && only[0] !== "?";
	return {
		title:
			record === undefined
				? `Send batch ${plan.batch}: ${paymentsIn(left)}, ${totalsText(plan)} in all`
				: `Send ${groupDigits(left)} of the ${paymentsIn(plan.count)} of batch ${plan.batch}`,
		rows: [
			["File", sourceOf(plan)],
			...(record === undefined
				? [["Valid until", { time: plan.expires }] as const]
				: [
						["Whole batch", `${paymentsIn(plan.count)}, ${totalsText(plan)}`] as const,
						["Accepted", groupDigits(rowsIn(record.counts, "accepted", "waiting"))] as const,
					]),
		],
		tables: [rowsTable(findings.first, left), ...(record === undefined ? [ledgersTable(plan, debited)] : [])],
		warnings: [
			...(doubts > 0
				? [
						advice`${groupDigits(doubts)} ${doubts === 1 ? "row is in doubt and is" : "rows are in doubt and are"} not sent again: ${purser`pay settle --batch ${plan.batch}`}`,
					]
				: []),
			...planWarnings({ plan, foundDuplicates, findings }),
		],
		amount: isOneSum ? only[1] : String(left),
		currency: isOneSum ? only[0] : undefined,
	};
}

/**
 * What whoever approves a plan looks at, at a terminal and on its page. @param planner as the approvers of the profile name who planned it
 * @param known what is known of its rows: elsewhere than where it was planned, nothing
 */
export function previewOfApproval(
	plan: BatchPlan,
	planner?: string,
	known: Partial<Omit<Planned, "plan">> = {},
	most = mostShown,
): Preview {
	const { findings, balances = [], dry, foundDuplicates = { ...plan.duplicates, doubts: { rows: 0, intents: [] }, batches: [] } } = known;
	const only = plan.totals.length === 1 ? plan.totals[0] : undefined;
	const rows: [string, Preview["rows"][number][1] | undefined][] = [
		["File", sourceOf(plan)],
		["Largest", plan.largest.map(({ currency, amount }) => inCurrency(amount, currency)).join(", ")],
		["Service", `${plan.origin} (${plan.environment})`],
		["Despite", plan.despite && `${duplicatesText(plan.despite)}: ${plan.despite.reason}`],
		["Planned by", [...new Set([planner, plan.operator])].filter(Boolean).join(", as ") || (plan.planner ?? "someone without a key")],
		["Planned", { time: plan.planned }],
		["Valid until", { time: plan.expires }],
	];
	return {
		title: `Approve batch ${plan.batch}: ${totalInRows(plan)}`,
		rows: rows.filter((row): row is [string, Preview["rows"][number][1]] => Boolean(row[1])),
		tables: [...(findings ? [rowsTable(findings.first, plan.count)] : []), ledgersTable(plan, balances, dry, most)],
		warnings: findings ? planWarnings({ plan, foundDuplicates, findings }, most) : duplicateWarnings(plan, foundDuplicates),
		amount: only?.amount ?? String(plan.count),
		currency: only?.currency,
	};
}

/** `2 possible duplicates` */
export const duplicatesText = ({ duplicates }: { duplicates: number }): string => counted(duplicates, "possible duplicate");

const paymentsIn = (rows: number): string => counted(rows, "payment");

/** What may be wrong with a plan: limits, doubts, earlier batches, and by row. @param most most rows of each kind */
export function planWarnings(
	{ plan, foundDuplicates, findings }: Pick<Planned, "plan" | "foundDuplicates" | "findings">,
	most = mostShown,
): string[] {
	const cap = overCap(plan);
	return [
		...(cap === undefined ? [] : [`${cap}: it cannot be sent like this`]),
		...duplicateWarnings(plan, { ...foundDuplicates, inside: 0, earlier: 0 }),
		...findingLines(findings, foundDuplicates, most),
	];
}

/** The warning about rows of unknown currency, which count against every limit; undefined if there are none. */
function unknownCurrencyWarning({ totals, count }: Pick<BatchPlan, "totals" | "count">): string | undefined {
	const rows = totals.reduce((all, total) => all + (total.currency === undefined ? total.rows : 0), 0);
	if (rows === 0) return undefined;
	return `The currency of ${groupDigits(rows)} of ${counted(count, "row")} is unknown, so they count against every limit, and as above one that names a currency. It is given when the file is planned: in a column "currency", or with --currency EUR for all rows`;
}

/** Warnings about duplicates, by their number: whoever approves a plan has no more. */
function duplicateWarnings(plan: Pick<BatchPlan, "count" | "totals">, { inside, earlier, doubts, batches }: BatchDuplicates): string[] {
	const of = (rows: number, one: string, many: string): string =>
		`${groupDigits(rows)} of ${counted(plan.count, "row")} ${rows === 1 ? one : many}`;
	return [
		unknownCurrencyWarning(plan),
		inside > 0 && `${of(inside, "is", "are")} the same as another row of this file`,
		earlier > 0 && of(earlier, "was paid recently, or is in a batch under way", "were paid recently, or are in a batch under way"),
		doubts.rows > 0 &&
			`${of(doubts.rows, "looks", "look")} the same as a payment that is in doubt or being sent (intent ${doubts.intents.join(", ")}): settle it first`,
		...batches.map(({ batch, same }) => same && `This is batch ${batch} again: the same rows`),
	].filter((text) => typeof text === "string");
}
