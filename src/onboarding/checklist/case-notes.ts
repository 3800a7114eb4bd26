/**
 * Who looks after a company and the notes about it, from its case file. No field but these is looked at, and a file that
 * cannot be read is only warned of.
 */

import { adviceText } from "../../api/advice.js";
import { type Received, textAt } from "../../api/answer.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

export interface CaseNotes {
	externalId: string;
	/** The file, with the document's number where it has several. */
	file: string;
	assignee?: string;
	notes?: string;
}

/**
 * Reads the notes of case files; what cannot be read is warned of.
 * @param given files, folders' patterns such as `cases/*.yaml`, in which only the name may have `*` and `?`
 * @throws PurserError usage, where a pattern fits no file
 */
export async function readCaseNotes(context: Context, given: readonly string[]): Promise<CaseNotes[]> {
	const found: CaseNotes[] = [];
	for (const pattern of given)
		for (const path of await filesOf(context, pattern)) {
			const notes = await notesIn(context, path);
			for (const one of notes) found.push(one);
		}
	return found;
}

async function notesIn(context: Context, path: string): Promise<CaseNotes[]> {
	const warned = (error: unknown): undefined => {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		const { why } = error.failure;
		context.report.warn(`No notes from ${path}: ${why === undefined ? error.message : adviceText(why)}`);
	};
	const documents = (await context.files.documents.readAll(path).catch(warned)) ?? [];
	return documents.flatMap(({ name, read }): CaseNotes[] => {
		try {
			const content = read() as Received;
			const externalId = textAt(content, "corporate.externalId");
			if (externalId !== undefined)
				return [{ externalId, file: name, assignee: textAt(content, "assignee"), notes: textAt(content, "notes")?.trim() }];
			context.report.warn(`No notes from ${name}: it names no company`);
		} catch (error) {
			warned(error);
		}
		return [];
	});
}

/** The shell expands a pattern where it stands without quotes; in quotes it comes here. */
async function filesOf({ files }: Context, pattern: string): Promise<readonly string[]> {
	const [, folder = "", name = ""] = /^(.*[/\\])?([^/\\]*)$/.exec(pattern) ?? [];
	if (!/[*?]/.test(name)) return [pattern];
	const fits = new RegExp(
		`^${name
			.replace(/[.+^${}()|[\]\\]/g, "\\$&")
			.replaceAll("*", ".*")
			.replaceAll("?", ".")}$`,
	);
	let names: readonly string[] = [];
	let why: string | undefined;
	try {
		names = (await files.list(folder.replace(/[/\\]$/, "") || (folder === "" ? "." : folder))).filter((one) => fits.test(one));
	} catch (cause) {
		why = troubleWords(cause);
	}
	if (names.length > 0) return [...names].sort().map((one) => folder + one);
	throw new PurserError("usage", {
		code: "NO_CASE_FILES",
		message: `No file fits ${pattern}`,
		why,
		fix: "Check the folder and the name; * and ? are read in the last part only.",
	});
}

/** The notes of a company: externalIds are the same in either form of their letters. */
export function notesOf(all: readonly CaseNotes[], externalId: string | undefined): CaseNotes | undefined {
	return externalId === undefined ? undefined : all.find((one) => one.externalId.normalize("NFC") === externalId.normalize("NFC"));
}
