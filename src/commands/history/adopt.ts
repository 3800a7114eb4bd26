import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { field } from "../../api/schema.js";
import type { Adoption } from "../../ports/journal.js";
import { defineCommand } from "../../shell/command.js";

/** What the journal was before, for people. */
const stateBefore: Readonly<Record<Adoption["found"], string>> = {
	held: "It was already in use",
	new: "It is new: no earlier payment is known",
	unanchored: "It has payments, but no anchor was kept of it",
	other: "Another journal was used before",
	behind: "It has fewer events than the one that was used for payments",
	changed: "Its events are not those of the journal that was used for payments",
	broken: "Its anchor had been changed from outside",
	second: "Another profile pays at the same service from a journal of its own",
};

export default defineCommand({
	path: "history adopt",
	summary: "Use this journal for payments from now on",
	details:
		"For live profiles. purser keeps an anchor of each journal beside the profiles and refuses to pay (exit 10) with a journal that does not match it: an empty one, an older copy, one that was changed, or a second one of the same service. A payment that this journal does not know can be sent a second time, so check first what was paid (`pay list`, a statement). Your reason goes into the record.",
	examples: [
		{ run: 'history adopt --reason "Restored from the backup of 3 May, later payments checked in the bank portal"', note: "Asks first" },
		{ run: 'history adopt --reason "Ticket 4711" --yes --json', note: "In a script" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		reason: field(
			z.string().check(
				z.regex(/\S/, "must say why: it is kept on record"),
				z.refine((text) => [...text].length <= 500, "must have at most 500 characters"),
			),
			{ description: "Why, for the record; no personal data", placeholder: "text" },
		),
	}),
	confirm: () => "Use this journal for payments from now on? Payments that it does not know could be sent a second time",
	run: async (context, { reason }): Promise<(Adoption & { file: string }) | undefined> => {
		const journal = await context.journal((await context.settings()).profile);
		if (context.flags.dryRun) {
			context.reporter.warn("Dry run: nothing was changed");
			return undefined;
		}
		return { ...(await journal.adopt(reason)), file: journal.file };
	},
	text: (adopted, style) =>
		adopted === undefined
			? "Nothing was changed"
			: [
					style.good("Payments use this journal from now on"),
					style.pairs([
						["Before", stateBefore[adopted.found]],
						["Earlier anchor", adopted.before && `event ${adopted.before.seq} of installation ${adopted.before.installation}`],
						["Installation", adopted.installation],
						["Head", `${adopted.head.seq} ${adopted.head.hash}`],
						["File", adopted.file],
					]),
				].join("\n"),
	next: () => [purser`history verify`],
});
