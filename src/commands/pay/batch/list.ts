import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { defineCommand } from "../../../cli/command.js";
import { sourceOf, totalsText } from "../../../payments/batch/plan/totals.js";
import { rowsText, standing } from "../../../payments/batch/send/text.js";
import { batch } from "../../families/answers.js";
import { firstOf, limitField } from "../../families/list.js";

export default defineCommand({
	path: "pay batch list",
	summary: "List the batches of the profile, newest first",
	details: "Does not contact the service.",
	examples: {
		"pay batch list": "Each with its totals and how its rows stand",
		"pay batch list -o ndjson": "One batch per line, for a script",
	},
	input: z.strictObject({ limit: limitField() }),
	answer: () => z.array(batch()),
	async run(context, { limit }) {
		const found = await (await context.journal.batches((await context.settings.read()).profile)).list();
		const batches = firstOf(context, found, limit);
		const [first] = batches;
		return { data: batches, next: [first ? purser`pay batch status ${first.batch}` : purser`pay batch plan FILE`] };
	},
	text: (batches, style) =>
		style.list(batches, "There are no batches.", {
			batch: ({ batch }) => batch,
			planned: ({ plan }) => style.moment(plan.planned),
			file: ({ plan }) => sourceOf(plan),
			amount: ({ plan }) => totalsText(plan, style),
			now: standing,
			rows: rowsText,
		}),
});
