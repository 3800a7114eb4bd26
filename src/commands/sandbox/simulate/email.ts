import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { simulateEmail } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate email",
	summary: "Open the emailed verification link, as the person would",
	examples: [{ run: "sandbox simulate email 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", note: "The account owner opens the link" }],
	effect: "write",
	operations: [simulateEmail.id],
	input: simulateEmail.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, simulateEmail, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: (_, { relatedId }) => [purser`email status ${relatedId}`],
});
