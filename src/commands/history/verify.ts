import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import { journalHead } from "../families/answers.js";

export default defineCommand({
	path: "history verify",
	summary: "Check that the journal was not altered",
	details:
		"Checks the database, the chain of hashes from the first event to the last, and every state against its events. A change to any part shows. A live profile's journal is also checked against its anchor, which reveals a file that was emptied, replaced, or is older than the latest payment. Note the head elsewhere and give it with --head: that reveals the same where somebody could change both journal and configuration. Exit 1 where something is wrong.",
	examples: [
		{ run: "history verify", note: "Everything in the profile's journal" },
		{ run: "history verify --json", note: "For a nightly check" },
		{ run: "history verify --head 5120:9f86d081…", note: "Compared with a head that was noted elsewhere" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		head: z.optional(
			field(z.string().check(z.regex(/^(\d{1,15}[: ])?[0-9a-f]{64}$/, "must be NUMBER:HASH or HASH, as history verify shows the head")), {
				description: "A head that was noted elsewhere: the record must contain it",
				placeholder: "number:hash",
			}),
		),
	}),
	answer: () =>
		z.strictObject({
			...{ events: z.number(), intents: z.number(), head: journalHead(), installation: z.string() },
			anchor: z.optional(
				z.strictObject({ seq: z.number(), hash: z.string(), at: z.string(), installation: z.string(), holds: z.boolean() }),
			),
			restored: z.optional(z.strictObject({ copied: z.string(), last: z.number() })),
			...{ faults: z.array(z.string()), file: z.string() },
		}),
	async run(context, { head }) {
		const journal = await context.journal.of((await context.settings.read()).profile);
		const noted = head === undefined ? undefined : notedHead(head);
		const data = { file: journal.file, ...(await context.report.during("Checking the record", () => journal.verify(noted))) };
		return { data, exit: data.faults.length > 0 ? "bug" : undefined };
	},
	text: ({ file, events, intents, head, installation, anchor, restored, faults }, style) =>
		[
			faults.length === 0 ? style.good("The journal was not altered") : style.bad("The journal was altered"),
			...faults.map((fault) => `  ${style.bad(fault)}`),
			style.pairs([
				["Events", String(events)],
				["Intents", String(intents)],
				["Head", `${head.seq} ${head.hash}`],
				["Installation", installation],
				["Restored backup", restored && `copied ${style.moment(restored.copied)}, not adopted: no payment leaves from it`],
				["Anchor", anchor && `event ${anchor.seq} of ${style.moment(anchor.at)}`],
				["File", file],
			]),
		].join("\n"),
});

function notedHead(text: string): { seq?: number; hash: string } {
	const [hash = "", seq] = text.split(/[: ]/).reverse();
	return seq === undefined ? { hash } : { seq: Number(seq), hash };
}
