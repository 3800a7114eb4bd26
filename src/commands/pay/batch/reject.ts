import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { reasonField } from "../../../api/fields.js";
import { defineCommand } from "../../../cli/command.js";
import { unlessDryRun } from "../../../config/named.js";
import { guard } from "../../../errors.js";
import { refuseIfRejected } from "../../../payments/batch/plan/check.js";
import { sourceOf, totalInRows } from "../../../payments/batch/plan/totals.js";
import { batchField, batchNamed, teamApprovals } from "../../../payments/batch/send/named.js";
import { batchPlan } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch reject",
	summary: "Say no to the plan of a batch that somebody else made",
	details:
		"In a team's journal: your no and its reason are on record under your login, and the batch can never be sent; its file is corrected and planned again. Refused where you planned it yourself (`pay batch abandon` cancels it) and once it was started. Does not contact the service.",
	examples: { 'pay batch reject 7 --reason "Row 3 was paid in May"': "Asks, then records it" },
	input: z.strictObject({ batch: batchField(), reason: reasonField() }),
	answer: () => z.strictObject({ rejected: z.boolean(), reason: z.string(), plan: batchPlan() }),
	async run(context, { batch, reason }) {
		const { plan, state } = await batchNamed(context, batch);
		const fix = advice`Cancel it for everybody: ${purser`pay batch abandon ${plan.batch} --reason TEXT`}`;
		const team = await teamApprovals(context, fix);
		refuseIfRejected(await team.of(plan.batch), "nothing was changed");
		if (state !== "planned")
			throw guard({
				code: "BATCH_BEGUN",
				message: `Batch ${plan.batch} is not waiting for an approval any more, so it cannot be rejected; nothing was changed`,
				fix: advice`Look at it: ${purser`pay batch status ${plan.batch}`}`,
			});
		await context.ask.confirm(`Reject batch ${plan.batch} (${sourceOf(plan)}, ${totalInRows(plan)})? It can never be sent then.`);
		await unlessDryRun(context, () => team.reject(plan, reason), "recorded");
		return { data: { rejected: !context.settings.flags.dryRun, reason, plan }, next: [purser`pay batch approvals`] };
	},
	text: ({ rejected, reason, plan }, style) =>
		[
			rejected ? style.good(`Batch ${plan.batch} is rejected; it will not be sent`) : `Batch ${plan.batch} would be rejected`,
			style.pairs({ Total: totalInRows(plan), Reason: reason }),
		].join("\n"),
});
