import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { simulateKyb } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate kyb",
	summary: "Decide a KYB, as compliance would",
	examples: [
		{
			run: 'sandbox simulate kyb 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --outcome NEED_ADDITIONAL_INFORMATION --reason "A director is missing"',
			note: "Compliance wants more",
		},
	],
	effect: "write",
	operations: [simulateKyb.id],
	input: simulateKyb.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, simulateKyb, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: (_, { corporateId }) => [purser`kyb status ${corporateId}`],
});
