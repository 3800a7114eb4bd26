import * as z from "zod/mini";
import { purser, quotedPath } from "../../api/advice.js";
import { filePath } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { readCompanies } from "../../onboarding/sheet/check.js";
import { sheetTemplate } from "../../onboarding/sheet/template.js";
import { type ImportedCase, writeCases } from "../../onboarding/sheet/write.js";
import { CsvReader, type CsvRecord, textOf } from "../../payments/rules/csv.js";

/** Maximum size of a spreadsheet, in bytes. */
const maxBytes = 64 * 1024 * 1024;

interface Imported {
	folder: string;
	cases: ImportedCase[];
	/** Nothing was written. */
	dryRun?: boolean;
	/** The template. */
	raw?: string;
}

export default defineCommand({
	path: "onboard import",
	summary: "Make case files from a spreadsheet of companies",
	details:
		"One row for each person or owning company; corporate.externalId, the company's key, joins the rows of one company. Its own values (corporate.…, terms.…) stand in one of its rows, or the same in each. Columns may stand in any order. The file is CSV in UTF-8 with comma, semicolon or tab; dates are written YYYY-MM-DD. Every fault is told at once, by row and column, and then nothing is written. Nothing is sent.",
	examples: [
		{ run: "onboard import --print-template csv > companies.csv", note: "A spreadsheet to fill in" },
		{ run: "onboard import companies.csv", note: "One case file per company, in the folder cases" },
		{ run: "onboard import companies.csv --save cases/march --force", note: "Bring earlier case files up to date; their comments stay" },
	],
	effect: "read",
	standalone: true,
	operations: [],
	input: z
		.strictObject({
			file: z.optional(filePath("The spreadsheet as CSV; - for standard input", { positional: true, placeholder: "file", alias: "file" })),
			save: z._default(
				filePath("Folder for the case files, readable by you only; made where it is not there", { placeholder: "folder" }),
				"cases",
			),
			printTemplate: z.optional(field(z.enum(["csv"]), { description: "Write a spreadsheet to fill in" })),
		})
		.check(
			z.superRefine(({ file, printTemplate }, context) => {
				if (file === undefined && printTemplate === undefined) context.addIssue({ code: "custom", path: ["file"], message: "is required" });
			}),
		),
	async run(context, { file, save, printTemplate }): Promise<Answer<Imported>> {
		if (file === undefined || printTemplate !== undefined) {
			const raw = sheetTemplate();
			return { data: { folder: save, cases: [], raw }, lines: [], raw };
		}
		const name = file === "-" ? "standard input" : file;
		const companies = readCompanies(context, await recordsOf(context, file, name), name);
		const folder = save.replace(/[/\\]+$/, "") || save;
		const source = file === "-" ? name : (file.split(/[/\\]/).at(-1) as string);
		const cases = await writeCases(context, companies, { source, folder });
		const { dryRun } = context.settings.flags;
		return {
			data: { folder, cases, ...(dryRun ? { dryRun: true } : {}) },
			lines: cases,
			next: dryRun ? [] : [planCommand(folder, cases)],
		};
	},
	text: ({ folder, cases, dryRun }, style) => {
		const count = (state: ImportedCase["state"]): number => cases.filter((one) => one.state === state).length;
		const counts = `${count("new")} new${count("left alone") === 0 ? "" : `, ${count("left alone")} there already and left alone`}`;
		return [
			style.good(
				`${cases.length} case file${cases.length === 1 ? "" : "s"} in ${folder}: ${counts}${dryRun ? " (a dry run: nothing was written)" : ""}`,
			),
			"",
			style.table(
				["company", "key", "file", "state"],
				cases.map(({ name, externalId, path, state }) => [name, externalId, path, state]),
			),
		].join("\n");
	},
});

/** A few files by name; of many, the pattern that the shell expands. */
function planCommand(folder: string, cases: readonly ImportedCase[]): Advice {
	if (cases.length <= 3) return purser`onboard plan ${cases.map(({ path }) => ({ path }))}`;
	return { words: ["onboard", "plan", `${quotedPath(folder)}/*.yaml`] };
}

async function recordsOf(context: Context, file: string, name: string): Promise<CsvRecord[]> {
	const reader = new CsvReader(name);
	const records: CsvRecord[] = [];
	for (const piece of await decoded(await bytesOf(context, file, name), name))
		for (const record of reader.push(piece)) records.push(record);
	for (const record of reader.end()) records.push(record);
	return records;
}

async function decoded(bytes: Uint8Array, name: string): Promise<string[]> {
	const pieces: string[] = [];
	try {
		for await (const piece of textOf(one(bytes), name)) pieces.push(piece);
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		throw new PurserError(error.kind, {
			...error.failure,
			message: `${error.message}; nothing was written`,
			fix: saveAsUtf8,
			cause: error,
		});
	}
	return pieces;
}

const saveAsUtf8 =
	"Save it again as CSV in UTF-8, and run this again. LibreOffice: Save As, Text CSV, Edit filter settings, Character set Unicode (UTF-8). Excel: Save As, CSV UTF-8.";

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

async function bytesOf({ files, system }: Context, file: string, name: string): Promise<Uint8Array> {
	try {
		return file === "-" ? await system.terminal.stdin.read(maxBytes) : await files.read(file, maxBytes);
	} catch (cause) {
		throw new PurserError("usage", {
			code: cause instanceof RangeError ? "INPUT_TOO_LARGE" : "INPUT_UNREADABLE",
			message: `Cannot read ${name}; nothing was written`,
			why: troubleWords(cause),
			fix: "Check the path; - stands for standard input.",
			cause,
		});
	}
}
