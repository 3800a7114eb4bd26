/** A batch's report in words, and what to do after it. Pure; styles are handed in. */

import { join } from "node:path";
import { purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import type { SuggestedCommand } from "../../../errors.js";
import { stateText } from "../../rules/intent-text.js";
import { nextSteps } from "../send/text.js";
import type { BatchReport } from "./report.js";

type Words = Parameters<typeof stateText>[1];

/** @param folder where it was written; absent in a dry run */
export function reportText(report: BatchReport & { html?: { path: string } }, folder: string | undefined, style: Words): string {
	const { parts, totals, control, html } = report;
	const files = Object.values(parts).map(({ file, rows }) => [folder === undefined ? file : join(folder, file), groupDigits(rows)]);
	const lines = [
		control.agrees
			? style.good(`Batch ${report.batch}: all rows accounted for; totals match the plan`)
			: style.bad(`Batch ${report.batch}: the recorded rows do not match the plan`),
		...control.faults.map((fault) => `  ${fault}`),
		"",
		style.table(["file", "rows"], files),
		...(html === undefined ? [] : ["", style.pairs([["Page", html.path]])]),
		"",
		style.table(
			["state", "rows", "amount"],
			totals.map(({ state, currency, rows, amount }) => [
				stateText(state, style),
				groupDigits(rows),
				style.money(amount, currency) ?? amount,
			]),
		),
	];
	return lines.join("\n");
}

/** A report as the command answers it: in a dry run there is no folder. A batch of a sandbox that is gone can only be closed. */
export type WrittenReport = BatchReport & { folder?: string; planPath?: string; earlierSandbox?: true };

/** Commands to suggest, the most urgent first, with the report's own files where they help. */
export function stepsAfter({ folder, ...report }: WrittenReport): SuggestedCommand[] {
	const { parts, state } = report;
	const steps = nextSteps(report).filter(({ words }) => words[2] !== "report");
	const planned = folder === undefined ? [] : state === "abandoned" ? ([parts.refused, parts.unsent] as const) : ([parts.refused] as const);
	// A doubt comes first: what it is about may have been paid.
	const [settle, others] = [steps.filter(({ words }) => words[1] === "settle"), steps.filter(({ words }) => words[1] !== "settle")];
	return [
		...settle,
		...planned.flatMap(({ file, rows }) => (rows > 0 ? [purser`pay batch plan ${{ path: `${folder}/${file}` }}`] : [])),
		...others,
	];
}
