/**
 * Texts for cancelling the rest of a batch: the question before and the answer after. Pure.
 */

import { advice, purser } from "../../../api/advice.js";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { Advice } from "../../../errors.js";
import type { BatchRecord, BatchRest } from "../../../ports/batches.js";
import { rowsIn } from "./outcome.js";

import { batchText } from "./text.js";

/** Longest reason in characters; it is recorded permanently. */
export const longestReason = 500;

/** The batch and what this run cancelled of it, or would cancel. */
export interface Abandoning extends BatchRecord {
	rest: BatchRest;
	/** Why nothing was changed, if so. */
	stopped?: { code: "DRY_RUN" | "ABANDONED_BEFORE"; why: string };
}

/** `72 rows never sent, 300.00 EUR` */
export function restText({ rows, totals }: BatchRest): string {
	const sums = totals.map(({ currency, amount }) => inCurrency(amount, currency)).join(", ");
	return `${groupDigits(rows)} ${rows === 1 ? "row" : "rows"} never sent${sums === "" ? "" : `, ${sums}`}`;
}

/** The question at a terminal. */
export function questionOf({ batch }: BatchRecord, rest: BatchRest): string {
	return `Cancel the rest of batch ${batch} (${restText(rest)})? These rows will never be sent`;
}

/** What cancelling does not affect, and what to do about it; undefined if there is nothing. */
export function untouchedWarning({ batch, counts, sending }: BatchRecord): Advice | undefined {
	if (sending) return `batch ${batch} is being sent right now by another purser; nothing can be cancelled until that ends`;
	const rows = rowsIn(counts, "in-doubt");
	if (rows === 0) return undefined;
	return advice`${groupDigits(rows)} ${rows === 1 ? "row of batch" : "rows of batch"} ${batch} ${rows === 1 ? "is" : "are"} in doubt and ${rows === 1 ? "is" : "are"} not cancelled: ${rows === 1 ? "it" : "they"} may have been paid. Settle ${rows === 1 ? "it" : "them"}: ${purser`pay settle --batch ${batch}`}`;
}

export function abandoningText({ rest, stopped, ...record }: Abandoning, style: Parameters<typeof batchText>[1]): string {
	const head = stopped
		? `${stopped.why}${stopped.code === "DRY_RUN" ? ` (${restText(rest)})` : ""}`
		: style.good(`Cancelled: ${restText(rest)}`);
	return [head, batchText(record, style)].join("\n");
}
