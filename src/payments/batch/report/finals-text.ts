/** Describes the result of following a batch's rows, and its outcome. Pure. */

import { groupDigits } from "../../../api/amount.js";
import type { BatchPause } from "../../../ports/batches.js";
import type { Style } from "../../../ports/style.js";

import type { Parties } from "../../rules/parties.js";
import type { Finals, Followed } from "./finals.js";

type Words = Pick<Style, "dim" | "good" | "bad" | "warn" | "status" | "money" | "table" | "time">;

type FollowedBatch = Omit<Finals, "failed"> & {
	batch: string;
	accepted: number;
	failed: readonly (Followed & Pick<Parties, "payeeName">)[];
	/** Rows of the batch that are still to be sent, which are not followed. */
	unsent: number;
	paused?: BatchPause;
};

/** Most failed rows that are listed; JSON has more. */
const mostListed = 20;

const sumOf = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

/** Number of rows with an unsuccessful final status. */
const failedOf = ({ final }: Pick<Finals, "final">): number => sumOf(final) - (final.APPROVED ?? 0);

/** Number of rows whose final status is not known. */
const openOf = ({ moving, unnamed, unseen }: Pick<Finals, "moving" | "unnamed" | "unseen">): number => sumOf(moving) + unnamed + unseen;

/**
 * `rejected` (5) if any row ended otherwise than APPROVED; `bug` (1) if some answers had no status; `pending` (8) if some rows are not
 * final.
 */
export function finalsOutcome(finals: Omit<Finals, "failed">): "rejected" | "pending" | "bug" | undefined {
	if (failedOf(finals) > 0) return "rejected";
	if (finals.untold > 0) return "bug";
	return openOf(finals) > 0 ? "pending" : undefined;
}

/** Rows by status, and the failed ones. */
export function finalsText(finals: FollowedBatch, style: Words): string {
	const { batch, accepted, final, moving, unnamed, unseen, failed } = finals;
	if (accepted === 0) return [`Batch ${batch}: no row was accepted, so there is nothing to follow.`, ...reasons(finals, style)].join("\n");
	const counts = [
		...Object.entries(final).map(([status, rows]) => [style.status(status), groupDigits(rows)]),
		...Object.entries(moving).map(([status, rows]) => [`${style.status(status)}, not final`, groupDigits(rows)]),
		...(unnamed > 0 ? [["accepted without an id, cannot be followed", groupDigits(unnamed)]] : []),
		...(unseen > 0 ? [["not checked before the time was up", groupDigits(unseen)]] : []),
	];
	const lines = [headline(finals, style), ...reasons(finals, style), "", style.table(["status", "rows"], counts)];
	if (failed.length > 0) lines.push("", failedTable(finals, style));
	return lines.join("\n");
}

/** Why nothing more is known. */
function reasons({ accepted, unnamed, trouble, unsent, paused }: FollowedBatch, style: Words): string[] {
	return [
		...(unnamed > 0
			? [
					`${unnamed === accepted ? "None of them has" : `${groupDigits(unnamed)} of them have`} an id, so the service cannot be asked about them`,
				]
			: []),
		...(trouble === undefined ? [] : [`When they were last asked for: ${trouble}`]),
		...(unsent > 0 ? [`${groupDigits(unsent)} ${unsent === 1 ? "row is" : "rows are"} still to be sent and not followed`] : []),
		...(paused ? [`Its sending is paused until ${style.time(paused.until)}: ${paused.why}`] : []),
	];
}

function headline(finals: FollowedBatch, style: Words): string {
	const [failed, open] = [failedOf(finals), openOf(finals)];
	const all = groupDigits(finals.accepted);
	if (failed > 0) return style.bad(`Batch ${finals.batch}: ${groupDigits(failed)} of ${all} accepted payments did not end as APPROVED`);
	if (open > 0) return style.warn(`Batch ${finals.batch}: ${groupDigits(open)} of ${all} accepted payments are not final yet`);
	return style.good(`Batch ${finals.batch}: all ${all} accepted payments are approved`);
}

function failedTable({ failed, final }: FollowedBatch, style: Words): string {
	const rows = failed
		.slice(0, mostListed)
		.map(({ row, id, amount, currency, counterpartyId, payeeName, reference, status, declineReason = "" }) => [
			String(row),
			style.status(status),
			style.money(amount, currency) ?? amount,
			// Beside the transaction a terminal has no room for another whole id.
			payeeName ?? `${counterpartyId.slice(0, 8)}…`,
			reference ?? "",
			declineReason,
			id,
		]);
	const all = sumOf(final) - (final.APPROVED ?? 0);
	const more = all > rows.length ? [style.dim(`and ${groupDigits(all - rows.length)} more; --json lists up to 1 000`)] : [];
	return [style.table(["row", "status", "amount", "to", "reference", "because", "transaction"], rows), ...more].join("\n");
}
