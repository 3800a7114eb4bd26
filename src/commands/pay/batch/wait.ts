import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { typed } from "../../../api/answer.js";
import { getTransaction, listTransactions } from "../../../api/operations/transaction.js";
import { paidStates } from "../../../api/operations/transfer.js";
import { defineCommand } from "../../../cli/command.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { pausesFor } from "../../../http/wait/pauses.js";
import { timeoutOf, waitFields } from "../../../onboarding/records/waiting.js";
import { type FollowTools, followRows } from "../../../payments/batch/report/finals.js";
import { finalsOutcome, finalsText } from "../../../payments/batch/report/finals-text.js";
import { batchField, batchNamed } from "../../../payments/batch/send/named.js";
import { rowsIn } from "../../../payments/batch/send/outcome.js";
import { warnOfDifference } from "../../../payments/matching/difference.js";
import { namesSeen } from "../../../payments/rules/parties.js";

export default defineCommand({
	path: "pay batch wait",
	summary: "Follow the accepted rows of a batch to their final status",
	details:
		"Checks slowly, with the ledgers' lists where that takes fewer requests, until every accepted row is final or the time is up. Exit 5 where any ended in another way than APPROVED (declined, aborted, released, reversed), 8 where some are not final yet. A check changes nothing and can be repeated.",
	examples: [
		{ run: "pay batch wait 7", note: "Five minutes at most" },
		{ run: "pay batch wait 7 --wait-timeout 3600 --json", note: "An hour at most, for a script" },
	],
	effect: "read",
	operations: [listTransactions.id, getTransaction.id],
	input: z.strictObject({ batch: batchField(), waitTimeout: waitFields().waitTimeout }),
	async run(context, { batch: named, waitTimeout }) {
		const { profile } = await context.settings.read();
		const { batch, counts } = await batchNamed(context, named);
		const accepted = rowsIn(counts, "accepted", "waiting");
		const batches = await context.journal.batches(profile);
		const pauses = await pausesFor(context, "any");
		let shown: string | undefined;
		const finals = await context.report.during(`Following ${groupDigits(accepted)} payments`, (update) =>
			followRows(
				{
					rows: batches.rows(batch, paidStates),
					reading: context.service,
					clock: context.clock,
					rest: pauses.rest,
					signal: context.signal,
					fraction: () => context.random.fraction(),
					failed: (row) => void context.report.record(() => row),
					another: anotherIn(context),
					progress: (final, trouble) => {
						update(
							`Following ${groupDigits(accepted)} payments: ${groupDigits(final)} are final${trouble === undefined ? "" : `; ${trouble}`}`,
						);
						if (trouble !== undefined && trouble !== shown) context.report.step(`${trouble}; asking again until the time is up`);
						shown = trouble;
					},
				},
				timeoutOf(waitTimeout),
			).catch((error: unknown) => {
				throw withReassurance(error, batch);
			}),
		);
		const nameOf = await namesSeen(context, profile);
		const failed = finals.failed.map((row) => ({ ...row, payeeName: nameOf(row.counterpartyId) }));
		const now = await batchNamed(context, batch);
		const unsent = rowsIn(now.counts, "planned", "not-sent", "not-created", "sending");
		const data = { batch, accepted, ...finals, failed, unsent: now.state === "begun" ? unsent : 0, paused: now.paused };
		const exit = finalsOutcome(data);
		const again = data.unnamed === accepted ? purser`pay list` : purser`pay batch wait ${batch}`;
		const first = failed[0] && purser`pay show ${typed(failed[0].id, "TRANSACTION")}`;
		const next = exit === "pending" ? [again] : first === undefined ? [] : [first];
		return { data, exit, next, lines: [{ ...data, failed: failed.length }] };
	},
	text: finalsText,
	outcomes: ["pending"],
});

/** Maximum number of warnings about records that differ from their rows: a service may write every record in another way. */
const maxWarnings = 20;

/** Checks whether a record belongs to another payment. */
function anotherIn(context: Context): FollowTools["another"] {
	let warned = 0;
	return async ({ id }, record) => {
		if (warned === maxWarnings) return false;
		const isAnother = await warnOfDifference(context, id, record);
		if (isAnother) warned += 1;
		return isAnother;
	};
}

/** An interruption that says that nothing is lost. */
function withReassurance(error: unknown, batch: string): unknown {
	if (!(error instanceof PurserError) || error.kind !== "interrupted") return error;
	return new PurserError("interrupted", {
		code: "WAIT_INTERRUPTED",
		message: `Stopped following batch ${batch}; its payments go on at the service`,
		fix: advice`Follow them again: ${purser`pay batch wait ${batch}`}. Do not send anything again.`,
		cause: error,
	});
}
