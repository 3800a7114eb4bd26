import { z } from "zod";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "history verify",
	summary: "Check that the record is as it was written",
	details:
		"Checks the database, the chain of hashes from the first event to the last, and every state against its events. A change to any part shows. Note the head elsewhere: a file replaced as a whole can only be told by that. Exit 1 where something is wrong.",
	examples: [
		{ run: "history verify", note: "Everything in the profile's journal" },
		{ run: "history verify --json", note: "For a nightly check" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({}),
	run: async (context) => {
		const journal = await context.journal((await context.settings()).profile);
		return { file: journal.file, ...(await context.say.during("Checking the record", () => journal.verify())) };
	},
	text: ({ file, events, intents, head, installation, faults }, style) =>
		[
			faults.length === 0 ? style.good("The record is as it was written") : style.bad("The record is not as it was written"),
			...faults.map((fault) => `  ${style.bad(fault)}`),
			style.pairs([
				["Events", String(events)],
				["Intents", String(intents)],
				["Head", `${head.seq} ${head.hash}`],
				["Installation", installation],
				["File", file],
			]),
		].join("\n"),
	outcomes: ["bug"],
	outcome: ({ faults }) => (faults.length > 0 ? "bug" : undefined),
});
