import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { getRelated, relatedRecord, viewRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import { readOrWait, requireStatus, waitFields } from "../../http/wait.js";
import { knownOf, type Whose, whoseText } from "../../onboarding/records/about.js";
import { readRelated } from "../../onboarding/records/reading.js";
import { relatedSteps } from "../../onboarding/records/related-steps.js";
import type { Style } from "../../ports/style.js";

/** The final statuses. An unknown status is never taken for final. */
const finalStatuses: readonly (string | undefined)[] = ["VALIDATED", "DECLINED"];

export default defineCommand({
	path: "kyc status",
	summary: "Show the KYC of a person",
	details: "Of everybody in a company: `purser corporate status`.",
	examples: {
		"kyc status crm-5002/ada@example.com": "Check once",
		"kyc status crm-5002/ada@example.com --wait": "Wait for the result: exit 0 validated, 5 declined, 8 not yet",
	},
	operations: [getRelated.id],
	input: z.strictObject({ ...getRelated.params.shape, ...waitFields() }),
	answer: () => relatedRecord(),
	async run(context, input) {
		const { corporateRelatedId } = input;
		const read = () => readRelated(context.service, corporateRelatedId);
		const { data, late } = await readOrWait(context, input, "Waiting for the KYC to be decided", read, isDecided);
		if (needsStatus(data)) requireStatus("the KYC", viewRelated(data).kycStatus, data);
		return {
			data: { ...data, company: knownOf(context, corporateRelatedId).company },
			next: relatedSteps(data, corporateRelatedId),
			exit: viewRelated(data).kycStatus === "DECLINED" ? "rejected" : late,
		};
	},
	text: oneText,
});

/** A company has no KYC, and NOT_REQUIRED needs no status: waiting for one would never end. */
function needsStatus(record: Received): boolean {
	const { kycType, isCompany } = viewRelated(record);
	return kycType !== "NOT_REQUIRED" && !isCompany;
}

const isDecided = (record: Received): boolean => finalStatuses.includes(viewRelated(record).kycStatus) || !needsStatus(record);

function oneText(record: Received & Pick<Whose, "company">, style: Style): string {
	const view = viewRelated(record);
	const rows = style.pairs({
		[view.isCompany ? "Company" : "Person"]: whoseText({ ...view, company: record.company }),
		...{ Id: view.id, KYC: style.status(view.kycStatus) },
		...{ Type: kinds[view.kycType ?? ""] ?? view.kycType, Reason: view.kycReason },
	});
	const again = advice`A new link for another try: ${purser`kyc link ${typed(view.id, "RELATED")}`}`;
	return view.kycStatus === "DECLINED" ? `${rows}\n\n${style.shown(again)}` : rows;
}

const kinds: Readonly<Record<string, string>> = {
	FULL_KYC: "FULL_KYC (documents and liveness)",
	DOC_ONLY: "DOC_ONLY (documents only)",
};
