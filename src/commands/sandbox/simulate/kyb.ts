import { purser } from "../../../api/advice.js";
import { simulateKyb } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(simulateKyb, {
	path: "sandbox simulate kyb",
	summary: "Decide a KYB, as compliance would",
	examples: [
		{
			run: 'sandbox simulate kyb 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --outcome NEED_ADDITIONAL_INFORMATION --reason "A director is missing"',
			note: "Compliance wants more",
		},
	],
	next: (_, { corporateId }) => [purser`kyb status ${corporateId}`],
});
