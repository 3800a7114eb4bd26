import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { getRelated, relatedRecord, viewRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { readOrWait, requireStatus, waitFields, warnWithoutStatus } from "../../http/wait.js";
import { knownOf, whoseText } from "../../onboarding/records/about.js";
import { readRelated } from "../../onboarding/records/reading.js";
import { yesNo } from "../../onboarding/records/record.js";
import { relatedSteps } from "../../onboarding/records/related-steps.js";

export default defineCommand({
	path: "email status",
	summary: "Show whether an email address is verified",
	examples: {
		"email status crm-5002/ada@example.com": "Check once",
		"email status crm-5002/ada@example.com --wait --wait-timeout 600": "Wait until the link is opened; exit 8 if it is not",
	},
	operations: [getRelated.id],
	input: z.strictObject({ ...getRelated.params.shape, ...waitFields() }),
	answer: () => z.extend(relatedRecord(), { emailVerified: z.optional(z.boolean()) }),
	async run(context, input) {
		const { corporateRelatedId } = input;
		const read = () => readRelated(context.service, corporateRelatedId);
		const isDone = (record: Received): boolean => viewRelated(record).emailVerified === true;
		const { data, late } = await readOrWait(context, input, "Waiting for the email to be verified", read, isDone);
		const { emailVerified } = viewRelated(data);
		const subject = "the email's verification";
		if (input.wait) requireStatus(subject, yesNo(emailVerified), data);
		else warnWithoutStatus(context, subject, yesNo(emailVerified));
		const answer = { ...data, company: knownOf(context, corporateRelatedId).company, emailVerified };
		return { data: answer, exit: late, next: nextAfter(answer, corporateRelatedId) };
	},
	text: (record, style) => {
		const view = viewRelated(record);
		return style.pairs({
			Person: whoseText({ ...view, company: record.company }),
			Id: view.id,
			Email: view.email ?? "none on record",
			Verified: style.status(yesNo(record.emailVerified)),
		});
	},
});

function nextAfter(record: Received, corporateRelatedId: string): readonly Advice[] {
	const id = typed(corporateRelatedId, "RELATED");
	if (record.emailVerified === true) return relatedSteps(record, corporateRelatedId);
	const correct = purser`related update ${id} --email-address ADDRESS`;
	return viewRelated(record).email === undefined ? [correct] : [purser`email send-link ${id}`, correct];
}
