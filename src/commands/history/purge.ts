import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { date } from "../../api/fields.js";
import { PurserError } from "../../errors.js";
import { moneyRules } from "../../payments/rules/rules.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "history purge",
	summary: "Delete old, settled entries",
	details:
		"Removes the beginning of the record up to a day, overwritten on the disk, and writes down that it did, so that the rest still verifies. Refuses while anything from before then is not settled, and where it would remove payments whose duplicates are still blocked (the setting duplicate-days).",
	examples: [
		{ run: "history export --limit 999999 -o ndjson > history.ndjson", note: "Keep a copy first" },
		{ run: "history purge --before 2026-01-01", note: "Remove what ended before this year (UTC)" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ before: date("Remove what ended before this day (UTC)") }),
	confirm: ({ before }) => `Remove what ended before ${before} from the record for good?`,
	run: async (context, { before }) => {
		const start = new Date(`${before}T00:00:00Z`);
		if (start > context.clock.now())
			throw new PurserError("validation", {
				code: "INVALID_INPUT",
				message: "Only the past can be removed",
				fix: "Name a day that has begun.",
				details: [{ field: "before", message: "is in the future" }],
			});
		const { profile } = await context.settings();
		const windowStart = moneyRules(profile.settings).duplicateWindowStart(context.clock.now());
		if (start > windowStart) throw stillGuardsError(windowStart.toISOString().slice(0, 10));
		if (context.flags.dryRun) {
			context.reporter.warn("Dry run: nothing was removed");
			return { events: 0, intents: 0 };
		}
		const journal = await context.journal(profile);
		return journal.purge(start);
	},
	text: ({ events, intents, kept }, style) =>
		[
			`Removed ${intents} ${intents === 1 ? "intent" : "intents"} with ${events} events`,
			...(kept ? [style.dim(`Not all: ${kept}`)] : []),
		].join("\n"),
	next: () => [purser`history verify`],
});

function stillGuardsError(day: string): PurserError {
	return new PurserError("guard", {
		code: "STILL_GUARDS",
		message: "Nothing was removed: duplicates of payments from before then are still blocked",
		why: `The setting duplicate-days blocks duplicates of everything since ${day}`,
		fix: advice`Remove what is older: ${purser`history purge --before ${day}`}`,
		details: [{ field: "before", message: `must be ${day} or earlier` }],
	});
}
