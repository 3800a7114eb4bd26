import { purser } from "../../../api/advice.js";
import { at, type Received } from "../../../api/answer.js";
import { setFault } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

function faultsOf(data: Received): readonly unknown[] {
	const faults = at(data, "faults");
	return Array.isArray(faults) ? faults : [];
}
const isClear = (data: Received): boolean => faultsOf(data).length === 0;

export default simulation(setFault, {
	path: "sandbox simulate fault",
	summary: "Simulate a fault in the sandbox, or clear all",
	examples: [{ run: "sandbox simulate fault transaction.interLedger=drop-after:x1", note: "The next reply is lost after the money moved" }],
	text: (data, style) => {
		if (isClear(data)) return "All simulated faults cleared";
		return [`${style.good("Simulated faults")}:`, ...faultsOf(data).map((fault) => `  ${String(fault)}`)].join("\n");
	},
	next: (data) => (isClear(data) ? [] : [purser`sandbox simulate fault --clear`]),
});
