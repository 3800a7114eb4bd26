import { at } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { onlySandbox } from "../../../sandbox/service/guard.js";
import { setFault } from "../../../sandbox/simulate/control.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate fault",
	summary: "Make something go wrong in the sandbox, or nothing any more",
	examples: [{ run: "sandbox simulate fault transaction.interLedger=drop-after:x1", note: "The next reply is lost after the money moved" }],
	effect: "write",
	operations: [setFault.id],
	input: setFault.body,
	run: async (context, body) => {
		await onlySandbox(context);
		return (await call(context, setFault, { body })).data;
	},
	text: (data, style) => {
		const faults = at(data, "faults");
		if (!Array.isArray(faults) || faults.length === 0) return `${style.good("Done")}: nothing goes wrong on request`;
		return [`${style.good("Done")}: in force now`, ...faults.map((fault) => `  ${String(fault)}`)].join("\n");
	},
	next: () => ["purser sandbox simulate fault --clear"],
});
