import * as z from "zod/mini";
import { describe } from "../../api/schema.js";
import { caseSchema } from "./case.js";

/** The JSON Schema of a case file (2020-12), made from the schema that checks the file. The build writes it to a file. */
export function caseJsonSchema(): Record<string, unknown> {
	const schema = z.toJSONSchema(caseSchema, {
		io: "input",
		unrepresentable: "any",
		override: ({ zodSchema, jsonSchema }) => {
			const { meta } = describe(zodSchema as unknown as z.ZodMiniType);
			if (meta.description !== "") jsonSchema.description = meta.description;
			if (meta.example !== undefined && jsonSchema.type === "string") jsonSchema.examples = [meta.example];
			if (meta.known !== undefined) jsonSchema.examples = [...meta.known];
			// YAML needs no quotes around a number; its digits are kept either way.
			if (meta.wire === "number" || meta.example === "1") jsonSchema.type = ["string", "number"] as never;
		},
	});
	return { title: "A case of purser", ...schema };
}
