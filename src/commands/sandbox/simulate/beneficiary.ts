import { simulateBeneficiary } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(simulateBeneficiary, {
	path: "sandbox simulate beneficiary",
	summary: "Review a beneficiary, as compliance would",
	examples: [{ run: "sandbox simulate beneficiary BENEFICIARY --outcome DECLINED", note: "It is refused" }],
});
