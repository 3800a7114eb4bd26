import * as z from "zod/mini";
import { purser, shownIn } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { corporateRecord, getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { readOrWait, requireStatus, waitFields } from "../../http/wait.js";
import { type Item, missingForKyb } from "../../onboarding/checklist/checklist.js";
import { readChecklist } from "../../onboarding/checklist/journal.js";
import { itemsLines } from "../../onboarding/checklist/text.js";
import { readCorporate } from "../../onboarding/records/reading.js";
import { yesNo } from "../../onboarding/records/record.js";
import { item } from "../families/answers.js";

/** Statuses that end waiting: two are final, one needs somebody to act. */
const settled: readonly (string | undefined)[] = ["VALIDATED", "DECLINED", "NEED_ADDITIONAL_INFORMATION"];

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
	answer: () => z.extend(corporateRecord(), { missing: z.array(item()) }),
	async run(context, input) {
		const { corporateId, wait } = input;
		const { data } = await readOrWait(
			context,
			input,
			"Waiting for the KYB to be decided",
			() => readCorporate(context.service, corporateId),
			(record) => settled.includes(viewCorporate(record).kybStatus),
		);
		requireStatus("the KYB", viewCorporate(data).kybStatus, data);
		const { kybStatus } = viewCorporate(data);
		const missing = missingForKyb(await readChecklist(context, corporateId, data, "the KYCs are not shown"));
		const answer = { ...data, missing: missing.map((item) => shownIn(item, ["command", "afterwards"], context.report.shown)) };
		const undecided = wait && kybStatus !== "VALIDATED" ? "pending" : undefined;
		return {
			data: answer,
			exit: kybStatus === "DECLINED" ? "rejected" : undecided,
			next: nextAfter(kybStatus, missing, corporateId),
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
		return [rows, "", style.bold("Missing"), ...itemsLines(missing, style)].join("\n");
	},
});

function nextAfter(status: string | undefined, missing: readonly Item[], corporateId: string): Advice[] {
	const id = typed(corporateId, "CORPORATE");
	const commands = missing.flatMap(({ command, afterwards }) => [command, afterwards]).filter((one) => one !== undefined);
	if (commands.length > 0) return [...new Set(commands)].slice(0, 5);
	return status === "VALIDATED" ? [purser`ledger list --end-user-id ${id}`] : [purser`kyb status ${id} --wait`];
}
