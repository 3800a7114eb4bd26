/**
 * Describes a plan for its approver. Pure.
 */

import { groupDigits } from "../../../api/amount.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Style } from "../../../ports/style.js";
import { totalsText } from "./totals.js";

type Words = Pick<Style, "money">;

type Row = readonly [string, string | { time: string } | undefined];

/** What a plan moves, where it is sent, who planned it, and when it expires. */
export function planRows(plan: BatchPlan, style: Words): Row[] {
	return [
		["Batch", plan.batch],
		["File", plan.source === "-" ? "standard input" : plan.source],
		["Rows", groupDigits(plan.count)],
		["Total", totalsText(plan, style)],
		...(plan.totals.length > 1 ? plan.totals : []).map((total, at): Row => [at === 0 ? "By ledger" : "and", ledgerText(total, style)]),
		...(plan.totals.length === 1 ? [["From ledger", plan.totals[0]?.ledgerFromId] as const] : []),
		["Largest", plan.largest.map(({ currency, amount }) => style.money(amount, currency)).join(", ")],
		["Profile", `${plan.profile} (${plan.environment})`],
		["Service", plan.origin],
		["Despite", despiteText(plan)],
		["Planned", { time: plan.planned }],
		["Planned by", plannerText(plan)],
		["Valid until", { time: plan.expires }],
		["Fingerprint", plan.digest.sequence],
		["Sheet (SHA-256)", plan.sheet?.sha256],
	];
}

function plannerText({ planner, operator }: BatchPlan): string {
	if (planner === undefined) return "someone without a key";
	return operator === undefined ? planner : `${operator}, ${planner}`;
}

function ledgerText({ ledgerFromId, currency, rows, amount }: BatchPlan["totals"][number], style: Words): string {
	return `${style.money(amount, currency)} in ${groupDigits(rows)} ${rows === 1 ? "row" : "rows"} from ${ledgerFromId}`;
}

function despiteText({ despite }: BatchPlan): string | undefined {
	if (despite === undefined) return undefined;
	const { duplicates = 0, batches = [], reason } = despite;
	const what = [
		duplicates > 0 ? `${groupDigits(duplicates)} possible ${duplicates === 1 ? "duplicate" : "duplicates"}` : "",
		batches.length > 0 ? `batch ${batches.join(", ")}` : "",
	];
	return `${what.filter(Boolean).join(", ")}: ${reason}`;
}
