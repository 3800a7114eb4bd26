import { basename } from "node:path";
import * as z from "zod/mini";
import { adviceText, purser } from "../../../api/advice.js";
import { optionals } from "../../../api/answer.js";
import { filePath, fitting, flag, formed, plain } from "../../../api/fields.js";
import { quantityOf } from "../../../api/quantity.js";
import { plainId } from "../../../api/text/ids.js";
import { type Answer, defineCommand } from "../../../cli/command.js";
import { type Advice, PurserError, rowName } from "../../../errors.js";
import { pageBytes } from "../../../pages/page.js";
import { requirePlace, type WrittenPage, writePage } from "../../../pages/write.js";
import { approvalPage } from "../../../payments/batch/page/page.js";
import { fileFields, template } from "../../../payments/batch/plan/columns.js";
import { directoryReads } from "../../../payments/batch/plan/directory.js";
import { isSamePath, pageOfPlan, shareFiles, writePlan } from "../../../payments/batch/plan/file.js";
import { ledgersTable, mostShown, rowsTable } from "../../../payments/batch/plan/findings.js";
import { type Planned, planBatch } from "../../../payments/batch/plan/planning.js";
import { totalInRows } from "../../../payments/batch/plan/totals.js";
import { refusalOf } from "../../../payments/batch/send/guards.js";
import { planWarnings } from "../../../payments/batch/send/preview.js";
import { approvalNeeded, isDaily } from "../../../payments/rules/approval-needed.js";
import type { TeamPlan } from "../../../ports/batches.js";
import type { Style } from "../../../ports/style.js";
import { batchPlan, findings, foundDuplicates, writtenPage } from "../../families/answers.js";

type Made = Planned & { batch?: string; path?: string; html?: WrittenPage };

export default defineCommand({
	path: "pay batch plan",
	summary: "Check a file of payments and plan it as one batch",
	details:
		"Reads CSV as a spreadsheet program saves it. Columns: From, To, Amount, and if wanted Reference, Currency, allowFastPayment, allowInterLedger; usual other names are known, German ones too (Von, An, Betrag, Verwendungszweck). From is a ledger, To a ledger or a payee: its id, exact name or externalId. What fits both or several is refused; a column Beneficiary or ledgerToId in the place of To says which. Amounts may have a decimal comma or point and groups (1.250,00); the whole column tells which, or --decimal. Rows are named as your spreadsheet program numbers them. Every row is checked before anything is planned, and what is wrong is told by row (exit 3; --json lists up to 1 000 errors). --page writes one page beside the plan with the totals, possible duplicates and payees never paid before; the plan keeps its SHA-256, and `pay batch approve` compares the page. Nothing is sent; the plan is what `pay batch send` sends.",
	examples: {
		"pay batch plan payroll.csv": "Check, total, and write payroll.csv.plan.json",
		"pay batch plan --print-template > payroll.csv": "An example to fill in",
		"pay batch plan export.csv --from Savings": "One ledger for all rows",
		"pay batch plan payroll.csv --page": "With a page for the person who approves it",
		"pay batch plan - --to payments.plan.json < payments.csv": "From standard input",
	},
	operations: directoryReads,
	input: fitting(
		z.strictObject({
			file: z.optional(
				filePath("The file of payments, as CSV; - for standard input", { positional: true, placeholder: "file", alias: "file" }),
			),
			to: z.optional(filePath("Where the plan is written (FILE.plan.json)", { placeholder: "path" })),
			...fileFields(),
			printTemplate: flag("Write an example file"),
			page: flag("Also write a page for the person who approves the plan, beside it: totals, possible duplicates, new payees"),
			share: z.optional(
				plain("Let this group of the system read the plan and its page, in a folder that its approvers share", { placeholder: "group" }),
			),
			unmasked: flag("Show names of persons on the page; otherwise they are masked"),
			despiteDuplicates: z.optional(
				formed(/^[1-9]\d{0,8}$/, "a number of rows", "How many rows may look like other payments; needs --reason", { placeholder: "n" }),
			),
			reason: z.optional(plain("Why, for the record; no personal data", { placeholder: "text" })),
		}),
		({ page, unmasked, file, printTemplate, despiteDuplicates, reason, to: given }) => {
			const to = given ?? `${file}.plan.json`;
			return [
				despiteDuplicates !== undefined && !reason?.trim() && ["reason", "is required with --despite-duplicates, for the record"],
				file === undefined && !printTemplate && ["file", "is required"],
				file !== undefined && isSamePath(to, file) && ["to", "is the file itself, which the plan would replace; name another place"],
				unmasked && !page && ["unmasked", "is for --page only"],
				page &&
					file !== undefined &&
					isSamePath(file, pageOfPlan(to)) && ["to", "would put the page in the file's place; name another place"],
				file === "-" && given === undefined && ["to", "is required with standard input: where the plan is written"],
			];
		},
	),
	answer: () =>
		z.union([
			z.strictObject({
				...{ batch: z.optional(z.string()), plan: batchPlan(), foundDuplicates: foundDuplicates(), findings: findings() },
				balances: z.array(z.strictObject({ ledgerFromId: z.string(), ...optionals(["available", "currency", "name", "status"]) })),
				dry: z.array(z.strictObject({ ledgerFromId: z.string(), row: z.number() })),
				...{ ignored: z.array(z.string()), path: z.optional(z.string()), html: z.optional(writtenPage()) },
				amountRead: z.optional(
					z.strictObject({ row: z.number(), reference: z.optional(z.string()), cell: z.string(), amount: z.string() }),
				),
			}),
			z.strictObject({ template: z.string() }),
		]),
	async run(context, input): Promise<Answer<Made | { template: string }>> {
		const { file, decimal, to = `${file}.plan.json`, despiteDuplicates, reason, ...more } = input;
		const { page, unmasked, printTemplate, share, ...given } = more;
		if (file === undefined || printTemplate) return { data: { template }, lines: [], raw: template };
		const { dryRun, profile } = await context.settings.read();
		const pagePath = pageOfPlan(to);
		if (share !== undefined && context.system.platform === "win32") throw noGroups();
		// Before the rows are read, which takes long; it is checked again when it is written.
		if (page) await requirePlace(context.files, pagePath);
		const approve = adviceText(purser`pay batch approve ${{ path: basename(to) }}`);
		const pageOf = async (planned: Planned) => {
			const seen = (await context.names.seen.read(profile)).filter(({ kind, personal }) => kind === "beneficiary" && !personal);
			const companies = new Map(seen.map(({ id, name }) => [plainId(id), name || undefined]));
			const nameOf = (id: string) => companies.get(plainId(id));
			return pageBytes(approvalPage({ ...planned, unmasked, madeBy: `purser ${context.system.version}`, approve, nameOf }));
		};
		const despite = despiteDuplicates === undefined ? undefined : { duplicates: quantityOf(despiteDuplicates), reason: reason as string };
		const { page: bytes, ...planned } = await context.report.during("Checking every row", (progress) =>
			planBatch(context, {
				file,
				decimal,
				given: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
				despite,
				dry: dryRun,
				page: page && !dryRun ? pageOf : undefined,
				progress,
			}),
		);
		if (dryRun) return { data: planned };
		let html: WrittenPage | undefined;
		let isPlanWritten = false;
		try {
			await writePlan(context.files, to, { plan: planned.plan, approvals: [] });
			isPlanWritten = true;
			html = bytes && (await writePage(context.files, pagePath, bytes));
			if (share !== undefined) await shareFiles(context.system.processes, share, [to, ...(html ? [pagePath] : [])]);
		} catch (error) {
			await (await context.journal.batches(profile)).discard(planned.plan.batch);
			for (const written of [...(isPlanWritten ? [to] : []), ...(html ? [pagePath] : [])])
				await context.files.remove(written).catch(() => {});
			throw error;
		}
		const made = { batch: planned.plan.batch, ...planned, path: to, ...(html && { html }) };
		return { data: made, next: nextAfter(made, await (await context.journal.batches(profile)).team?.of(made.batch)) };
	},
	text: (data, style) => ("template" in data ? data.template : plannedText(data, style)),
});

const noGroups = (): PurserError =>
	new PurserError("usage", {
		code: "PLAN_NOT_SHARED",
		message: "Windows has no groups that a plan's file could be shared with; nothing was planned",
		fix: "Leave --share out, and let the folder's own permissions say who reads it.",
	});

function nextAfter({ path, plan, foundDuplicates }: Made & { path: string }, team: TeamPlan | undefined): readonly Advice[] {
	const refusal = refusalOf(plan, foundDuplicates);
	if (refusal !== undefined) return [refusal.failure.fix];
	const named = team?.batch ?? { path };
	const approve = purser`pay batch approve ${named}`;
	const send = purser`pay batch send ${named}`;
	if (team?.needed || approvalNeeded(plan, plan.settings)) return [{ ...approve, remark: "somebody else" }, send];
	if (isDaily(plan.settings)) return [{ ...approve, remark: "somebody else, if the day's payments exceed the limit" }, send];
	return [send];
}

type Words = Pick<Style, "good" | "warn" | "dim" | "pairs" | "table" | "time" | "columns" | "wrapped">;

export function plannedText(planned: Planned & { path?: string; html?: { path: string } }, style: Words): string {
	const { plan, path, findings, balances, dry } = planned;
	const tables = [rowsTable(findings.first.slice(0, mostShown), plan.count), ledgersTable(plan, balances, dry)];
	const notes = notesOf(planned).map((text) => `${style.warn("Note:")} ${style.wrapped(text, style.columns - 6).join("\n      ")}`);
	return [
		style.good(
			path === undefined ? "Every row can be paid (dry run: no plan was kept)" : `Batch ${plan.batch} is planned; nothing was sent`,
		),
		...tables.flatMap(({ columns, rows, below }) => ["", style.table(columns, rows), ...(below === undefined ? [] : [style.dim(below)])]),
		"",
		...(notes.length === 0 ? [] : [...notes, ""]),
		style.pairs({ Total: totalInRows(plan), Plan: path, Page: planned.html?.path, "Valid until": style.time(plan.expires) }),
	].join("\n");
}

function notesOf({ ignored, amountRead: read, ...planned }: Planned): string[] {
	return [
		...planWarnings(planned),
		...(read === undefined ? [] : [`Amounts are read as the file writes them: "${read.cell}" in ${rowName(read)} is ${read.amount}`]),
		...(ignored.length > 0 ? [`Ignored columns: ${ignored.join(", ")}`] : []),
	];
}
