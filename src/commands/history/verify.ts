import * as z from "zod/mini";
import { defineCommand } from "../../cli/command.js";
import { journalHead } from "../families/answers.js";

export default defineCommand({
	path: "history verify",
	summary: "Check that the journal was not altered",
	details:
		"Checks the database, the chain of hashes from the first event to the last, and every state against its events. A change to any part shows. A live profile's journal is also checked against its anchor, which reveals a file that was emptied, replaced, or is older than the latest payment. Note the head elsewhere: where somebody could change both journal and configuration, the same event must still have that hash (`history export --after N`). Exit 1 where something is wrong.",
	examples: {
		"history verify": "Everything in the profile's journal",
		"history verify --json": "For a nightly check",
	},
	answer: () =>
		z.strictObject({
			...{ events: z.number(), intents: z.number(), head: journalHead(), installation: z.string() },
			anchor: z.optional(
				z.strictObject({ seq: z.number(), hash: z.string(), at: z.string(), installation: z.string(), holds: z.boolean() }),
			),
			restored: z.optional(z.strictObject({ copied: z.string(), last: z.number() })),
			...{ faults: z.array(z.string()), file: z.string() },
		}),
	async run(context) {
		const journal = await context.journal.of((await context.settings.read()).profile);
		const data = { file: journal.file, ...(await context.report.during("Checking the record", () => journal.verify())) };
		return { data, exit: data.faults.length > 0 ? "bug" : undefined };
	},
	text: ({ file, events, intents, head, installation, anchor, restored, faults }, style) =>
		[
			faults.length === 0 ? style.good("The journal was not altered") : style.bad("The journal was altered"),
			...faults.map((fault) => `  ${style.bad(fault)}`),
			style.pairs({
				Events: String(events),
				Intents: String(intents),
				Head: `${head.seq} ${head.hash}`,
				Installation: installation,
				"Restored backup": restored && `copied ${style.moment(restored.copied)}, not adopted: no payment leaves from it`,
				Anchor: anchor && `event ${anchor.seq} of ${style.moment(anchor.at)}`,
				File: file,
			}),
		].join("\n"),
});
