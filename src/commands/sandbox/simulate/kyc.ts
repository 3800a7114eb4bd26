import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { simulateKyc } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate kyc",
	summary: "Complete or decline a KYC, as the person would",
	examples: [
		{
			run: "sandbox simulate kyc 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --outcome DECLINED --reason DOCUMENT_EXPIRED",
			note: "A KYC that is declined",
		},
	],
	effect: "write",
	operations: [simulateKyc.id],
	input: simulateKyc.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, simulateKyc, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: (_, { relatedId }) => [purser`kyc status ${relatedId}`],
});
