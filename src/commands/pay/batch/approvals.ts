import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { defineCommand } from "../../../cli/command.js";
import { sourceOf, totalsText } from "../../../payments/batch/plan/totals.js";
import { teamApprovals } from "../../../payments/batch/send/named.js";
import { approvalNeeded } from "../../../payments/rules/approval-needed.js";
import { batchPlan } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch approvals",
	summary: "List the batches of a team that wait for an approval, newest first",
	details:
		"Each with what it moves, who planned it, until when it may be approved, and the logins that may do so. Needs a team's journal: without one a plan is approved by its file. Does not contact the service.",
	examples: { "pay batch approvals": "What waits, and for whom" },
	answer: () => z.array(z.strictObject({ batch: z.string(), planner: z.string(), approvers: z.array(z.string()), plan: batchPlan() })),
	async run(context) {
		const { profile } = await context.settings.read();
		const team = await teamApprovals(context, advice`Approve a plan by its file: ${purser`pay batch approve PLAN`}`);
		const now = context.clock.now().toISOString();
		const open = (await team.waiting()).filter(
			({ plan, needed, approvedBy, rejected }) =>
				(needed || approvalNeeded(plan, profile.settings)) && approvedBy.length === 0 && rejected === undefined && plan.expires > now,
		);
		const login = profile.team && decodeURIComponent(new URL(profile.team.url).username);
		const first = open.find(({ approvers }) => login !== undefined && approvers.includes(login));
		const data = open.map(({ batch, planner, approvers, plan }) => ({ batch, planner, approvers: [...approvers], plan }));
		return { data, next: first ? [purser`pay batch approve ${first.batch}`, purser`pay batch reject ${first.batch} --reason TEXT`] : [] };
	},
	text: (batches, style) =>
		style.list(batches, "No batch waits for an approval.", {
			batch: ({ batch }) => batch,
			file: ({ plan }) => sourceOf(plan),
			amount: ({ plan }) => totalsText(plan, style),
			"planned by": ({ plan: { operator = "" }, planner }) =>
				operator === "" || operator === planner ? planner : `${operator} (${planner})`,
			"valid until": ({ plan }) => style.moment(plan.expires),
			"may be approved by": ({ approvers }) => approvers.join(", ") || "nobody: the administrator of the database grants the role",
		}),
});
