import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { flag, plain } from "../../../api/fields.js";
import { writeReport } from "../../../payments/batch/report/report.js";
import { reportText } from "../../../payments/batch/report/text.js";
import { batchField, batchNamed, planPathOf } from "../../../payments/batch/send/named.js";
import { nextSteps } from "../../../payments/batch/send/text.js";
import { namesSeen } from "../../../payments/rules/parties.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "pay batch report",
	summary: "Write a batch's rows by outcome, checked against the plan",
	details:
		"A folder with accepted.csv, refused.csv, unsent.csv, doubt.csv and report.json. The CSV files have the columns of a batch's file, so that refused.csv can be corrected and planned again, plus the outcome of each row. Exit 1 where rows or sums differ from the plan. Does not contact the service.",
	examples: [
		{ run: "pay batch report 7", note: "To the folder batch-7" },
		{ run: "pay batch report payroll.csv.plan.json --to reports/march", note: "To another folder" },
		{ run: "pay batch report 7 --lossless --json", note: "Cells exactly as planned, for programs" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		batch: batchField(),
		to: z.optional(plain("Folder to write to (batch-NUMBER)", { placeholder: "folder" })),
		lossless: flag("Cells exactly as planned; otherwise formulas in them are disabled"),
	}),
	run: async (context, { batch: named, to, lossless }) => {
		const { profile, dryRun } = await context.settings();
		const record = await batchNamed(context, named);
		const folder = to ?? `batch-${record.batch}`;
		const tools = { batches: await context.batches(profile), files: context.files };
		const nameOf = await namesSeen(context, profile);
		const report = await context.reporter.during("Writing the report", (update) =>
			writeReport(tools, {
				record,
				folder,
				lossless,
				settings: profile.settings,
				now: context.clock.now(),
				nameOf,
				dry: dryRun,
				progress: (rows) => update(`Writing the report: ${groupDigits(rows)} of ${groupDigits(record.plan.count)} rows`),
			}),
		);
		if (dryRun) context.reporter.warn("Dry run: nothing was written");
		const planPath = await planPathOf(context, named, record);
		return { ...report, ...(planPath === undefined ? {} : { planPath }), folder: dryRun ? undefined : folder };
	},
	text: ({ folder, ...report }, style) => reportText(report, folder, style),
	outcomes: ["bug"],
	outcome: ({ control }) => (control.agrees ? undefined : "bug"),
	next: ({ folder, parts, ...report }) => [
		...(parts.refused.rows > 0 && folder !== undefined ? [purser`pay batch plan ${{ path: `${folder}/${parts.refused.file}` }}`] : []),
		...(report.state === "abandoned" && parts.unsent.rows > 0 && folder !== undefined
			? [purser`pay batch plan ${{ path: `${folder}/${parts.unsent.file}` }}`]
			: []),
		...nextSteps(report).filter((step) => step.words[2] !== "report"),
	],
});
