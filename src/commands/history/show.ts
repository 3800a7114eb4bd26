import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { formed } from "../../api/fields.js";
import { getRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import { type Advice, PurserError } from "../../errors.js";
import { calledIn, canBeShown, intentRows, partyOperations, withParties } from "../../payments/rules/intent-text.js";
import type { IntentRecord } from "../../ports/intent.js";
import { intent, journalEvent } from "../families/answers.js";

export default defineCommand({
	path: "history show",
	summary: "Show one change with everything that happened to it",
	examples: {
		"history show 17": "Its state, and each event",
		"history show 17 --json": "With the events as they are on record",
	},
	operations: [...partyOperations, getRelated].map(({ id }) => id),
	input: z.strictObject({
		intent: formed(
			/^([a-z0-9-]{1,50}:)?[1-9]\d{0,14}$/,
			"the number of an intent; see `purser history list`",
			"The number of the intent, or MACHINE:NUMBER as it was before the machine joined a team",
			{ positional: true, placeholder: "intent" },
		),
	}),
	answer: () => z.extend(intent(), { events: z.array(journalEvent()) }),
	async run(context, { intent }) {
		const { profile } = await context.settings.read();
		const journal = await context.journal.of(profile);
		const shown = await journal.show(intent);
		await context.names.of(shown ? calledIn(shown.record) : []);
		const [record] = await withParties(context, shown ? [shown.record] : []);
		if (shown && record) return { data: { ...record, events: shown.events }, next: nextAfter(record) };
		throw new PurserError("usage", {
			code: "INTENT_UNKNOWN",
			message: `There is no intent ${intent} in this profile's journal`,
			fix: advice`List them: ${purser`history list`}`,
		});
	},
	text: ({ events, ...record }, style) => {
		const rows = events.map(({ seq, at, kind }) => [String(seq), style.moment(at) ?? "", kind]);
		return [style.pairs(intentRows(record, style)), "", style.table(["event", "at", "what"], rows)].join("\n");
	},
});

function nextAfter({ intent, state, transfer, id, evidence }: IntentRecord): readonly Advice[] {
	if (state === "in-doubt" && transfer === undefined)
		return [purser`pay settle ${intent} --created --reason TEXT`, purser`pay settle ${intent} --not-created --reason TEXT`];
	if (state === "in-doubt") return [purser`pay settle ${intent}`];
	return transfer && canBeShown({ id, evidence }) ? [purser`pay show ${id}`] : [];
}
