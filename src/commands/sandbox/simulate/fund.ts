import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { fundLedger } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate fund",
	summary: "Put money on a ledger of the sandbox",
	examples: [{ run: "sandbox simulate fund aaaaaaaa-0001-4000-8000-000000000001 --amount 5000.00", note: "Money from nowhere" }],
	effect: "write",
	operations: [fundLedger.id],
	input: fundLedger.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, fundLedger, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: (_, { ledgerId }) => [purser`ledger show ${ledgerId}`],
});
