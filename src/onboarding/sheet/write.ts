/**
 * The cases of a spreadsheet as files of a folder.
 */

import { sha256 } from "../../api/digest.js";
import { slugOf } from "../../api/names.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { caseText } from "../case/template.js";
import { saveDocument } from "../evidence/documents.js";
import type { SheetCompany } from "./companies.js";

/** One company and its file. */
export interface ImportedCase {
	externalId: string;
	name: string;
	path: string;
	/** A file that is there is left as it is, whatever the spreadsheet says. */
	state: "new" | "left alone";
	/** Rows of the spreadsheet. */
	rows: number[];
}

/**
 * Writes each company's case into a folder. What is there is left alone.
 * @throws PurserError usage, where a file cannot be written
 */
export async function writeCases(
	context: Context,
	companies: readonly SheetCompany[],
	{ source, folder }: { source: string; folder: string },
): Promise<ImportedCase[]> {
	const { dryRun } = context.settings.flags;
	if (!dryRun) await makeFolder(context, folder);
	const there = new Set(await context.files.list(folder));
	const cases: ImportedCase[] = [];
	for (const { externalId, document, rows } of companies) {
		const name = fileName(externalId);
		const path = `${folder}/${name}`;
		const comment = `Written by \`purser onboard import\` from ${source}, ${rowsText(rows)}. It holds personal data.`;
		const isNew = !there.has(name);
		if (isNew && !dryRun)
			await saveDocument(context, path, new TextEncoder().encode(await caseText(context, document, comment, path)), false);
		const company = String((document.corporate as { corporateName?: unknown }).corporateName);
		cases.push({ externalId, name: company, path, state: isNew ? "new" : "left alone", rows });
	}
	return cases;
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
