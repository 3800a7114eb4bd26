import { purser } from "../../../api/advice.js";
import { advanceClock } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(advanceClock, {
	path: "sandbox simulate clock",
	summary: "Let time pass in the sandbox",
	examples: [{ run: "sandbox simulate clock --seconds 172800", note: "Two days later" }],
	next: () => [purser`ledger list`],
});
