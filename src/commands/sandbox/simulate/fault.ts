import { purser } from "../../../api/advice.js";
import { at } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { setFault } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../../sandbox/simulate/sandbox-only.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "sandbox simulate fault",
	summary: "Simulate a fault in the sandbox, or clear all",
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
		if (!Array.isArray(faults) || faults.length === 0) return "All simulated faults cleared";
		return [`${style.good("Simulated faults")}:`, ...faults.map((fault) => `  ${String(fault)}`)].join("\n");
	},
	next: () => [purser`sandbox simulate fault --clear`],
});
