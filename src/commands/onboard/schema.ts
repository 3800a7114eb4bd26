import * as z from "zod/mini";
import { formatJson } from "../../api/json.js";
import { defineCommand } from "../../cli/command.js";
import { caseJsonSchema } from "../../onboarding/case/template.js";

export default defineCommand({
	path: "onboard schema",
	summary: "Write the JSON Schema of a case file, for editors",
	details:
		"Editors complete and check a case as it is typed where its first line names the schema. The template and the cases that purser writes name case.schema.json beside them.",
	examples: [{ run: "onboard schema > case.schema.json", note: "Beside your cases" }],
	effect: "read",
	operations: [],
	input: z.strictObject({}),
	async run() {
		return { data: await caseJsonSchema() };
	},
	text: (schema) => formatJson(schema, 2),
});
