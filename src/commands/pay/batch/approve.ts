import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { canonicalJson } from "../../../api/json.js";
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
	refuseIfCancelled,
} from "../../../payments/batch/plan/check.js";
import { type PlanFile, pageOfPlan, readPlan, writePlan } from "../../../payments/batch/plan/file.js";
import { findingsHere } from "../../../payments/batch/plan/findings.js";
import { totalInRows } from "../../../payments/batch/plan/totals.js";
import { expectFields } from "../../../payments/batch/send/named.js";
import { previewOfApproval } from "../../../payments/batch/send/preview.js";
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
		"Shows what the plan moves, asks, and adds your signature to the plan's file. A plan that was written with a page is compared with the page beside it, byte for byte. A signature covers every field of the plan and expires with it. The sender needs the signed file, and your public key in the profile's approvers (`purser pay batch key`). Nothing is sent to the service; names are asked of the service, for at most a few seconds, and shown as ids where it does not answer. On one machine this guards against mistakes, not against its administrator.",
	examples: [
		{ run: "pay batch approve payroll.csv.plan.json", note: "Shows it, asks, signs" },
		{
			run: "pay batch approve payroll.csv.plan.json --yes --expect-count 120 --expect-total EUR=18230.55",
			note: "In a script; on a live profile with --live too",
		},
	],
	effect: "money",
	operations: partyOperations.map(({ id }) => id),
	input: z.strictObject({
		plan: plain("The plan that `pay batch plan` wrote", { positional: true, placeholder: "plan" }),
		...expectFields(),
	}),
	answer: () =>
		z.strictObject({
			...{ file: z.string(), added: z.boolean(), already: z.boolean(), plan: batchPlan(), approvals: z.array(approval()) },
		}),
	async run(context, input) {
		const { plan: path, expectCount, expectTotal } = input;
		const { plan } = await readPlan(context.files, path);
		const isPage = await checkPage(context.files, plan, path);
		checkExpected(plan, { count: expectCount, totals: expectTotal });
		// Only the plan that was checked, and that is shown to a person, may be signed.
		const shownPlan = canonicalJson(plan);
		const readAsShown = async () => {
			const found = await readForApproval(context, path);
			if (shownPlan !== canonicalJson(found.file.plan)) throw changedMeanwhileError(path);
			return found;
		};
		await context.ask.payment(async () => previewOf(context, (await readAsShown()).file.plan, path, isPage), { signsOnly: true });
		const { file: found, key, approver } = await readAsShown();
		// Whoever was asked has read it in the preview.
		if (plan.sheet && !isPage && !isAsked(context)) context.report.warn(notComparedWarning(path));
		if (approver === undefined)
			context.report.warn(
				advice`this profile has no approvers; where the batch is sent, your key must be among them: ${purser`pay batch key`}`,
			);
		const next = [purser`pay batch send ${{ path }}`];
		if (isApproved(found, key)) return { data: { file: path, added: false, already: true, ...found }, next };
		const at = context.clock.now().toISOString();
		const approval: Approval = { approver, key, at, signature: await sign(context, found, at) };
		const approvals = [...found.approvals.filter((one) => one.key !== key), approval];
		if (context.settings.flags.dryRun) context.report.warn("Dry run: nothing was signed");
		else await writePlan(context.files, path, { plan: found.plan, approvals });
		return { data: { file: path, added: !context.settings.flags.dryRun, already: false, plan: found.plan, approvals }, next };
	},
	text: ({ added, already, file, plan, approvals }, style) =>
		[
			added
				? style.good(`Approved: your signature is in ${file}`)
				: already
					? `You approved this plan before; ${file} stays as it is`
					: `Nothing was added to ${file}`,
			style.pairs([
				["Batch", plan.batch],
				["Total", totalInRows(plan)],
				["Approved by", approvals.map(({ approver, key }) => approver ?? key).join(", ")],
				["Valid until", style.time(plan.expires)],
			]),
		].join("\n"),
});

async function previewOf(context: Context, plan: BatchPlan, path: string, isPage: true | undefined): Promise<Preview> {
	const { profile } = await context.settings.read();
	const record = await recordedBatch(context, plan);
	const isHere = record?.state === "planned" && isSamePlan(plan, record);
	const findings = isHere ? await findingsHere(context, await context.journal.batches(profile), plan.batch) : undefined;
	const nameOf = await context.names.of(plan.totals.map(({ ledgerFromId }) => ["ledger", ledgerFromId]));

	const missing = plan.sheet && !isPage ? [notComparedWarning(path)] : [];
	return previewOfApproval(plan, { path: pageOfPlan(path), isPage, missing }, (id) => nameOf("ledger", id), {
		findings,
		planner: plannerName(plan, profile.settings),
	});
}

const isAsked = ({ settings }: Pick<Context, "settings">): boolean => !settings.flags.yes && !settings.flags.dryRun;

async function readForApproval(context: Context, path: string): Promise<{ file: PlanFile; key: string; approver?: string }> {
	const { profile } = await context.settings.read();
	const file = await readPlan(context.files, path);
	const own = await (await context.config.signing()).own();
	if (own === undefined) throw noKey();
	const operator = await context.config.operator();
	checkMayApprove(file, { key: own.key, operator }, profile, context.clock.now());
	refuseIfCancelled(file.plan, await recordedBatch(context, file.plan));
	return { file, key: own.key, approver: nameOfKey(approversOf(profile.settings.approvers), own.key) };
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

async function sign(context: Context, { plan }: PlanFile, at: string): Promise<string> {
	if (context.settings.flags.dryRun) return "";
	return (await context.config.signing()).sign(approvedBytes(plan, at));
}

function changedMeanwhileError(path: string): PurserError {
	return new PurserError("guard", {
		code: "PLAN_CHANGED",
		message: `${path} was changed after it was shown; nothing was signed`,
		fix: advice`Check what it says now: ${purser`pay batch approve ${{ path }}`}`,
	});
}
