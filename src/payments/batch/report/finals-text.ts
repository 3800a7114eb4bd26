/** How followed rows stand, in words and as an outcome. Pure; styles are handed in. */

import type { Style } from "../../../ports/style.js";
import { groupDigits } from "../../rules/money-text.js";

import type { Finals } from "./finals.js";

type Words = Pick<Style, "dim" | "good" | "bad" | "warn" | "status" | "money" | "table">;

type Told = Finals & { batch: string; accepted: number };

/** Failed rows that are listed; report and JSON have more. */
const mostListed = 20;

const sumOf = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

/** Rows that did not end well. */
const failedOf = ({ final }: Finals): number => sumOf(final) - (final.APPROVED ?? 0);

/** Rows of which the end is not known. */
const openOf = ({ moving, unnamed, unseen }: Finals): number => sumOf(moving) + unnamed + unseen;

/** `rejected` (5) where any ended in another way than APPROVED; `bug` (1) where some were told without a status; `pending` (8) where some are not final. */
export function finalsOutcome(finals: Finals): "rejected" | "pending" | "bug" | undefined {
	if (failedOf(finals) > 0) return "rejected";
	if (finals.untold > 0) return "bug";
	return openOf(finals) > 0 ? "pending" : undefined;
}

/** How many rows are in which status, and those that failed. */
export function finalsText(told: Told, style: Words): string {
	const { batch, accepted, final, moving, unnamed, unseen, failed } = told;
	if (accepted === 0) return `Batch ${batch}: no row was accepted, so there is nothing to follow.`;
	const counts = [
		...Object.entries(final).map(([status, rows]) => [style.status(status), groupDigits(rows)]),
		...Object.entries(moving).map(([status, rows]) => [`${style.status(status)}, not final`, groupDigits(rows)]),
		...(unnamed > 0 ? [["accepted without an id, cannot be followed", groupDigits(unnamed)]] : []),
		...(unseen > 0 ? [["not looked at before the time was over", groupDigits(unseen)]] : []),
	];
	const lines = [headline(told, style), "", style.table(["status", "rows"], counts)];
	if (failed.length > 0) lines.push("", failedTable(told, style));
	return lines.join("\n");
}

function headline(told: Told, style: Words): string {
	const [failed, open] = [failedOf(told), openOf(told)];
	const all = groupDigits(told.accepted);
	if (failed > 0) return style.bad(`Batch ${told.batch}: ${groupDigits(failed)} of ${all} accepted payments did not end as APPROVED`);
	if (open > 0) return style.warn(`Batch ${told.batch}: ${groupDigits(open)} of ${all} accepted payments are not final yet`);
	return style.good(`Batch ${told.batch}: all ${all} accepted payments are approved`);
}

function failedTable({ failed, final }: Told, style: Words): string {
	const rows = failed
		.slice(0, mostListed)
		.map(({ row, id, amount, currency, status, declineReason = "" }) => [
			String(row),
			style.status(status),
			style.money(amount, currency) ?? amount,
			declineReason,
			id,
		]);
	const all = sumOf(final) - (final.APPROVED ?? 0);
	const more = all > rows.length ? [style.dim(`and ${groupDigits(all - rows.length)} more; --json lists up to 1 000`)] : [];
	return [style.table(["row", "status", "amount", "because", "transaction"], rows), ...more].join("\n");
}
