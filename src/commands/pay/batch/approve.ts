import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { defineCommand } from "../../../cli/command.js";
import { noKey } from "../../../config/secrets/signing.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { approvedBytes, plannerName } from "../../../payments/batch/approval/approval.js";
import {
	checkExpected,
	checkMayApprove,
	checkPage,
	isApproved,
	isSamePlan,
	notComparedWarning,
	refuseIfRejected,
} from "../../../payments/batch/plan/check.js";
import { pageOfPlan, writePlan } from "../../../payments/batch/plan/file.js";
import { debitedOf, findingsOf } from "../../../payments/batch/plan/findings.js";
import { totalInRows } from "../../../payments/batch/plan/totals.js";
import { expectFields, planField, planNamed, teamApprovals, teamPlanOf } from "../../../payments/batch/send/named.js";
import { previewOfApproval } from "../../../payments/batch/send/preview.js";
import { checkRows } from "../../../payments/batch/send/run.js";
import { approversOf, nameOfKey } from "../../../payments/rules/approval-needed.js";
import { partyOperations } from "../../../payments/rules/intent-text.js";
import type { Approval, BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { Preview } from "../../../ports/changes.js";
import { approval, batchPlan } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch approve",
	summary: "Approve the plan of a batch that somebody else made",
	details:
		"Shows what the plan moves, asks, and adds your signature to the plan's file. A plan that was written with a page is compared with the page beside it, byte for byte. A signature covers every field of the plan and expires with it. The sender needs the signed file, and your public key in the profile's approvers (`purser pay batch key`). In a team's journal a batch is named by its number, and your signature is kept there, under your login. Nothing is sent to the service; names are asked of the service, for at most a few seconds, and shown as ids where it does not answer. On one machine this guards against mistakes, not against its administrator.",
	examples: {
		"pay batch approve payroll.csv.plan.json": "Shows it, asks, signs",
		"pay batch approve payroll.csv.plan.json --yes --expect-count 120 --expect-total EUR=18230.55":
			"In a script; on a live profile with --live too",
	},
	effect: "money",
	operations: partyOperations.map(({ id }) => id),
	input: z.strictObject({ plan: planField(), ...expectFields() }),
	answer: () =>
		z.strictObject({
			...{ file: z.optional(z.string()), added: z.boolean(), already: z.boolean(), plan: batchPlan(), approvals: z.array(approval()) },
		}),
	async run(context, { plan: named, expectCount, expectTotal }) {
		const found = await planNamed(context, named, "approve");
		const { plan, team } = found;
		const { profile } = await context.settings.read();
		const path = found.path ?? `${plan.source}.plan.json`;
		const isPage = await checkPage(context.files, plan, path);
		checkExpected(plan, { count: expectCount, totals: expectTotal });
		const { flags } = context.settings;
		const signing = await context.config.signing();
		// A team knows its approvers by their logins; where approvals go by file, somebody must have entered the key before.
		const own = team !== undefined && !flags.dryRun ? await signing.make() : await signing.own();
		if (own === undefined) throw noKey();
		const { key } = own;
		checkMayApprove(plan, { key, operator: await context.config.operator() }, profile, context.clock.now(), team !== undefined);
		refuseIfRejected(team, "nothing was signed");
		if (team) {
			const batches = await context.journal.batches(profile);
			await context.report.during("Checking every row against the plan", () => checkRows(batches, plan));
		}
		await context.ask.payment(() => previewOf(context, plan, path, isPage), { signsOnly: true });
		// Only the plan that was checked, and that is shown to a person, may be signed.
		const { plan: now, approvals: before } = await planNamed(context, named, "approve");
		if (!isSamePlan(now, found)) throw changedMeanwhileError(named);
		// Whoever was asked has read it in the preview.
		if (plan.sheet && !isPage && (flags.yes || flags.dryRun)) context.report.warn(notComparedWarning(path));
		const approver = nameOfKey(approversOf(profile.settings.approvers), key);
		const unknown = advice`this profile has no approvers; where the batch is sent, your key must be among them: ${purser`pay batch key`}`;
		if (approver === undefined && !team) context.report.warn(unknown);
		const answer = (added: boolean, already: boolean, approvals: readonly Approval[]) => ({
			data: { ...(team ? {} : { file: path }), added, already, plan, approvals: [...approvals] },
			next: [purser`pay batch send ${team ? plan.batch : { path }}`],
		});
		if (isApproved({ plan, approvals: before }, key)) return answer(false, true, before);
		if (flags.dryRun) {
			context.report.warn("Dry run: nothing was signed");
			return answer(false, false, before);
		}
		const at = context.clock.now().toISOString();
		const approval: Approval = { approver, key, at, signature: await signing.sign(approvedBytes(plan, at)) };
		const approvals = [...before.filter((one) => one.key !== key), approval];
		if (team) await (await teamApprovals(context, "")).approve(plan, approval);
		else await writePlan(context.files, path, { plan, approvals }, true);
		return answer(true, false, team ? ((await teamPlanOf(context, plan))?.approvals ?? approvals) : approvals);
	},
	text: ({ added, already, file = "the team's journal", plan, approvals }, style) => {
		const rows = {
			...{ Batch: plan.batch, Total: totalInRows(plan) },
			"Approved by": approvals.map(({ approver, key }) => approver ?? key).join(", "),
			"Valid until": style.time(plan.expires),
		};
		if (added) return style.done(`Approved: your signature is in ${file}`, rows);
		const why = already ? `You approved this plan before; ${file} stays as it is` : `Nothing was added to ${file}`;
		return `${why}\n${style.pairs(rows)}`;
	},
});

async function previewOf(context: Context, plan: BatchPlan, path: string, isPage: true | undefined): Promise<Preview> {
	const { profile } = await context.settings.read();
	const record = await recordedBatch(context, plan);
	const isHere = record?.state === "planned" && isSamePlan(plan, record);
	const findings = isHere
		? await findingsOf(context, await context.journal.batches(profile), plan.batch, { takes: ["planned"] })
		: undefined;
	const balances = await debitedOf(context, plan);
	const preview = previewOfApproval(plan, plannerName(plan, profile.settings), { findings, balances });
	const compared = isPage ? [["Page", `${pageOfPlan(path)} is the one that was written with this plan`] as const] : [];
	return {
		...preview,
		rows: [...preview.rows, ...compared, ["Fingerprint", plan.digest.sequence]],
		warnings: [...(plan.sheet && !isPage ? [notComparedWarning(path)] : []), ...preview.warnings],
	};
}

/** The batch in this machine's journal. An approver on another machine has none; a journal that cannot be read does not prevent an approval. */
async function recordedBatch(context: Context, { batch }: BatchPlan): Promise<BatchRecord | undefined> {
	const { profile } = await context.settings.read();
	try {
		return await (await context.journal.batches(profile)).show(batch);
	} catch (error) {
		if (error instanceof PurserError) return undefined;
		throw error;
	}
}

function changedMeanwhileError(path: string): PurserError {
	return new PurserError("guard", {
		code: "PLAN_CHANGED",
		message: `${path} was changed after it was shown; nothing was signed`,
		fix: advice`Check what it says now: ${purser`pay batch approve ${{ path }}`}`,
	});
}
