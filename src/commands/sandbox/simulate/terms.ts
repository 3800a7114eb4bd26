import { purser } from "../../../api/advice.js";
import { publishTerms } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(publishTerms, {
	path: "sandbox simulate terms",
	summary: "Publish new terms: nobody has accepted them yet",
	examples: [{ run: "sandbox simulate terms --version 2.0", note: "New terms" }],
	next: () => [purser`terms show`],
});
