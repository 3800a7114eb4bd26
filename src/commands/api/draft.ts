import * as z from "zod/mini";
import { flag, plain } from "../../api/fields.js";
import { formatJson } from "../../api/json.js";
import { defineCommand } from "../../cli/command.js";
import { invalidField } from "../../errors.js";
import { readOpenApi } from "../../mapping/document.js";
import { draftMapping } from "../../mapping/draft.js";
import { mappingSchema } from "../../mapping/file.js";

export default defineCommand({
	path: "api draft",
	summary: "Draft a mapping from the service's OpenAPI document",
	details:
		"Reads OpenAPI 3.0 and 3.1, as JSON or YAML. Nothing of the document is run or contacted. What is plain is filled in; everything else is marked ? with what is asked, and other candidates stand beside it as comments. Complete the file in an editor, then check it.",
	examples: {
		"api draft openapi.yaml > bank.yaml": "Then complete it, and: api check bank.yaml --against openapi.yaml",
		"api draft --schema > mapping.schema.json": "The JSON Schema of a mapping, for an editor",
	},
	input: z.strictObject({
		document: z.optional(
			plain("The document, JSON or YAML, up to 20 MB; - for standard input", { positional: true, placeholder: "file|-" }),
		),
		schema: flag("Write the JSON Schema of a mapping instead"),
	}),
	answer: () => z.strictObject({ text: z.string() }),
	async run(context, { document, schema }) {
		if (schema) return written(`${formatJson(mappingSchema(), 2)}\n`);
		const fix = "Name the service's OpenAPI document: purser api draft openapi.yaml";
		if (document === undefined) throw invalidField("usage", "document", "is required", "Which document?", fix);
		return written(draftMapping(readOpenApi(await context.files.documents.readDescription(document))));
	},
	text: () => "",
});

const written = (text: string) => ({ data: { text }, raw: text });
