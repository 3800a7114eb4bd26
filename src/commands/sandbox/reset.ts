import { purser } from "../../api/advice.js";
import { resetSandbox } from "../../sandbox/simulate/control.js";
import { simulation } from "../families/simulate.js";

export default simulation(resetSandbox, {
	path: "sandbox reset",
	summary: "Start the sandbox anew, with the state that it began with",
	details:
		"Companies, payments, messages, simulated faults and the moved clock are gone; logins stay. The sandbox is another one for the journal from then on: what was sent before is neither a duplicate nor a doubt of it.",
	examples: [{ run: "sandbox reset", note: "Start again" }],
	next: () => [purser`ledger list`],
});
