import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { getBeneficiary } from "../../../api/operations/beneficiary.js";
import { getLedger } from "../../../api/operations/ledger.js";
import { quantityOf } from "../../../api/quantity.js";
import { field } from "../../../api/schema.js";
import { serviceOf } from "../../../client/service.js";
import { writePlan } from "../../../payments/batch/plan/file.js";
import { fileFields } from "../../../payments/batch/plan/file-fields.js";
import { type Planned, planBatch } from "../../../payments/batch/plan/planning.js";
import { isSamePath } from "../../../payments/batch/report/paths.js";
import { plannedText, stepsBefore } from "../../../payments/batch/report/planned-text.js";
import { noteBatches } from "../../../payments/batch/send/completion-notes.js";
import { approvalNeeded, isDaily } from "../../../payments/rules/approval-needed.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "pay batch plan",
	summary: "Check a file of payments and plan it as one batch",
	details:
		"Reads CSV (comma, semicolon or tab; UTF-8, or UTF-16 as spreadsheets write it) or JSON Lines. Columns: ledgerFromId, ledgerToId or beneficiaryId, amount, and if wanted kind, currency, reference, allowFastPayment, allowInterLedger. Every row is checked before anything is planned: all errors of all rows are in FILE.errors.csv (exit 3). Nothing is sent; the plan is what `pay batch send` sends.",
	examples: [
		{ run: "pay batch plan payroll.csv", note: "Check, total, and write payroll.csv.plan.json" },
		{
			run: "pay batch plan export.csv --map amount=Betrag --map beneficiaryId=Empfaenger --from Savings",
			note: "Columns of other names, and one ledger for all rows",
		},
		{ run: "pay batch plan - --to payments.plan.json < payments.jsonl", note: "From standard input" },
	],
	effect: "read",
	decidesMoney: true,
	operations: [getLedger.id, getBeneficiary.id],
	input: z
		.strictObject({
			file: plain("CSV or JSON Lines; - for standard input", { positional: true, placeholder: "file", alias: "file" }),
			to: z.optional(plain("Where the plan is written (FILE.plan.json)", { placeholder: "path" })),
			...fileFields(),
			lossless: z.optional(
				field(z.boolean(), {
					description: "Write the cells of FILE.errors.csv unchanged, for programs; otherwise formulas in it are disabled",
				}),
			),
			despiteDuplicates: z.optional(
				field(z.string().check(z.regex(/^[1-9]\d{0,8}$/, "must be a number of rows")), {
					description: "How many rows may look like other payments; needs --reason",
					placeholder: "n",
				}),
			),
			despiteBatches: z.optional(
				field(z.string().check(z.regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, "must be numbers of batches, like 7 or 7,9")), {
					description: "Plan it although it looks like one of these earlier batches; needs --reason",
					placeholder: "batches",
				}),
			),
			reason: z.optional(plain("Why, for the record; no personal data", { placeholder: "text" })),
		})
		.check(
			z.superRefine((input, check) => {
				const said = input.despiteDuplicates !== undefined || input.despiteBatches !== undefined;
				if (said && !input.reason?.trim())
					check.addIssue({
						code: "custom",
						path: ["reason"],
						message: "is required with --despite-duplicates and --despite-batches, for the record",
					});
				if (input.to !== undefined && isSamePath(input.to, input.file))
					check.addIssue({ code: "custom", path: ["to"], message: "is the file itself, which the plan would replace; name another place" });
				if (input.file === "-" && input.to === undefined)
					check.addIssue({ code: "custom", path: ["to"], message: "is required with standard input: where the plan is written" });
			}),
		),
	run: async (context, input): Promise<Planned & { batch?: string; path?: string }> => {
		const { file, map = [], to = `${file}.plan.json`, lossless = false, despiteDuplicates, despiteBatches, reason, ...given } = input;
		const { dryRun } = await context.settings();
		const hours = (await context.explained()).find(({ key }) => key === "plan-hours")?.value ?? "24";
		const despite =
			reason === undefined
				? undefined
				: {
						...(despiteDuplicates === undefined ? {} : { duplicates: quantityOf(despiteDuplicates) }),
						...(despiteBatches === undefined ? {} : { batches: despiteBatches.split(",") }),
						reason,
					};
		const planned = await context.reporter.during("Checking every row", () =>
			planBatch(context, serviceOf(context), {
				file,
				map,
				given: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
				faultsTo: `${file === "-" ? to : file}.errors.csv`,
				lossless,
				despite,
				hours: quantityOf(hours),
				dry: dryRun,
			}),
		);
		if (dryRun) return planned;
		const { profile } = await context.settings();
		try {
			await writePlan(context.files, to, { plan: planned.plan, approvals: [] });
		} catch (error) {
			await (await context.batches(profile)).discard(planned.plan.batch);
			throw error;
		}
		noteBatches(context.completionCache, profile, [planned.plan]);
		return { batch: planned.plan.batch, ...planned, path: to };
	},
	text: plannedText,
	next: (planned, { file, map, ...input }) => {
		const { path, plan } = planned;
		if (path === undefined) return [];
		const flags = map !== undefined || Object.keys(fileFields()).some((name) => input[name as keyof typeof input] !== undefined);
		const before = stepsBefore(planned, { path, file, flags });
		const approve = approvalNeeded(plan, plan.settings)
			? [{ ...purser`pay batch approve ${{ path }}`, remark: "somebody else" }]
			: isDaily(plan.settings)
				? [
						{
							...purser`pay batch approve ${{ path }}`,
							remark: "somebody else, if the day's payments exceed the limit",
						},
					]
				: [];
		return before.length > 0 ? before : [...approve, purser`pay batch send ${{ path }}`];
	},
});
