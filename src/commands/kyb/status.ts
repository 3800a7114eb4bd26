import * as z from "zod/mini";
import { purser, shownIn } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { waitFor } from "../../http/wait/wait.js";
import { openPreconditions } from "../../onboarding/kyb/check.js";
import { uboThreshold } from "../../onboarding/records/read-ownership.js";
import { ifOffered, listRelatedOf, readCorporate, warnIfPartial } from "../../onboarding/records/reading.js";
import { yesNo } from "../../onboarding/records/record.js";
import { kybSettled, requireStatus, timeoutOf, waitFields } from "../../onboarding/records/waiting.js";

export default defineCommand({
	path: "kyb status",
	summary: "Show the KYB of a company and what is missing",
	examples: [
		{ run: "kyb status crm-5002", note: "Check once" },
		{
			run: "kyb status crm-5002 --wait --wait-timeout 900",
			note: "Wait for the decision: exit 0 validated, 5 declined, 8 not yet",
		},
	],
	effect: "read",
	operations: [getCorporate.id, listRelated.id],
	input: z.strictObject({ ...getCorporate.params.shape, ...waitFields() }),
	async run(context, { corporateId, wait, waitTimeout }) {
		const { profile } = await context.settings.read();
		const look = async () => {
			const data = await readCorporate(context.service, corporateId);
			return { done: kybSettled.includes(viewCorporate(data).kybStatus), data };
		};
		const { data } = wait
			? await waitFor(
					context,
					{ timeout: timeoutOf(waitTimeout), label: "Waiting for the KYB to be decided", awaited: [corporateId] },
					look,
				)
			: await look();
		requireStatus("the KYB", viewCorporate(data).kybStatus, data);
		const related = await ifOffered(context, "the KYCs are not shown", () => listRelatedOf(context.service, corporateId));
		warnIfPartial(context, related);
		const { kybStatus } = viewCorporate(data);
		const answer = {
			...data,
			missing: openPreconditions(corporateId, data, related?.records, uboThreshold(profile)).map((one) =>
				shownIn(one, ["command"], context.report.shown),
			),
		};
		const undecided = wait && kybStatus !== "VALIDATED" ? "pending" : undefined;
		return {
			data: answer,
			exit: kybStatus === "DECLINED" ? "rejected" : undecided,
			next: nextAfter(kybStatus, answer.missing, corporateId),
		};
	},
	text: ({ missing, ...record }, style) => {
		const view = viewCorporate(record);
		const rows = style.pairs([
			["Company", view.name],
			["Id", view.id],
			["KYB", style.status(view.kybStatus)],
			["Reason", view.kybReason],
			["Terms accepted", style.status(yesNo(view.termsAccepted))],
			["Updated", style.time(view.updatedAt)],
		]);
		if (view.kybStatus === "DECLINED")
			return `${rows}\n\nThe verification was declined. The service's customer care decides whether it can be opened again.`;
		if (missing.length === 0) return rows;
		return [rows, "", style.bold("Missing"), ...missing.map(({ message }) => `  - ${message}`)].join("\n");
	},
	outcomes: ["pending"],
});

function nextAfter(status: string | undefined, missing: readonly { command: Advice }[], corporateId: string): Advice[] {
	const id = typed(corporateId, "CORPORATE");
	if (missing.length > 0) return [...new Set(missing.map(({ command }) => command))].slice(0, 5);
	return status === "VALIDATED" ? [purser`ledger list --end-user-id ${id}`] : [purser`kyb status ${id} --wait`];
}
