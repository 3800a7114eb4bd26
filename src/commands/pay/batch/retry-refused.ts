import { defineCommand } from "../../../cli/command.js";
import { sendingRest } from "../../../payments/batch/send/rest.js";

export default defineCommand({
	path: "pay batch retry-refused",
	summary: "Send the refused rows of a batch once more",
	details:
		"Each refused row is sent again as a new attempt of its own: for what the service refused for a passing reason (a limit, a right, a ledger that was blocked). Rows that have to be changed belong into a file of their own: refused.csv of `pay batch report`. Once such a file was paid, do not use this command for that batch: it sends every refused row as it was first planned.",
	examples: [
		{ run: "pay batch retry-refused 7", note: "Asks, then sends the refused rows again" },
		{ run: "pay batch retry-refused 7 --stop-after 1 --yes", note: "One row, to see whether it goes now" },
	],
	...sendingRest(["refused"]),
});
