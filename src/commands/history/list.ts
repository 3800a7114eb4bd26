import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { moment } from "../../api/fields.js";
import { getRelated } from "../../api/operations/related.js";
import { field } from "../../api/schema.js";
import { momentForms } from "../../api/typed.js";
import { defineCommand } from "../../cli/command.js";
import { allStates, calledIn, intentTable, partyOperations, withParties } from "../../payments/rules/intent-text.js";
import { intent } from "../families/answers.js";
import { firstOf, limitField, limitOf } from "../families/list.js";

export default defineCommand({
	path: "history list",
	summary: "List every change requested from this machine",
	details:
		"Newest first, from the journal of the profile. It holds ids, amounts, references, outcomes, and the operator (PURSER_OPERATOR, else the system's user); names are asked of the service, for at most a few seconds. Changes of the settings that guard money: `purser history export --kind settings`.",
	examples: {
		"history list": "The latest hundred",
		"history list --effect money --state accepted --state waiting": "Payments that went out",
		"history list --since 7d": "Of the last seven days",
		"history list --limit 100000 -o ndjson": "One record per line, for a script",
	},
	operations: [...partyOperations, getRelated].map(({ id }) => id),
	input: z.strictObject({
		state: z.optional(field(z.array(field(z.enum(allStates), { description: "State" })), { description: "Only these states" })),
		effect: z.optional(field(z.enum(["money", "write"]), { description: "Only payments, or only other changes" })),
		since: z.optional(moment(`Started at or after: ${momentForms}`, "start")),
		until: z.optional(moment("Started at or before, in the same forms; a day counts to its end", "end")),
		limit: limitField(),
	}),
	answer: () => z.array(intent()),
	async run(context, { state, effect, since, until, limit }) {
		const { profile } = await context.settings.read();
		const journal = await context.journal.of(profile);
		const found = await journal.list({ states: state, effect, since: utcOf(since), until: utcOf(until), limit: limitOf(limit) + 1 });
		const shown = firstOf(context, found, limit);
		await context.names.of(shown.flatMap(calledIn));
		const data = await withParties(context, shown);
		return { data, next: data[0] ? [purser`history show ${data[0].intent}`] : [] };
	},
	text: (records, style) => (records.length === 0 && !style.cells ? "No change to show." : intentTable(records, style)),
});

function utcOf(time: string | undefined): string | undefined {
	return time === undefined ? undefined : new Date(time).toISOString();
}
