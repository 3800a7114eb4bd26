import { z } from "zod";
import { formatJson } from "../../api/json.js";
import { caseJsonSchema } from "../../onboarding/case-json-schema.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "onboard schema",
	summary: "Write the JSON Schema of a case file, for editors",
	details:
		"The first line of the template names the file case.schema.json beside it: editors then complete and check a case as it is typed.",
	examples: [{ run: "onboard schema > case.schema.json", note: "Beside your cases" }],
	effect: "read",
	standalone: true,
	operations: [],
	input: z.strictObject({}),
	run: async () => caseJsonSchema(),
	text: (schema) => formatJson(schema, 2),
});
