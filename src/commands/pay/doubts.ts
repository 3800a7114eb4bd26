import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { firstOf, limitField, limitOf } from "../../onboarding/records/listing.js";
import { doubtText, intentTable } from "../../payments/settlement/text.js";
import type { IntentRecord } from "../../ports/intent.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "pay doubts",
	summary: "List what is in doubt: sent, and no answer says whether it arrived",
	details:
		"Each with why, and with what would settle it. A payment in doubt is never sent again by itself, and blocks the same payment until it is settled. Reads the journal on this machine; asks the service nothing.",
	examples: [
		{ run: "pay doubts", note: "Every open doubt of the profile" },
		{ run: "pay doubts --json", note: "For a script: an empty list when there is none" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ limit: limitField() }),
	run: async (context, { limit }) => {
		const { profile } = await context.settings();
		const journal = await context.journal(profile);
		const { settleAfter } = await context.settings();
		const doubts = await journal.list({ states: ["in-doubt"], limit: limitOf(limit) + 1 });
		return firstOf(context, doubts, limit).map((doubt) => ({
			...doubt,
			settle: context.shown(purser`pay settle ${doubt.intent}`),
			after: doubt.transfer && new Date(Date.parse(doubt.begun) + settleAfter).toISOString(),
		}));
	},
	text: (doubts, style) => (doubts.length === 0 ? "Nothing is in doubt." : doubts.map((doubt) => doubtText(doubt, style)).join("\n\n")),
	table: (doubts: readonly IntentRecord[], style) => intentTable(doubts, style),
	lines: (doubts) => doubts,
	next: (doubts) => (doubts.length > 0 ? [purser`pay settle`] : []),
});
