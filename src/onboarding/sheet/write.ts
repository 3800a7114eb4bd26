/**
 * The cases of a spreadsheet as files of a folder, all or none.
 */

import { sha256 } from "../../api/digest.js";
import { slugOf } from "../../api/names.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { type CaseToWrite, caseText, caseToWrite, earlierCase, writeCaseFile } from "../export/write-case.js";
import type { SheetCompany } from "./companies.js";

/** One company and its file. */
export interface ImportedCase {
	externalId: string;
	name: string;
	path: string;
	state: CaseToWrite["state"];
	/** Rows of the spreadsheet. */
	rows: number[];
}

/**
 * Writes each company's case into a folder. An earlier file keeps its comments, its order, and what the spreadsheet does not have.
 * @param force whether files with other values are updated
 * @throws PurserError guard, naming every file that is there with other values; then, and with --dry-run, nothing is written
 */
export async function writeCases(
	context: Context,
	companies: readonly SheetCompany[],
	{ source, folder, force }: { source: string; folder: string; force: boolean },
): Promise<ImportedCase[]> {
	const files: { company: SheetCompany; file: CaseToWrite }[] = [];
	for (const company of companies) {
		const { externalId, document, rows } = company;
		const path = `${folder}/${fileName(externalId)}`;
		const comment = `Written by \`purser onboard import\` from ${source}, ${rowsText(rows)}. It holds personal data.`;
		const fresh = () => caseText(context, document, comment, path);
		files.push({ company, file: await caseToWrite(context, path, document, await earlierCase(context, path), fresh) });
	}
	const changed = files.filter(({ file }) => file.state === "changed").map(({ file }) => file.path);
	if (changed.length > 0 && !force) throw existing(changed);
	if (!context.settings.flags.dryRun) {
		await makeFolder(context, folder);
		for (const { file } of files) await writeCaseFile(context, file);
	}
	return files.map(({ company: { externalId, document, rows }, file: { path, state } }) => ({
		externalId,
		name: String((document.corporate as { corporateName?: unknown }).corporateName),
		path,
		state,
		rows,
	}));
}

/** The key itself where every system takes it as a name; else what is readable of it and a digest. */
function fileName(externalId: string): string {
	if (/^[a-z0-9][a-z0-9._-]{0,80}$/.test(externalId) && !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|\.$/.test(externalId))
		return `${externalId}.yaml`;
	return `${[slugOf(externalId), sha256(externalId).slice(0, 8)].filter(Boolean).join("-")}.yaml`;
}

function rowsText(rows: readonly number[]): string {
	const [first, last] = [rows[0] as number, rows.at(-1) as number];
	if (rows.length === 1) return `row ${first}`;
	return last - first + 1 === rows.length ? `rows ${first} to ${last}` : `rows ${rows.join(", ")}`;
}

/** Maximum number of files named in an error. */
const maxNamed = 20;

function existing(paths: readonly string[]): PurserError {
	const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : "";
	return new PurserError("guard", {
		code: "FILE_EXISTS",
		message: `${paths.length === 1 ? "One case file is" : `${paths.length} case files are`} there with other values: ${paths.slice(0, maxNamed).join(", ")}${more}. Nothing was written`,
		fix: "Choose another folder with --save, or add --force to update them; their comments, their order and what the spreadsheet does not have stay.",
	});
}

async function makeFolder(context: Context, folder: string): Promise<void> {
	try {
		await context.files.folder(folder);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "FILE_TROUBLE",
			message: `Cannot make the folder ${folder}`,
			why: troubleWords(cause),
			fix: "Check that you may write there.",
			cause,
		});
	}
}
