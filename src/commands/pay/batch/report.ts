import * as z from "zod/mini";
import { groupDigits } from "../../../api/amount.js";
import { optionals } from "../../../api/answer.js";
import { filePath, flag } from "../../../api/fields.js";
import { type Answer, defineCommand } from "../../../cli/command.js";
import { pageBytes } from "../../../pages/page.js";
import { reportPage } from "../../../payments/batch/page/page.js";
import { reportText, stepsAfter, type WrittenReport, writeReport } from "../../../payments/batch/report/report.js";
import { batchField, batchNamed } from "../../../payments/batch/send/named.js";
import { partyNames, partyOperations } from "../../../payments/rules/intent-text.js";
import type { BatchRow } from "../../../ports/batches.js";
import { abandonedRest, approval, batchPlan, refusals, rowCounts } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch report",
	summary: "Write a batch's rows by outcome, checked against the plan",
	details:
		"A folder with accepted.csv, refused.csv, unsent.csv, doubt.csv, and report.html: one page for people with the totals, what is in doubt, what was refused and why, and who approved it. The CSV files have the columns of a batch's file, so that refused.csv can be corrected and planned again, plus the outcome of each row. Exit 1 where rows or sums differ from the plan. Changes nothing at the service; names are asked of the service, for at most a few seconds.",
	examples: {
		"pay batch report 7": "To the folder batch-7; --to names another",
		"pay batch report 7 --unmasked": "With the payments' references on its page",
	},
	operations: partyOperations.map(({ id }) => id),
	input: z.strictObject({
		batch: batchField(),
		to: z.optional(filePath("Folder to write to (batch-NUMBER)", { placeholder: "folder" })),
		unmasked: flag("Show references and reasons on the page; otherwise they are masked"),
	}),
	answer: () =>
		z.strictObject({
			...{ batch: z.string(), state: z.string(), begun: z.optional(z.string()), sending: z.boolean(), written: z.string() },
			...{ counts: rowCounts(), abandoned: z.optional(abandonedRest()), plan: batchPlan(), approvals: z.array(approval()) },
			...optionals(["plannerName", "folder"]),
			parts: z.record(z.string(), z.strictObject({ file: z.string(), rows: z.number(), sha256: z.optional(z.string()) })),
			totals: z.looseObject({}),
			refusals: refusals(),
			operators: z.array(z.string()),
			control: z.strictObject({ agrees: z.boolean() }),
		}),
	async run(context, { batch: named, to, unmasked }): Promise<Answer<WrittenReport>> {
		const { profile, dryRun } = await context.settings.read();
		const record = await batchNamed(context, named);
		const folder = to ?? `batch-${record.batch}`;
		const tools = { batches: await context.journal.batches(profile), files: context.files };
		const { value: first = [] } = await tools.batches.rows(record.batch)[Symbol.asyncIterator]().next();
		const transfers = first.map(({ transfer }: BatchRow) => transfer);
		const nameOf = await partyNames(context, transfers);
		const options = { unmasked, folder, madeBy: `purser ${context.system.version}`, shown: context.report.shown, nameOf };
		const report = await context.report.during("Writing the report", (update) =>
			writeReport(tools, {
				record,
				folder,
				settings: profile.settings,
				now: context.clock.now(),
				nameOf,
				page: (made, listed) => pageBytes(reportPage(made, listed, options)),
				dry: dryRun,
				progress: (rows) => update(`Writing the report: ${groupDigits(rows)} of ${groupDigits(record.plan.count)} rows`),
			}),
		);
		if (dryRun) context.report.warn("Dry run: nothing was written");
		const data: WrittenReport = { ...report, folder: dryRun ? undefined : folder };
		return { data, exit: data.control.agrees ? undefined : "bug", next: stepsAfter(data) };
	},
	text: reportText,
});
