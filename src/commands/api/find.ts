import * as z from "zod/mini";
import { filePath } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import { readOpenApi } from "../../mapping/document.js";
import { findOperations } from "../../mapping/rank.js";

const mostShown = 8;

export default defineCommand({
	path: "api find",
	summary: "Search the operations of an OpenAPI document",
	details:
		"For the person who completes a mapping: the operations that have these words in their name, path, description or fields, the best first.",
	examples: [{ run: "api find verify email --in openapi.yaml", note: "Which operation sends the link?" }],
	effect: "read",
	operations: [],
	input: z.strictObject({
		words: field(z.array(field(z.string(), { description: "Word" })), {
			description: "What to look for",
			positional: true,
			placeholder: "word",
		}),
		in: filePath("The OpenAPI document, up to 20 MB; - for standard input", { placeholder: "file" }),
	}),
	answer: () =>
		z.array(
			z.strictObject({
				...{ method: z.string(), path: z.string(), summary: z.string() },
				...{ request: z.array(z.string()), answer: z.array(z.string()) },
			}),
		),
	async run(context, { words, in: document }) {
		return { data: await findOperations(readOpenApi(await context.files.documents.readDescription(document)), words) };
	},
	text: (found, style) =>
		found.length === 0
			? "No operation has these words. Try others, or fewer."
			: found
					.slice(0, mostShown)
					.map(({ method, path, summary, request, answer }) =>
						[
							`${style.accent(`${method} ${path}`)}  ${summary}`,
							...(request.length === 0 ? [] : [style.dim(`  takes ${request.join(", ")}`)]),
							...(answer.length === 0 ? [] : [style.dim(`  gives ${answer.join(", ")}`)]),
						].join("\n"),
					)
					.join("\n\n"),
});
