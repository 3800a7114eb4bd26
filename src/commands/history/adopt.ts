import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { reasonField } from "../../api/fields.js";
import { getLedger } from "../../api/operations/ledger.js";
import { listTransactions } from "../../api/operations/transaction.js";
import { serviceInUse } from "../../api/service-address.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import type { Context } from "../../context.js";
import { readSinceBackup, type SinceBackup, sinceBackupText } from "../../payments/restored/reading.js";
import { entriesText } from "../../payments/rules/journal-here.js";
import type { Restored, Standing } from "../../ports/anchor.js";
import type { Adoption } from "../../ports/journal.js";
import { journalHead } from "../families/answers.js";

/** `since`: what both sides showed, of a restored backup. */
type Adopted = Partial<Adoption> & { file: string; since?: SinceBackup; dryRun?: true };

export default defineCommand({
	path: "history adopt",
	summary: "Use this journal for payments from now on",
	details:
		"purser refuses to pay (exit 10) with a restored backup, and on a live profile with a journal that does not match its anchor: an empty one, an older copy, one that was changed, or a second one of the same service. A payment that this journal does not know can be sent a second time, so check first what was paid (`pay list`, a statement). A restored backup is compared with the service's lists: what was sent after it is shown, and rows of batches that may be among it are in doubt from then on, so that nothing sends them again before you settled them. Your reason goes into the record.",
	examples: {
		'history adopt --reason "Restored from the backup of 3 May, later payments checked in the bank portal"': "Asks first",
		"history adopt --reason test --dry-run": "Only show what was sent after the backup",
		'history adopt --reason "Ticket 4711" --yes --json': "In a script",
	},
	operations: [listTransactions.id, getLedger.id],
	input: z.strictObject({ reason: reasonField() }),
	answer: () =>
		z.strictObject({
			...{ file: z.string(), since: z.optional(z.unknown()), dryRun: z.optional(z.boolean()) },
			...optionals(["found", "reason", "installation"]),
			missing: z.optional(z.strictObject({ entries: z.number(), since: z.string() })),
			inDoubt: z.optional(z.number()),
			head: z.optional(journalHead()),
		}),
	async run(context, { reason }): Promise<Answer<Adopted>> {
		const journal = await context.journal.of((await context.settings.read()).profile);
		const standing = await journal.standing();
		const since = standing?.kind === "restored" ? await compare(context, standing) : undefined;
		const found = `${missingText(standing)}${since === undefined ? "" : `${countText(since)}\n`}`;
		const question = "Use this journal for payments from now on? Payments that it does not know could be sent a second time";
		await context.ask.confirm(found + question);
		const adopted = await unlessDryRun(context, () => journal.adopt(reason, since?.sent), "changed");
		if (adopted === undefined) return { data: { file: journal.file, since, dryRun: true }, next: [purser`history verify`] };
		const next = [(adopted.inDoubt ?? 0) > 0 ? purser`pay settle` : purser`history verify`];
		return { data: { ...adopted, file: journal.file, since }, next };
	},
	text: ({ since, ...adopted }, style) =>
		[
			...(since === undefined ? [] : [sinceBackupText(since, style), ""]),
			...(adopted.dryRun || adopted.head === undefined
				? ["Nothing was changed"]
				: [
						style.good("Payments use this journal from now on"),
						style.pairs({
							Missing: adopted.missing && entriesText(adopted.missing),
							"Now in doubt": since && `${adopted.inDoubt} ${adopted.inDoubt === 1 ? "row" : "rows"}`,
							Installation: adopted.installation,
							Head: `${adopted.head.seq} ${adopted.head.hash}`,
							File: adopted.file,
						}),
					]),
		].join("\n"),
});

/** Reads both sides. @throws PurserError from {@link readSinceBackup} */
async function compare(context: Context, backup: Restored): Promise<SinceBackup> {
	const { profile } = await context.settings.read();
	const [journal, batches] = [await context.journal.of(profile), await context.journal.batches(profile)];
	const place = await serviceInUse(context, profile);
	return context.report.during("Comparing with the service", (progress) =>
		readSinceBackup({ journal, batches, service: context.service, place, now: () => context.clock.now(), progress }, backup),
	);
}

function missingText(standing: Standing | undefined): string {
	const missing = standing !== undefined && "missing" in standing ? standing.missing : undefined;
	return missing === undefined ? "" : `Compared with the journal that paid last, ${entriesText(missing)} here.\n`;
}

function countText({ payments, sent }: SinceBackup): string {
	const of = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
	return `The service lists ${of(payments.length, "payment")} that this journal does not know; ${of(sent.length, "row")} of batches will be in doubt.`;
}
