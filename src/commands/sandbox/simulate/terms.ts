import { purser } from "../../../api/advice.js";
import { textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { publishTerms } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate terms",
	summary: "Publish new terms: nobody has accepted them yet",
	examples: [{ run: "sandbox simulate terms --version 2.0", note: "New terms" }],
	effect: "write",
	operations: [publishTerms.id],
	input: publishTerms.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, publishTerms, { body })).data;
	},
	text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as asked"}`,
	next: () => [purser`terms show`],
});
