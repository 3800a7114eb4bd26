import { purser } from "../../../api/advice.js";
import { simulateTransaction } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(simulateTransaction, {
	path: "sandbox simulate transaction",
	summary: "End or reverse a transaction",
	examples: [{ run: "sandbox simulate transaction 9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d --outcome REVERSED", note: "The money comes back" }],
	next: (_, { transactionId }) => [purser`pay show ${transactionId}`],
});
