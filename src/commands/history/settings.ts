import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { firstOf, limitField, limitOf } from "../../onboarding/records/listing.js";
import type { JournalEvent, SettingsRecord } from "../../ports/journal.js";

/** How a record came about, in words for people. */
const origins: Readonly<Record<SettingsRecord["how"], string>> = {
	first: "first record",
	command: "changed with purser",
	outside: "changed without purser",
	kept: "kept by a purge",
};

export default defineCommand({
	path: "history settings",
	summary: "Show how the settings that guard money were changed",
	details:
		"Newest first: limits, approval, who approves and plans, what is trusted about the service, and which requests of a mapping were confirmed. A change by `profile set` is recorded with who made it. A change made without purser is recorded when money next moves, with who requested that. Approvers and planners are shown by public key, without names.",
	examples: [
		{ run: "history settings", note: "The latest hundred changes" },
		{ run: "history settings --limit 1 --json", note: "What is on record now" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ limit: limitField() }),
	async run(context, { limit }) {
		const journal = await context.journal.of((await context.settings.read()).profile);
		const found = await journal.ownEvents("settings", limitOf(limit) + 1);
		const data = await firstOf(context, found, limit).map(changeView);
		return { data, next: data.length === 0 ? [] : [purser`config explain`] };
	},
	text: (records, style) => {
		if (records.length === 0)
			return "No settings are on record yet: they are recorded with the first payment, or with `purser profile set`.";
		const rows = records.flatMap(({ at, how, operator, changes, settings }) => {
			const lines =
				changes.length > 0
					? changes.map((one) => [one.key, shortened(one.old ?? "not set"), shortened(one.new ?? "not set")])
					: Object.entries(settings).map(([key, value]) => [key, "", shortened(value)]);
			return (lines.length > 0 ? lines : [["none set", "", ""]]).map((line) => [
				style.moment(at) ?? "",
				origins[how],
				operator ?? "",
				...line,
			]);
		});
		return style.table(["at", "what", "by", "setting", "old", "new"], rows);
	},
});

function changeView({ seq, at, hash, content }: JournalEvent) {
	return { seq, at, hash, ...(content as unknown as SettingsRecord) };
}

/** A digest of a mapping's request is told apart by its beginning; the data has it whole. */
const shortened = (value: string): string => value.replace(/^([0-9a-f]{12})[0-9a-f]{52} /, "$1… ");
