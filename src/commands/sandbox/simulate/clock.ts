import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { advanceClock } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate clock",
	summary: "Let time pass in the sandbox",
	examples: [{ run: "sandbox simulate clock --seconds 172800", note: "Two days later" }],
	effect: "write",
	operations: [advanceClock.id],
	input: advanceClock.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, advanceClock, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: () => [purser`ledger list`],
});
