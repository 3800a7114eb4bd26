/** A batch's report in words. Pure; styles are handed in. */

import { join } from "node:path";
import { groupDigits } from "../../../api/amount.js";
import { stateText } from "../../rules/intent-text.js";

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
