/**
 * Case files written from other sources. An earlier file of the same case keeps its comments, its order, and what the source does not have.
 */
import { jsonDocument } from "../../api/json.js";
import { withoutEmpty } from "../../api/operations/empty.js";
import { isRecord, placeholder } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { type Case, caseSchema } from "../case/case.js";
import { checkCase } from "../case/files.js";
import { schemaLine, schemaName } from "../case/template.js";
import { saveDocument } from "../evidence/documents.js";

/** Maximum size of a case file, in bytes. */
const maxBytes = 1024 * 1024;

/** A file that is there already. */
interface Earlier {
	text: string;
	/** Undefined where it is no valid case. */
	of?: Case;
	/** What stands there, where what the service did not tell is not filled in yet. */
	unfinished?: unknown;
}

/** A case and the file that it would be written to. */
export interface CaseToWrite {
	path: string;
	text: string;
	state: "new" | "unchanged" | "changed";
}

const isJson = (path: string | undefined): boolean => /\.json$/i.test(path ?? "");

/** The text of a new case file: YAML after a comment of several lines, or JSON where its name says so. */
export async function caseText(
	context: Context,
	document: Record<string, unknown>,
	comment: string,
	path: string | undefined,
): Promise<string> {
	if (isJson(path)) return jsonDocument(document);
	return context.files.documents.yaml(document, `${schemaLine}./${schemaName}\n${comment}`);
}

/** The file at a path, where there is one. @throws PurserError usage, where it cannot be read */
export async function earlierCase(context: Context, path: string): Promise<Earlier | undefined> {
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(await context.files.read(path, maxBytes));
	} catch (cause) {
		if (typeof cause === "object" && cause !== null && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
			return undefined;
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `${path} is there and cannot be read; it was left as it is`,
			why: troubleWords(cause),
			fix: "Choose another file.",
			cause,
		});
	}
	try {
		const content = await context.files.documents.read(path, true);
		if (text.includes(placeholder)) return { text, unfinished: content };
		return { text, of: checkCase(context, withoutEmpty(caseSchema, content), path, { warns: false }) };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		return { text };
	}
}

/**
 * What would be written to a file.
 * @param fresh the text where there is no file yet
 * @throws PurserError guard, where the file is no case, or that of another company
 */
export async function caseToWrite(
	context: Context,
	path: string,
	document: Record<string, unknown>,
	earlier: Earlier | undefined,
	fresh: () => Promise<string>,
): Promise<CaseToWrite> {
	if (earlier === undefined) return { path, text: await fresh(), state: "new" };
	if (!isSameCompany(earlier, document))
		throw new PurserError("guard", {
			code: "ANOTHER_FILE",
			message: `${path} is there and ${earlier.of === undefined ? "is not a case" : `is the case ${earlier.of.corporate.externalId}`}; it was left as it is`,
			fix: "Choose another place, or move that file away.",
		});
	const text = await context.files.documents.yamlWith(earlier.text, document, isJson(path));
	return { path, text, state: text === earlier.text ? "unchanged" : "changed" };
}

/** Of a file without an externalId yet, the names decide. */
function isSameCompany({ of, unfinished }: Earlier, { corporate }: Record<string, unknown>): boolean {
	const before: unknown = of === undefined ? isRecord(unfinished) && unfinished.corporate : of.corporate;
	if (!isRecord(before) || !isRecord(corporate)) return false;
	if (before.externalId !== placeholder) return before.externalId === corporate.externalId;
	return typeof corporate.corporateName === "string" && before.corporateName === corporate.corporateName;
}

/** Writes a case file, readable by its owner only. @throws PurserError as {@link saveDocument} */
export async function writeCaseFile(context: Context, { path, text, state }: CaseToWrite): Promise<void> {
	if (state !== "unchanged") await saveDocument(context, path, new TextEncoder().encode(text), state === "changed");
}
