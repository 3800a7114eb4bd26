/**
 * The part of a sheet about payments that look the same as others. Pure.
 */

import { groupDigits } from "../../../api/amount.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, DuplicateRows } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Block, Section } from "../../../ports/page.js";
import { duplicateWarnings } from "../send/preview.js";
import { type RowWords, rowsTable } from "./rows-table.js";

/** Most rows of each list. */
export const mostDuplicates = 30;

const title = "Possible duplicates";

/** States in which an earlier payment blocks or repeats one, in words. */
const stateWords: Readonly<Partial<Record<IntentState, string>>> = {
	accepted: "accepted",
	waiting: "waiting for strong authentication",
	"in-doubt": "in doubt",
	// Its sender may be dead.
	sending: "being sent, or in doubt",
};

export function duplicatesSection(
	{ plan, alike, duplicates }: { plan: BatchPlan; alike: BatchDuplicates; duplicates: DuplicateRows },
	words: RowWords,
): Section {
	const { inside, earlier } = duplicates;
	const meaning = "Payments look the same when the debited ledger, the payee, the amount and the reference are the same.";
	if (inside.length + earlier.length === 0)
		return {
			title,
			blocks: [
				{
					kind: "notice",
					tone: "good",
					text: "No payment looks the same as another one of this file, or as a recent one of this journal.",
				},
				{ kind: "text", text: meaning, tone: "quiet" },
			],
		};
	const tables: Block[] = [
		rowsTable(inside, words, {
			caption: `Rows that repeat an earlier row of this file${firstOf(inside.length, alike.inside)}`,
			remarks: { name: "Same as", of: ({ same }) => `row ${same}` },
		}),
		rowsTable(earlier, words, {
			caption: `Rows that look like an earlier payment${earlier.length < mostDuplicates ? "" : `: the first ${mostDuplicates}`}`,
			remarks: {
				name: "Same as",
				of: ({ rows, intent, batch, batchRow, state, at }) =>
					`${batch === undefined ? `payment ${intent}` : `row ${batchRow} of batch ${batch}`}, ${stateWords[state] ?? "still to be sent"} ${at.slice(0, 10)}${rows > 1 ? ` (${groupDigits(rows)} rows of this file)` : ""}`,
			},
		}),
	];
	return {
		title,
		blocks: [
			...duplicateWarnings(plan, alike).map((text): Block => ({ kind: "notice", tone: "warn", text })),
			{ kind: "text", text: meaning },
			...[inside.length > 0 ? tables[0] : undefined, earlier.length > 0 ? tables[1] : undefined].filter((one) => one !== undefined),
		],
	};
}

const firstOf = (listed: number, all: number): string =>
	listed < all ? `: the first ${groupDigits(listed)} of ${groupDigits(all)}` : `: ${groupDigits(all)}`;
