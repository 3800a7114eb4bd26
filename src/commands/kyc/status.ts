import { z } from "zod";
import { getRelated, viewRelated } from "../../api/related.js";
import { field } from "../../api/schema.js";
import { call } from "../../client/call.js";
import { waitFor } from "../../client/wait.js";
import { typed } from "../../onboarding/record.js";
import { timeoutOf, waitFields } from "../../onboarding/waiting.js";
import { defineCommand } from "../../shell/command.js";

/** Operations 5: the others move on. An unknown status is never taken for final. */
const final: readonly (string | undefined)[] = ["VALIDATED", "DECLINED"];

const watch = field(z.boolean(), {
	description: "Look again and again, each time in the place of the last, until the status is final",
}).default(false);
/** Milliseconds between two looks of --watch: a KYC takes minutes (specification 4, rule 5). */
const watchEvery = 5000;

export default defineCommand({
	path: "kyc status",
	summary: "Show the KYC of a related person",
	examples: [
		{ run: "kyc status 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", note: "Look once" },
		{
			run: "kyc status 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --wait",
			note: "Wait for the result: exit 0 validated, 5 declined, 8 not yet",
		},
		{ run: "kyc status 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --watch", note: "Keep it in view until the result is there" },
	],
	effect: "read",
	operations: [getRelated.id],
	input: z.strictObject({ ...getRelated.params.shape, ...waitFields(), watch }),
	run: async (context, { corporateRelatedId, wait, waitTimeout }) => {
		const look = async () => {
			const { data } = await call(context, getRelated, { params: { corporateRelatedId } });
			const { kycStatus, kycType } = viewRelated(data);
			return { done: final.includes(kycStatus) || kycType === "NOT_REQUIRED", data };
		};
		const { data } = wait
			? await waitFor(context, { timeout: timeoutOf(waitTimeout), label: "Waiting for the KYC to be decided" }, look)
			: await look();
		return data;
	},
	text: (record, style) => {
		const view = viewRelated(record);
		const again = `A new link for another try: purser kyc link ${typed(view.id, "RELATED")}`;
		const rows = style.pairs([
			[view.isCompany ? "Company" : "Person", view.name],
			["Id", view.id],
			["KYC", style.status(view.kycStatus)],
			["Type", kinds[view.kycType ?? ""] ?? view.kycType],
			["Reason", view.kycReason],
		]);
		return view.kycStatus === "DECLINED" ? `${rows}\n\n${again}` : rows;
	},
	next: (record, { corporateRelatedId }) => {
		const { kycStatus, kycType, isCompany } = viewRelated(record);
		const id = typed(corporateRelatedId, "RELATED");
		if (isCompany || kycStatus === "VALIDATED" || kycType === "NOT_REQUIRED") return ["purser kyb status CORPORATE"];
		if (kycStatus === undefined || kycStatus === "NOT_STARTED") return [`purser kyc link ${id}`];
		return [`purser kyc status ${id} --wait`];
	},
	again: (record, { watch: watching }) => {
		const { kycStatus, kycType } = viewRelated(record);
		return watching && !final.includes(kycStatus) && kycType !== "NOT_REQUIRED" ? watchEvery : undefined;
	},
	outcome: (record, { wait }) => {
		const { kycStatus, kycType } = viewRelated(record);
		if (kycStatus === "DECLINED") return "rejected";
		return wait && kycStatus !== "VALIDATED" && kycType !== "NOT_REQUIRED" ? "pending" : undefined;
	},
});

const kinds: Readonly<Record<string, string>> = {
	FULL_KYC: "FULL_KYC (documents and liveness)",
	DOC_ONLY: "DOC_ONLY (documents only)",
	NOT_REQUIRED: "NOT_REQUIRED",
};
