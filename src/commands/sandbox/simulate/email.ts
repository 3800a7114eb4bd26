import { purser } from "../../../api/advice.js";
import { simulateEmail } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

export default simulation(simulateEmail, {
	path: "sandbox simulate email",
	summary: "Open the emailed verification link, as the person would",
	examples: [{ run: "sandbox simulate email 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", note: "The account owner opens the link" }],
	next: (_, { relatedId }) => [purser`email status ${relatedId}`],
});
