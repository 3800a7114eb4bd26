import * as z from "zod/mini";
import { filePath } from "../../api/fields.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import type { Backup } from "../../ports/journal.js";
import { journalHead } from "../families/answers.js";

export default defineCommand({
	path: "history backup",
	summary: "Write a checked copy of the journal to a new file",
	details:
		"The copy is complete in one file, also while payments are being recorded, readable by you alone (0600), and checked before it is trusted: its pages, its chain of hashes, and that its last event is in the journal. Nothing is overwritten. To restore it, put it in place of the journal's file while no purser runs, without a -wal or -shm file beside it. The copy carries a mark: once restored, nothing is paid by it (exit 10) until `history adopt` has compared it with the service.",
	examples: {
		"history backup /backup/purser-2026-05-03.db": "A new file",
		"history backup /backup/purser.db --json": "For a nightly job: exit 0 only for a copy that was checked",
	},
	input: z.strictObject({ file: filePath("Where to write the copy", { positional: true, placeholder: "file" }) }),
	answer: () => z.nullable(z.strictObject({ file: z.string(), bytes: z.number(), events: z.number(), head: journalHead() })),
	async run(context, { file }): Promise<Answer<Backup | undefined>> {
		const journal = await context.journal.of((await context.settings.read()).profile);
		const copy = () => context.report.during("Copying the journal", () => journal.backup(file));
		return { data: await unlessDryRun(context, copy, "written") };
	},
	text: (backup, style) =>
		backup === undefined
			? "Nothing was written"
			: style.done("The copy is whole: its pages, its chain and its last event were checked", {
					File: backup.file,
					Bytes: String(backup.bytes),
					Events: String(backup.events),
					Head: `${backup.head.seq} ${backup.head.hash}`,
				}),
});
