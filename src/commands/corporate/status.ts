import * as z from "zod/mini";
import { adviceText, purser, shownIn } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { field } from "../../api/schema.js";
import { kybStatuses } from "../../api/values.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { waitFor } from "../../http/wait/wait.js";
import { blockers, type Checklist, checklistOf } from "../../onboarding/checklist/checklist.js";
import { readSince } from "../../onboarding/checklist/journal.js";
import { checklistText, explained } from "../../onboarding/checklist/text.js";
import { uboThreshold } from "../../onboarding/records/read-ownership.js";
import { ifOffered, listRelatedOf, readCorporate, warnIfPartial } from "../../onboarding/records/reading.js";
import { kybSettled, requireStatus, timeoutOf, waitFields, warnWithoutStatus } from "../../onboarding/records/waiting.js";

/**
 * Statuses that every validated KYB has passed: waiting for one of them succeeds once the KYB is validated. A KYB may be validated without
 * ever having needed more information.
 */
const passedStatuses: readonly string[] = ["NOT_STARTED", "COMPLETING", "PENDING_VERIFICATION"];

export default defineCommand({
	path: "corporate status",
	summary: "Show what is done, who we are waiting for, what is blocked, and the next command",
	details:
		"One checklist of the company, its related entities, terms, email, phone, KYC and KYB. Waiting times come from the local journal or from the company's last update.",
	examples: [
		{ run: "corporate status crm-5002 --explain", note: "With the reason of each step" },
		{
			run: "corporate status crm-5002 --wait-for VALIDATED --wait-timeout 900",
			note: "Wait for the KYB: exit 0 reached, 5 declined, 8 not reached",
		},
	],
	effect: "read",
	operations: [getCorporate.id, listRelated.id],
	input: z.strictObject({
		...getCorporate.params.shape,
		explain: flag("Say why each step is there"),
		wait: flag("Wait until the KYB is decided or needs somebody"),
		waitFor: z.optional(field(z.enum(kybStatuses), { description: "Wait until the KYB has this status" })),
		waitTimeout: waitFields().waitTimeout,
	}),
	async run(context, { corporateId, explain, wait, waitFor: wanted, waitTimeout }) {
		const { profile } = await context.settings.read();
		const look = async () => {
			const data = await readCorporate(context.service, corporateId);
			const { kybStatus } = viewCorporate(data);
			return { done: kybStatus === wanted || kybSettled.includes(kybStatus), data };
		};
		const { data: corporate } =
			wait || wanted
				? await waitFor(
						context,
						{ timeout: timeoutOf(waitTimeout), label: `Waiting for the KYB to be ${wanted ?? "decided"}`, awaited: [corporateId] },
						look,
					)
				: await look();
		const { kybStatus } = viewCorporate(corporate);
		if (wait || wanted) requireStatus("the KYB", kybStatus, corporate);
		else warnWithoutStatus(context, "the KYB", kybStatus);
		const related = await ifOffered(context, "persons and shares are not shown", () => listRelatedOf(context.service, corporateId));
		warnIfPartial(context, related);
		const recorded = await readSince(context, context.service);
		const checklist = checklistOf({
			corporateId,
			corporate,
			related: related?.records,
			partial: related?.complete === false,
			threshold: uboThreshold(profile),
			...recorded,
			now: context.clock.now(),
		});
		const data = explain ? explained(checklist) : checklist;
		const items = data.items.map((item) => shownIn(item, ["command", "afterwards"], context.report.shown));
		return { data, written: { ...data, items }, exit: exitOf(data.kybStatus, wait, wanted), next: nextAfter(data, corporateId) };
	},
	text: (checklist, style) => checklistText(checklist, style),
});

function nextAfter(checklist: Checklist, corporateId: string): Advice[] {
	const suggested = blockers(checklist).flatMap(({ command, afterwards }) => [command, afterwards]);
	// Two steps may need the same command.
	const commands = new Map(suggested.flatMap((command) => (command === undefined ? [] : [[adviceText(command), command]])));
	if (commands.size > 0) return [...commands.values()].slice(0, 4);
	return checklist.kybStatus === "VALIDATED" ? [purser`ledger list --end-user-id ${typed(corporateId, "CORPORATE")}`] : [];
}

/** @param wanted the status that was waited for, if one was named */
function exitOf(status: string | undefined, wait: boolean, wanted: string | undefined): "rejected" | "pending" | undefined {
	if (wanted !== undefined && (status === wanted || (status === "VALIDATED" && passedStatuses.includes(wanted)))) return undefined;
	if (status === "DECLINED") return "rejected";
	return wanted !== undefined || (wait && status !== "VALIDATED") ? "pending" : undefined;
}
