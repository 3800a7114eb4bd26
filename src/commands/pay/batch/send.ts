import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../../api/operations/transaction.js";
import { type Answer, defineCommand } from "../../../cli/command.js";
import type { Context } from "../../../context.js";
import { approvalsForJournal, checkApproval, withNames } from "../../../payments/batch/approval/approval.js";
import { checkExpected, checkPlan, isSamePlan, refuseIfRejected } from "../../../payments/batch/plan/check.js";
import { directoryReads } from "../../../payments/batch/plan/directory.js";
import { checkSource, type PlanFile } from "../../../payments/batch/plan/file.js";
import { notThisFields, recheckRows, requireConfirmedRows } from "../../../payments/batch/send/again.js";
import { overridesOf } from "../../../payments/batch/send/guards.js";
import { expectFields, limitFields, limitsOf, planField, planNamed } from "../../../payments/batch/send/named.js";
import { previewOfSending } from "../../../payments/batch/send/preview.js";
import { runBatch } from "../../../payments/batch/send/run.js";
import { type BatchRun, batchText, completed, outcomeOfRun } from "../../../payments/batch/send/text.js";
import { batchRun } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch send",
	summary: "Send a planned batch",
	details:
		"Checks plan, file, profile and limits, asks once with the totals, then sends. Each row is recorded before it is sent, and is sent once; after a crash, Ctrl-C or a stop continue with `pay batch resume`. A service that is busy (429, 503) is left alone for as long as it says, up to five minutes; what it refused for the moment is sent again at the end, where it is not listed. Exit 0 all accepted, 9 some refused or not sent, 7 any doubt, 8 the service asks to wait for longer or some wait for strong authentication, 10 nothing sent.",
	examples: {
		"pay batch send payroll.csv.plan.json": "Asks with the totals, then sends",
		"pay batch send payroll.csv.plan.json --yes --expect-count 120 --expect-total EUR=18230.55 --json":
			"In a script: nothing is sent if count or total differ",
		"pay batch send payroll.csv.plan.json --stop-after 1": "One row first, the rest with resume",
	},
	effect: "money",
	operations: [createInterLedger.id, createBeneficiaryTransaction.id, listTransactions.id, ...directoryReads],
	input: z.strictObject({ plan: planField(), ...expectFields(), ...limitFields(), ...notThisFields() }),
	answer: () => batchRun(),
	async run(context, { plan: named, notThis, ...input }): Promise<Answer<BatchRun>> {
		// Exactly this plan is shown and sent, even if the file changes meanwhile.
		const { plan, approvals, done } = await readCheckedPlan(context, named);
		if (done) return { data: done, exit: outcomeOfRun(done) };
		checkExpected(plan, { count: input.expectCount, totals: input.expectTotal });
		const shown = await context.ask.payment(() => previewOfSending(context, plan, ["planned"]), { newJournal: input.newJournal });
		const { profile } = await context.settings.read();
		await requireConfirmedRows(context, plan);
		const again = await recheckRows(context, plan, { takes: ["planned"], notThis });
		const given = approvalsForJournal(plan, approvals, profile.settings, context.clock.now());
		const allowed = { ...overridesOf(plan, true, shown), again, approvals: given };
		const ran = await runBatch(context, { plan, takes: ["planned"], allowed, limits: limitsOf(input), notThis });
		const next = ran.stopped?.code === "DRY_RUN" ? [purser`pay batch send ${named === plan.batch ? named : { path: named }}`] : [];
		return { data: withNames(ran, profile.settings), exit: outcomeOfRun(ran), next };
	},
	text: batchText,
});

/** Reads the plan and checks it against the journal, the profile and the file beside it; `done`: nothing of it is left to send. */
async function readCheckedPlan(context: Context, named: string): Promise<PlanFile & { done?: BatchRun }> {
	const { profile } = await context.settings.read();
	const { path, team, ...file } = await planNamed(context, named, "send");
	const record = await (await context.journal.batches(profile)).show(file.plan.batch);
	const done = record && isSamePlan(file.plan, record) ? completed(withNames(record, profile.settings)) : undefined;
	if (done) return { ...file, done };
	checkPlan(file.plan, record, profile);
	refuseIfRejected(team, "nothing was sent");
	checkApproval(file.plan, file.approvals, profile.settings, context.clock.now());
	if (path !== undefined) await checkSource(context.files, path, file.plan);
	return file;
}
