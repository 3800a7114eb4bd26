import { z } from "zod";
import { getCorporate, requestKyb, viewCorporate } from "../../api/corporate.js";
import { call } from "../../client/call.js";
import { readBack } from "../../onboarding/lenient.js";
import { typed } from "../../onboarding/record.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "kyb request",
	summary: "Ask the compliance team to verify a corporate",
	details:
		"To be asked once the corporate and its related entities are declared, and again after more information was wanted. The KYCs need not be finished by then, but VALIDATED needs them all.",
	examples: [{ run: "kyb request 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", note: "After `purser corporate review`" }],
	effect: "write",
	operations: [requestKyb.id, getCorporate.id],
	input: z.strictObject(requestKyb.params.shape),
	run: async (context, params) => {
		await call(context, requestKyb, { params });
		const record = await readBack(context, async () => (await call(context, getCorporate, { params })).data);
		return { id: params.corporateId, ...record };
	},
	text: (record, style) => {
		const view = viewCorporate(record);
		return [
			style.good("KYB verification asked for"),
			style.pairs([
				["Corporate", view.name],
				["Id", view.id],
				["KYB", style.status(view.kybStatus)],
				["Reason", view.kybReason],
			]),
		].join("\n");
	},
	next: (_, { corporateId }) => {
		const id = typed(corporateId, "CORPORATE");
		return [`purser related list ${id}`, "purser kyc link RELATED", `purser kyb status ${id} --wait`];
	},
});
