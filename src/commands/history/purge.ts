import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { date } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { moneyRules } from "../../payments/rules/rules.js";

export default defineCommand({
	path: "history purge",
	summary: "Delete old, settled entries",
	details:
		"Removes the beginning of the record up to a day, overwritten on the disk, and writes down that it did, so that the rest still verifies. Refuses while anything from before then is not settled, and where it would remove payments whose duplicates are still blocked (the setting duplicate-days). Both are counted by the service's clock, as far as its answers told it, and not by this machine's; without any answer that told it nothing is removed.",
	examples: [
		{ run: "history export --limit 999999 -o ndjson > history.ndjson", note: "Keep a copy first" },
		{ run: "history purge --before 2026-01-01 --dry-run", note: "What would be removed, by kind" },
		{ run: "history purge --before 2026-01-01", note: "Remove what ended before this year (UTC)" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ before: date("Remove what ended before this day (UTC)") }),
	async run(context, { before }) {
		await context.ask.confirm(`Remove what ended before ${before} from the record for good?`);
		const start = new Date(`${before}T00:00:00Z`);
		const { profile } = await context.settings.read();
		const journal = await context.journal.of(profile);
		// This machine's clock may be wrong: only the service's time tells what is old.
		const now = await journal.serviceTime();
		if (now === undefined) throw noServiceTime();
		if (start > now && start > context.clock.now())
			throw new PurserError("validation", {
				code: "INVALID_INPUT",
				message: "Only the past can be removed",
				fix: "Name a day that has begun.",
				details: [{ field: "before", message: "is in the future" }],
			});
		const windowStart = moneyRules(profile.settings).duplicateWindowStart(now);
		if (start > windowStart) throw stillGuardsError(windowStart.toISOString().slice(0, 10), now);
		const { dryRun } = context.settings.flags;
		if (dryRun) context.report.warn("Dry run: nothing was removed");
		return { data: await (dryRun ? journal.purgeable(start) : journal.purge(start)), next: [purser`history verify`] };
	},
	text: ({ events, intents, kept, kinds, oldest, newest }, style) =>
		[
			`${kinds === undefined ? "Removed" : "Would remove"} ${intents} ${intents === 1 ? "intent" : "intents"} with ${events} events`,
			...(kinds === undefined || events === 0
				? []
				: [
						style.pairs([
							...Object.entries(kinds).map(([kind, count]): [string, string] => [kind, String(count)]),
							["Oldest", style.moment(oldest)],
							["Newest", style.moment(newest)],
						]),
					]),
			...(kept ? [style.dim(`Not all: ${kept}`)] : []),
		].join("\n"),
});

function stillGuardsError(day: string, now: Date): PurserError {
	return new PurserError("guard", {
		code: "STILL_GUARDS",
		message: "Nothing was removed: duplicates of payments from before then are still blocked",
		why: `The setting duplicate-days blocks duplicates of everything since ${day}; the service's latest known time is ${now.toISOString()}`,
		fix: advice`Remove what is older: ${purser`history purge --before ${day}`}`,
		details: [{ field: "before", message: `must be ${day} or earlier` }],
	});
}

function noServiceTime(): PurserError {
	return new PurserError("guard", {
		code: "NO_SERVICE_TIME",
		message: "Nothing was removed: it cannot be told what is old",
		why: "No answer of the service that this journal recorded told its time, and this machine's clock alone may be wrong",
		fix: advice`Make a payment first. See what is on record: ${purser`history list`}`,
	});
}
