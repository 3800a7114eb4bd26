import * as z from "zod/mini";
import { groupDigits } from "../../../api/amount.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../../api/operations/transaction.js";
import { type Answer, defineCommand } from "../../../cli/command.js";
import { PurserError } from "../../../errors.js";
import { withNames } from "../../../payments/batch/approval/approval.js";
import { checkResumable } from "../../../payments/batch/plan/check.js";
import { directoryReads } from "../../../payments/batch/plan/directory.js";
import { notThisFields, recheckRows, requireConfirmedRows } from "../../../payments/batch/send/again.js";
import { overridesOf } from "../../../payments/batch/send/guards.js";
import { batchField, batchNamed, limitFields, limitsOf } from "../../../payments/batch/send/named.js";
import { withoutNothingSent } from "../../../payments/batch/send/pace.js";
import { previewOfSending } from "../../../payments/batch/send/preview.js";
import { resumableStates, runBatch } from "../../../payments/batch/send/run.js";
import { type BatchRun, batchText, completed, countRows, outcomeOfRun, rowsIn } from "../../../payments/batch/send/text.js";
import type { BatchRecord } from "../../../ports/batches.js";
import { batchRun } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch resume",
	summary: "Resume a batch after a stop, a crash or a kill",
	details:
		"Sends the rows that provably had no effect at the service: those not started, those that could not be sent, and those proven not created. A row that is accepted, refused or in doubt is never sent again. What a killed purser left on its way is in doubt and is listed.",
	examples: {
		"pay batch resume 7": "Asks with what is left, then sends it",
		"pay batch resume payroll.csv.plan.json --yes --json": "In a script, by its plan",
	},
	effect: "money",
	operations: [createInterLedger.id, createBeneficiaryTransaction.id, listTransactions.id, ...directoryReads],
	input: z.strictObject({ batch: batchField(), ...limitFields(), ...notThisFields() }),
	answer: () => batchRun(),
	async run(context, { batch: named, notThis, newJournal, ...given }): Promise<Answer<BatchRun>> {
		const { profile } = await context.settings.read();
		const found = await batchNamed(context, named);
		const { batch } = found;
		const done = completed(withNames(found, profile.settings));
		if (done) return { data: done, exit: outcomeOfRun(done) };
		const changed = await tellingDone(found, async () => checkResumable(found, profile));
		const settings = `these settings changed: ${changed.join(", ")}; the rest is sent with the current ones`;
		if (changed.length > 0) context.report.warn(`since batch ${batch} was planned, ${settings}`);
		const preview = async () => {
			const record = await batchNamed(context, batch);
			const sending = await tellingDone(record, () => previewOfSending(context, record.plan, resumableStates, record));
			return { ...sending, before: doneOf(record) };
		};
		const shown = await context.ask.payment(preview, { newJournal });
		// It is read again: time has passed since the question.
		const record = await batchNamed(context, batch);
		const data = await tellingDone(record, async () => {
			await requireConfirmedRows(context, record.plan);
			const again = await recheckRows(context, record, { takes: resumableStates, notThis });
			const allowed = { ...overridesOf(record.plan, false, shown), again };
			return runBatch(context, { plan: record.plan, takes: resumableStates, allowed, limits: limitsOf(given), notThis });
		});
		return { data, exit: outcomeOfRun(data) };
	},
	text: batchText,
});

/** What was done of a batch before and what is left, in words; undefined where nothing of it was sent yet. */
function doneOf({ counts }: Pick<BatchRecord, "counts">): { done: readonly string[]; notDone: readonly string[] } | undefined {
	const { accepted, waiting, refused } = counts;
	const rows = (count: string): string => `${count} ${count === "1" ? "row" : "rows"}`;
	const begun = countRows({ counts: { accepted, waiting, refused, "in-doubt": counts["in-doubt"] } });
	if (begun.length === 0) return undefined;
	const done = begun.map(([word, count]) => `${rows(count)} ${word.toLowerCase()}`);
	return { done, notDone: [rows(groupDigits(rowsIn(counts, ...resumableStates)))] };
}

/** Does the work; an error of it before anything was sent says what was done of the batch before, and what was not. */
async function tellingDone<T>(record: BatchRecord, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const done = doneOf(record);
		if (!(error instanceof PurserError) || error.kind === "unknown" || error.failure.code === "BATCH_AWAY" || done === undefined)
			throw error;
		const message = `${withoutNothingSent(error.message)}. Done: ${done.done.join(", ") || "nothing"}. Not done: ${done.notDone.join(", ")}`;
		throw new PurserError(error.kind, { ...error.failure, ...done, message, cause: error });
	}
}
