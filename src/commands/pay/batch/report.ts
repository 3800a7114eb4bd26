import { dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { groupDigits } from "../../../api/amount.js";
import { filePath, flag } from "../../../api/fields.js";
import { type Answer, defineCommand } from "../../../cli/command.js";
import { PurserError } from "../../../errors.js";
import { pageBytes } from "../../../pages/page.js";
import { requirePlace, writePage } from "../../../pages/write.js";
import { reportPage } from "../../../payments/batch/page/report-page.js";
import { writeReport } from "../../../payments/batch/report/report.js";
import { parts } from "../../../payments/batch/report/row.js";
import { reportText, stepsAfter, type WrittenReport } from "../../../payments/batch/report/text.js";
import { batchField, batchNamed, planPathOf } from "../../../payments/batch/send/named.js";
import { withSandbox } from "../../../payments/rules/journal-here.js";
import { namesSeen } from "../../../payments/rules/parties.js";
import type { BatchRecord } from "../../../ports/batches.js";

export default defineCommand({
	path: "pay batch report",
	summary: "Write a batch's rows by outcome, checked against the plan",
	details:
		"A folder with accepted.csv, refused.csv, unsent.csv, doubt.csv and report.json. The CSV files have the columns of a batch's file, so that refused.csv can be corrected and planned again, plus the outcome of each row. With --html also one page for people: totals, what is in doubt, what was refused and why, and who approved it. Exit 1 where rows or sums differ from the plan. Sends nothing to a live service; a sandbox is asked whether it is still the same one.",
	examples: [
		{ run: "pay batch report 7", note: "To the folder batch-7" },
		{ run: "pay batch report payroll.csv.plan.json --to reports/march", note: "To another folder" },
		{ run: "pay batch report 7 --html batch-7.html", note: "With a page to look at, print or pass on" },
	],
	effect: "read",
	operations: [],
	input: z
		.strictObject({
			batch: batchField(),
			to: z.optional(filePath("Folder to write to (batch-NUMBER)", { placeholder: "folder" })),
			html: z.optional(filePath("Write a page of the report to this file", { placeholder: "file" })),
			unmasked: flag("Show the payments' references on the page; otherwise they are masked"),
			force: flag("Replace the file of --html, whatever it is"),
		})
		.check(
			z.superRefine(({ html, unmasked, force }, check) => {
				if (html === "" || html === "-")
					check.addIssue({ code: "custom", path: ["html"], message: "is the name of a file, like batch.html" });
				if (html !== undefined) return;
				if (unmasked) check.addIssue({ code: "custom", path: ["unmasked"], message: "goes with --html" });
				if (force) check.addIssue({ code: "custom", path: ["force"], message: "goes with --html" });
			}),
		),
	async run(context, { batch: named, to, html: pagePath, unmasked, force }) {
		const { profile, dryRun } = await context.settings.read();
		const record = await batchNamed(context, named);
		const folder = to ?? `batch-${record.batch}`;
		if (pagePath !== undefined) {
			refuseClash(pagePath, folder, named, record);
			// Writing a million rows takes a while.
			await requirePlace(context.files, pagePath, force);
		}
		const tools = { batches: await context.journal.batches(profile), files: context.files };
		const nameOf = await namesSeen(context, profile);
		const report = await context.report.during("Writing the report", (update) =>
			writeReport(tools, {
				record,
				folder,
				settings: profile.settings,
				now: context.clock.now(),
				nameOf,
				listing: pagePath !== undefined,
				dry: dryRun,
				progress: (rows) => update(`Writing the report: ${groupDigits(rows)} of ${groupDigits(record.plan.count)} rows`),
			}),
		);
		if (dryRun) context.report.warn("Dry run: nothing was written");
		const planPath = await planPathOf(context, named, record);
		const earlierSandbox = (await withSandbox(context, profile, [record]))[0]?.earlierSandbox;
		const written = {
			...report,
			...(planPath === undefined ? {} : { planPath }),
			...(earlierSandbox && { earlierSandbox }),
			folder: dryRun ? undefined : folder,
		};
		if (pagePath === undefined || dryRun) return answerOf(written);
		const page = reportPage(written, { unmasked, madeBy: `purser ${context.system.version}`, shown: context.report.shown });
		const html = await writePage(context.files, pagePath, pageBytes(page), force).catch((error: unknown) => {
			throw unwrittenPage(error, folder);
		});
		return answerOf({ ...written, html });
	},
	text: ({ folder, ...report }, style) => reportText(report, folder, style),
});

const answerOf = <R extends WrittenReport>(data: R): Answer<R> => ({
	data,
	exit: data.control.agrees ? undefined : "bug",
	next: stepsAfter(data),
});

/**
 * Refuses a page in the place of the batch's file, its plan or another file of the report, before anything is written.
 * @param named what the batch was named by: its number, or the path of its plan
 * @throws PurserError usage
 */
export function refuseClash(page: string, folder: string, named: string, { plan }: Pick<BatchRecord, "plan">): void {
	const reserved = [
		folder,
		...Object.keys(parts).map((name) => join(folder, `${name}.csv`)),
		join(folder, "report.json"),
		...(named === plan.batch ? [] : [named, join(dirname(named), plan.source)]),
		...(plan.source === "-" ? [] : [plan.source, `${plan.source}.plan.json`]),
	];
	const clash = reserved.find((path) => placeOf(path) === placeOf(page));
	if (clash === undefined) return;
	throw new PurserError("usage", {
		code: "PATH_CLASH",
		message: `${page} is ${clash === folder ? "the report's folder" : "a file of this batch"}, so the page cannot be written there; nothing was written`,
		fix: "Give --html another file, like batch.html.",
	});
}

/** Some disks do not tell capitals from small letters. */
const placeOf = (path: string): string => resolve(path).toLowerCase();

/** The error for a page that was not written, which says what was. */
export function unwrittenPage(error: unknown, folder: string): unknown {
	if (!(error instanceof PurserError)) return error;
	const { failure } = error;
	return new PurserError(error.kind, {
		...failure,
		message: `The report is complete in ${folder}, but its page was not written: ${failure.message}`,
		cause: error,
	});
}
