import * as z from "zod/mini";
import { purser, quotedPath } from "../../api/advice.js";
import { sha256 } from "../../api/digest.js";
import { filePath, fitting } from "../../api/fields.js";
import { slugOf } from "../../api/names.js";
import { field, withRecords } from "../../api/schema.js";
import { fileNotRead } from "../../api/text/trouble.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { caseText } from "../../onboarding/case/template.js";
import { makeFolder, saveDocument } from "../../onboarding/evidence/documents.js";
import { readCompanies, type SheetCompany, sheetTemplate } from "../../onboarding/sheet/companies.js";
import { CsvReader, type CsvRecord, textOf } from "../../payments/rules/csv.js";

/** Maximum size of a spreadsheet, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** One company and its file, which is left alone where it is there already; `rows` of the spreadsheet. */
const importedCase = () =>
	z.strictObject({
		...{ externalId: z.string(), name: z.string(), path: z.string() },
		...{ state: z.enum(["new", "left alone"]), rows: z.array(z.number()) },
	});
const imported = () =>
	z.strictObject({
		...{ folder: z.string(), cases: z.array(importedCase()) },
		...{ dryRun: z.optional(z.boolean()), raw: z.optional(z.string()) },
	});
type ImportedCase = z.output<ReturnType<typeof importedCase>>;

export default defineCommand({
	path: "onboard import",
	summary: "Make case files from a spreadsheet of companies",
	details:
		"One row for each person or owning company; corporate.externalId, the company's key, joins the rows of one company. Its own values (corporate.…, terms.…) stand in one of its rows, or the same in each. Columns may stand in any order. The file is CSV in UTF-8 with comma, semicolon or tab; dates are written YYYY-MM-DD. Every fault is told at once, by row and column, and then nothing is written. Case files that are there are left alone. Nothing is sent.",
	examples: {
		"onboard import --print-template csv > companies.csv": "A spreadsheet to fill in",
		"onboard import companies.csv": "One case file per company, in the folder cases",
		"onboard import companies.csv --save cases/march": "In another folder",
	},
	input: fitting(
		z.strictObject({
			file: z.optional(filePath("The spreadsheet as CSV; - for standard input", { positional: true, placeholder: "file", alias: "file" })),
			save: z._default(
				filePath("Folder for the case files, readable by you only; made where it is not there", { placeholder: "folder" }),
				"cases",
			),
			printTemplate: z.optional(field(z.enum(["csv"]), { description: "Write a spreadsheet to fill in" })),
		}),
		({ file, printTemplate }) => [file === undefined && printTemplate === undefined && ["file", "is required"]],
	),
	answer: () => withRecords(imported(), importedCase()),
	async run(context, { file, save, printTemplate }): Promise<Answer<z.output<ReturnType<typeof imported>>>> {
		if (file === undefined || printTemplate !== undefined) {
			const raw = sheetTemplate();
			return { data: { folder: save, cases: [], raw }, lines: [], raw };
		}
		const { dryRun } = context.settings.flags;
		const name = file === "-" ? "standard input" : file;
		const companies = await readCompanies(context, await recordsOf(context, file, name), name);
		const folder = dryRun ? save : await makeFolder(context, save);
		const there = new Set(await context.files.list(folder));
		const cases: ImportedCase[] = [];
		for (const company of companies) {
			const { externalId, rows } = company;
			const { corporateName } = company.document.corporate as { corporateName?: unknown };
			const path = `${folder}/${fileName(externalId)}`;
			const state = there.has(fileName(externalId)) ? "left alone" : "new";
			if (state === "new" && !dryRun) await write(context, path, company, name);
			cases.push({ externalId, name: String(corporateName), path, state, rows });
		}
		const data = { folder, cases, ...(dryRun && { dryRun: true }) };
		return { data, lines: cases, next: dryRun ? [] : [planCommand(folder, cases)] };
	},
	text: ({ folder, cases, dryRun }, style) => {
		const left = cases.filter(({ state }) => state === "left alone").length;
		const counts = `${cases.length - left} new${left === 0 ? "" : `, ${left} there already and left alone`}`;
		const files = `${cases.length} case file${cases.length === 1 ? "" : "s"} in ${folder}: ${counts}`;
		const table = style.table(
			["company", "key", "file", "state"],
			cases.map(({ name, externalId, path, state }) => [name, externalId, path, state]),
		);
		return `${style.good(`${files}${dryRun ? " (a dry run: nothing was written)" : ""}`)}\n\n${table}`;
	},
});

/** A few files by name; of many, the pattern that the shell expands. */
function planCommand(folder: string, cases: readonly ImportedCase[]): Advice {
	if (cases.length <= 3) return purser`onboard plan ${cases.map(({ path }) => ({ path }))}`;
	return { words: ["onboard", "plan", `${quotedPath(folder)}/*.yaml`] };
}

/** The key itself where it is a plain name; else what is readable of it and a digest. */
function fileName(externalId: string): string {
	const plain = /^[a-z0-9][a-z0-9_-]{0,80}$/.test(externalId);
	return `${plain ? externalId : `${slugOf(externalId)}-${sha256(externalId).slice(0, 8)}`}.yaml`;
}

async function write(context: Context, path: string, { document, rows }: SheetCompany, source: string): Promise<void> {
	const from = source.split(/[/\\]/).at(-1);
	const comment = `Written by \`purser onboard import\` from ${from}, row${rows.length === 1 ? "" : "s"} ${rows.join(", ")}. It holds personal data.`;
	await saveDocument(context, path, new TextEncoder().encode(await caseText(context, document, comment, path)));
}

async function recordsOf(context: Context, file: string, name: string): Promise<CsvRecord[]> {
	const reader = new CsvReader(name);
	const records: CsvRecord[] = [];
	for await (const piece of textOf(bytesOf(context, file, name), name)) for (const record of reader.push(piece)) records.push(record);
	return [...records, ...reader.end()];
}

async function* bytesOf({ files, system }: Context, file: string, name: string): AsyncGenerator<Uint8Array> {
	try {
		yield file === "-" ? await system.terminal.stdin.read(maxBytes) : await files.read(file, maxBytes);
	} catch (cause) {
		throw fileNotRead(name, cause);
	}
}
