import * as z from "zod/mini";
import { reasonField } from "../../../api/fields.js";
import { type Answer, defineCommand } from "../../../cli/command.js";
import { withNames } from "../../../payments/batch/approval/approval.js";
import { batchField, batchNamed } from "../../../payments/batch/send/named.js";
import { type Abandoning, abandoningText, questionOf, restText, rowsIn } from "../../../payments/batch/send/text.js";
import type { BatchRecord } from "../../../ports/batches.js";
import { abandoning } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch abandon",
	summary: "Cancel the rest of a batch: rows that were never sent never will be",
	details:
		"For a batch that was planned wrong, that nobody approved, or that was stopped half way. Every row that was not started is cancelled for good, with your reason on record; after that `resume` and `send` send nothing of it, and the same payments may be planned again. Rows that were started keep their state: accepted, refused, or in doubt until they are settled. Refused while another purser sends the batch. Does not contact the service. Exit 7 where rows are in doubt.",
	examples: {
		'pay batch abandon 7 --reason "Wrong month"': "Shows what would be cancelled, then asks",
		'pay batch abandon payroll.csv.plan.json --reason "Ticket 4711" --yes --json': "In a script, by its plan",
	},
	input: z.strictObject({ batch: batchField(), reason: reasonField() }),
	answer: () => abandoning(),
	async run(context, { batch, reason }): Promise<Answer<Abandoning>> {
		const { profile, dryRun, interactive, yes } = await context.settings.read();
		const record = await batchNamed(context, batch);
		const rest = await (await context.journal.batches(profile)).rest(record.batch);
		const answer = (one: BatchRecord, more: Pick<Abandoning, "rest" | "stopped">) => {
			const data: Abandoning = { ...withNames(one, profile.settings), ...more };
			return { data, exit: rowsIn(data.counts, "in-doubt") > 0 ? ("unknown" as const) : undefined };
		};
		if (record.state === "abandoned") {
			const why = `Batch ${record.batch} was cancelled before; nothing was changed`;
			return answer(record, { rest: { rows: 0, totals: [] }, stopped: { code: "ABANDONED_BEFORE", why } });
		}
		const isOver = rest.rows === 0 && rowsIn(record.counts, "accepted", "waiting") === record.plan.count;
		// A Yes confirms exactly what is shown now: the rows that were counted above. What is over is refused without a question.
		if (!isOver) await context.ask.confirm(questionOf(record, rest));
		if (dryRun) return answer(record, { rest, stopped: { code: "DRY_RUN", why: "Dry run: nothing was cancelled" } });
		const batches = await context.journal.batches(profile);
		const rows = interactive && !yes ? rest.rows : undefined;
		const after = await context.report.during(`Cancelling ${restText(rest)}`, () => batches.abandon(record.batch, { reason, rows }));
		const { rows: given, totals } = after.abandoned ?? rest;
		return answer(after, { rest: { rows: given, totals } });
	},
	text: abandoningText,
});
