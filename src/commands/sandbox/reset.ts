import { purser } from "../../api/advice.js";
import { resetSandbox } from "../../sandbox/simulate/control.js";
import { simulation } from "../families/simulate.js";

export default simulation(resetSandbox, {
	path: "sandbox reset",
	summary: "Reset the sandbox to the state it started with",
	details:
		"Companies, payments, messages, simulated faults and the moved clock are gone; logins stay. The journal treats it as a new sandbox from then on: what was sent before is neither a duplicate nor a doubt in it.",
	examples: [{ run: "sandbox reset", note: "Start again" }],
	next: () => [purser`ledger list`],
});
