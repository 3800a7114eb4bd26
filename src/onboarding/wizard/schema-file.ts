/**
 * The JSON Schema of a case beside it, where the first line of a case leads editors. It is written on request alone.
 */
import { flag } from "../../api/fields.js";
import { formatJson } from "../../api/json.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { caseJsonSchema, schemaName } from "../case/template.js";
import { saveDocument } from "../evidence/documents.js";

/** The flag of the commands that write a case. */
export const withSchemaFlag = () => flag(`Write ${schemaName} beside the case too: editors check and complete the case by it`);

/**
 * Writes the schema, and says so. One that is there already is left as it is.
 * @param beside path of the case
 * @throws PurserError usage, where it cannot be written
 */
export async function writeSchema(context: Context, beside: string): Promise<void> {
	const path = beside.replace(/[^/\\]*$/, schemaName);
	const content = new TextEncoder().encode(`${formatJson(caseJsonSchema(), 2)}\n`);
	try {
		await context.reporter.during(`Writing ${path}`, () => saveDocument(context, path, content, false));
	} catch (error) {
		if (!(error instanceof PurserError) || error.failure.code !== "FILE_EXISTS") throw error;
		context.reporter.warn(`${path} is there already and was left as it is`);
	}
}
