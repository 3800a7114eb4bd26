import * as z from "zod/mini";
import { adviceText, purser, shownIn } from "../../api/advice.js";
import { optionals, typed } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { warnWithoutStatus } from "../../http/wait.js";
import { blockers, type Checklist } from "../../onboarding/checklist/checklist.js";
import { readChecklist } from "../../onboarding/checklist/journal.js";
import { checklistText, explained } from "../../onboarding/checklist/text.js";
import { readCorporate } from "../../onboarding/records/reading.js";
import { item } from "../families/answers.js";

export default defineCommand({
	path: "corporate status",
	summary: "Show what is done, who we are waiting for, what is blocked, and the next command",
	details:
		"One checklist of the company, its related entities, terms, email, phone, KYC and KYB. Waiting times come from the local journal or from the company's last update. `purser kyb status CORPORATE --wait` waits for the decision.",
	examples: {
		"corporate status crm-5002": "Exit 5 where the KYB was declined",
		"corporate status crm-5002 --explain": "With the reason of each step",
	},
	operations: [getCorporate.id, listRelated.id],
	input: z.strictObject({ ...getCorporate.params.shape, explain: flag("Say why each step is there") }),
	answer: () =>
		z.strictObject({
			corporateId: z.string(),
			...optionals(["name", "kybStatus"]),
			paymentsStoppedBy: z.array(z.string()),
			complete: z.boolean(),
			items: z.array(item()),
		}),
	async run(context, { corporateId, explain }) {
		const corporate = await readCorporate(context.service, corporateId);
		warnWithoutStatus(context, "the KYB", viewCorporate(corporate).kybStatus);
		const checklist = await readChecklist(context, corporateId, corporate, "persons and shares are not shown");
		const data = explain ? explained(checklist) : checklist;
		const items = data.items.map((item) => shownIn(item, ["command"], context.report.shown));
		const exit = data.kybStatus === "DECLINED" ? "rejected" : undefined;
		return { data, written: { ...data, items }, exit, next: nextAfter(data, corporateId) };
	},
	text: checklistText,
});

function nextAfter(checklist: Checklist, corporateId: string): Advice[] {
	const suggested = blockers(checklist).map(({ command }) => command);
	// Two steps may need the same command.
	const commands = new Map(suggested.flatMap((command) => (command === undefined ? [] : [[adviceText(command), command]])));
	if (commands.size > 0) return [...commands.values()].slice(0, 4);
	return checklist.kybStatus === "VALIDATED" ? [purser`ledger list --end-user-id ${typed(corporateId, "CORPORATE")}`] : [];
}
