import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { simulateTransaction } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate transaction",
	summary: "End or reverse a transaction",
	examples: [{ run: "sandbox simulate transaction 9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d --outcome REVERSED", note: "The money comes back" }],
	effect: "write",
	operations: [simulateTransaction.id],
	input: simulateTransaction.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, simulateTransaction, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: (_, { transactionId }) => [purser`pay show ${transactionId}`],
});
