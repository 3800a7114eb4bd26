import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { doubtText } from "../../payments/matching/text.js";
import { settledFrom } from "../../payments/rules/attempt.js";
import { intentTable, partyOperations, settling, withParties } from "../../payments/rules/intent-text.js";
import { journalHere, warnOfJournal } from "../../payments/rules/journal-here.js";
import { intent } from "../families/answers.js";
import { firstOf, limitField, limitOf } from "../families/list.js";

export default defineCommand({
	path: "pay doubts",
	summary: "List what is in doubt: sent, and no answer says whether it arrived",
	details:
		"Each with why, and with what would settle it. A payment in doubt is never sent again by itself, and blocks the same payment until it is settled. Reads the journal on this machine; names are asked of the service, for at most a few seconds. Doubts of an earlier sandbox at this address are left out; `purser history list --state in-doubt` has them.",
	examples: { "pay doubts": "Every open doubt of the profile" },
	operations: partyOperations.map(({ id }) => id),
	input: z.strictObject({ limit: limitField() }),
	answer: () => z.array(z.extend(intent(), { settle: z.string(), after: z.optional(z.string()) })),
	async run(context, { limit }) {
		const { profile, settleAfter } = await context.settings.read();
		await warnOfJournal(context, profile);
		const journal = await journalHere(context, profile);
		const doubts = await journal.list({ states: ["in-doubt"], limit: limitOf(limit) + 1 });
		const shown = (await withParties(context, firstOf(context, doubts, limit))).map(async (doubt) => ({
			...doubt,
			settle: context.report.shown(settling(doubt)),
			after: doubt.transfer && new Date(await settledFrom({ journal, settleAfter }, doubt, "own")).toISOString(),
		}));
		return { data: await Promise.all(shown), next: shown.length > 0 ? [purser`pay settle`] : [] };
	},
	text: (doubts, style) => {
		if (style.cells) return intentTable(doubts, style);
		return doubts.length === 0 ? "Nothing is in doubt." : doubts.map((doubt) => doubtText(doubt, style)).join("\n\n");
	},
});
