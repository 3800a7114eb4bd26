/**
 * What a person is shown before a batch is sent.
 */
import type { Alikeness, BatchPlan, BatchRecord } from "../../batches.js";
import type { IntentState } from "../../context.js";
import { sumsByCurrency } from "./check.js";
import { rowsIn } from "./outcome.js";
import { grouped } from "./progress.js";

export interface BatchPreview {
	title: string;
	rows: [string, string][];
	warnings: string[];
	/** What must be typed on a live profile: the total, or the number of rows where there are several currencies. */
	amount: string;
	currency?: string;
}

/** Ledgers that are listed one by one. */
const mostLedgers = 8;

export function previewOfBatch(plan: BatchPlan, alike: Alikeness): BatchPreview {
	const sums = [...sumsByCurrency(plan)];
	const [only] = sums;
	const single = sums.length === 1 && only !== undefined && only[0] !== "?";
	const total = sums.map(([currency, amount]) => (currency === "?" ? amount : `${amount} ${currency}`)).join(", ");
	return {
		title: `Send ${grouped(plan.count)} ${plan.count === 1 ? "payment" : "payments"}, ${total} in all`,
		rows: [
			["File", plan.source === "-" ? "standard input" : plan.source],
			["Payments", grouped(plan.count)],
			["Total", total],
			...plan.totals
				.slice(0, mostLedgers)
				.map(({ ledgerFromId, currency = "", rows, amount }): [string, string] => [
					"From",
					`${ledgerFromId}  ${amount} ${currency}  ${grouped(rows)} ${rows === 1 ? "payment" : "payments"}`,
				]),
			...(plan.totals.length > mostLedgers ? [["", `and ${plan.totals.length - mostLedgers} more ledgers`] as [string, string]] : []),
			["Planned", plan.planned],
			["Good until", plan.expires],
		],
		warnings: warningsOf(plan, alike),
		amount: single ? only[1] : String(plan.count),
		currency: single ? only[0] : undefined,
	};
}

/** What is like other payments, in words. */
export function warningsOf(plan: Pick<BatchPlan, "count">, { inside, earlier, doubts, batches }: Alikeness): string[] {
	const of = (rows: number): string => `${grouped(rows)} of ${grouped(plan.count)} rows`;
	return [
		...(inside > 0 ? [`${of(inside)} are the same as another row of this file`] : []),
		...(earlier > 0 ? [`${of(earlier)} were paid lately, or stand in a batch under way`] : []),
		...(doubts.rows > 0 ? [`${of(doubts.rows)} are like a payment in doubt (intent ${doubts.intents.join(", ")}): settle it first`] : []),
		...batches.map(({ batch, rows, same }) =>
			same ? `This is batch ${batch} once more: the same rows` : `${of(rows)} stand in batch ${batch} too`,
		),
	];
}

/** What a person is shown before a batch goes on. The total of what is left is not known here; the rows are. */
export function previewOfRest({ batch, plan, counts }: BatchRecord, takes: readonly IntentState[]): BatchPreview {
	const left = rowsIn(counts, ...takes);
	const doubts = rowsIn(counts, "in-doubt");
	const { rows, ...rest } = previewOfBatch(plan, { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] });
	return {
		...rest,
		title: `Send ${grouped(left)} of the ${grouped(plan.count)} payments of batch ${batch}`,
		rows: [...rows, ["Accepted", grouped(rowsIn(counts, "accepted", "waiting"))], ["To be sent", grouped(left)]],
		warnings: doubts > 0 ? [`${grouped(doubts)} rows are in doubt and are not sent again: purser pay settle --batch ${batch}`] : [],
		amount: String(left),
		currency: undefined,
	};
}
