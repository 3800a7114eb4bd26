import { defineCommand } from "../../../cli/command.js";
import { sendingRest } from "../../../payments/batch/send/rest.js";
import { resumableStates } from "../../../payments/batch/send/run.js";

export default defineCommand({
	path: "pay batch resume",
	summary: "Resume a batch after a stop, a crash or a kill",
	details:
		"Sends the rows that provably had no effect at the service: those not started, those that could not be sent, and those proven not created. A row that is accepted or in doubt is never sent again. What a killed purser left on its way is in doubt and is listed.",
	examples: [
		{ run: "pay batch resume 7", note: "Asks with what is left, then sends it" },
		{ run: "pay batch resume payroll.csv.plan.json --yes --json", note: "In a script, by its plan" },
	],
	...sendingRest(resumableStates),
});
