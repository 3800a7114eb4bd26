import { purser } from "../../../api/advice.js";
import { at } from "../../../api/answer.js";
import { setFault } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(setFault, {
	path: "sandbox simulate fault",
	summary: "Simulate a fault in the sandbox, or clear all",
	examples: [{ run: "sandbox simulate fault transaction.interLedger=drop-after:x1", note: "The next reply is lost after the money moved" }],
	text: (data, style) => {
		const faults = at(data, "faults");
		if (!Array.isArray(faults) || faults.length === 0) return "All simulated faults cleared";
		return [`${style.good("Simulated faults")}:`, ...faults.map((fault) => `  ${String(fault)}`)].join("\n");
	},
	next: () => [purser`sandbox simulate fault --clear`],
});
