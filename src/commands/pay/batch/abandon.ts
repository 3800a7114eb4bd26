import * as z from "zod/mini";
import { field } from "../../../api/schema.js";
import { defineHooked } from "../../../cli/command.js";
import { withNames } from "../../../payments/batch/approval/approval.js";
import { batchField, batchNamed } from "../../../payments/batch/send/named.js";
import { rowsIn } from "../../../payments/batch/send/outcome.js";
import {
	type Abandoning,
	abandoningText,
	longestReason,
	questionOf,
	restText,
	untouchedWarning,
} from "../../../payments/batch/send/text.js";
import type { BatchRecord } from "../../../ports/batches.js";

export default defineHooked({
	path: "pay batch abandon",
	summary: "Cancel the rest of a batch: rows that were never sent never will be",
	details:
		"For a batch that was planned wrong, that nobody approved, or that was stopped half way. Every row that was not started is cancelled for good, with your reason on record; after that `resume`, `send` and `retry-refused` send nothing of it, and the same payments may be planned again. Rows that were started keep their state: accepted, refused, or in doubt until they are settled. Refused while another purser sends the batch. Does not contact the service. Exit 7 where rows are in doubt.",
	examples: [
		{ run: 'pay batch abandon 7 --reason "Wrong month"', note: "Shows what would be cancelled, then asks" },
		{ run: 'pay batch abandon 7 --reason "Wrong month" --dry-run', note: "What would be cancelled; nothing is changed" },
		{ run: 'pay batch abandon payroll.csv.plan.json --reason "Ticket 4711" --yes --json', note: "In a script, by its plan" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		batch: batchField(),
		reason: field(
			z.string().check(
				z.regex(/\S/, "must say why: it is kept on record"),
				z.refine((text) => [...text].length <= longestReason, `must have at most ${longestReason} characters`),
			),
			{ description: "Why, for the record; no personal data", placeholder: "text" },
		),
	}),
	prepare: async (context, input) => {
		const { profile } = await context.settings.read();
		const record = await batchNamed(context, input.batch);
		const rest = await (await context.journal.batches(profile)).rest(record.batch);
		const untouched = untouchedWarning(record);
		if (untouched) context.report.warn(untouched);
		// A Yes confirms exactly what is shown now, so run receives the same record.
		return { ...input, record, rest };
	},
	confirm: ({ record, rest }) => (record.state === "abandoned" ? undefined : questionOf(record, rest)),
	run: async (context, { reason, record, rest }): Promise<Abandoning> => {
		const { profile, dryRun, interactive, yes } = await context.settings.read();
		const named = (one: BatchRecord): BatchRecord => withNames(one, profile.settings);
		if (record.state === "abandoned")
			return {
				...named(record),
				rest: { rows: 0, totals: [] },
				stopped: { code: "ABANDONED_BEFORE", why: `Batch ${record.batch} was cancelled before; nothing was changed` },
			};
		if (dryRun) return { ...named(record), rest, stopped: { code: "DRY_RUN", why: "Dry run: nothing was cancelled" } };
		const batches = await context.journal.batches(profile);
		const rows = interactive && !yes ? rest.rows : undefined;
		const after = await context.report.during(`Cancelling ${restText(rest)}`, () => batches.abandon(record.batch, { reason, rows }));
		const { rows: given, totals } = after.abandoned ?? rest;
		return { ...named(after), rest: { rows: given, totals } };
	},
	text: abandoningText,
	outcomes: ["unknown", "guard"],
	outcome: ({ counts }) => (rowsIn(counts, "in-doubt") > 0 ? "unknown" : undefined),
});
