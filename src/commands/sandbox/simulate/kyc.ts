import { purser } from "../../../api/advice.js";
import { simulateKyc } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(simulateKyc, {
	path: "sandbox simulate kyc",
	summary: "Complete or decline a KYC, as the person would",
	examples: [
		{
			run: "sandbox simulate kyc 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --outcome DECLINED --reason DOCUMENT_EXPIRED",
			note: "A KYC that is declined",
		},
	],
	next: (_, { relatedId }) => [purser`kyc status ${relatedId}`],
});
