import { purser } from "../../../api/advice.js";
import { fundLedger } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(fundLedger, {
	path: "sandbox simulate fund",
	summary: "Put money on a ledger of the sandbox",
	examples: [{ run: "sandbox simulate fund aaaaaaaa-0001-4000-8000-000000000001 --amount 5000.00", note: "Money from nowhere" }],
	next: (_, { ledgerId }) => [purser`ledger show ${ledgerId}`],
});
