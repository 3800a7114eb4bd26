import * as z from "zod/mini";
import { filePath, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import { readOpenApi, type TheirDocument, type TheirField } from "../../mapping/document.js";
import { spaced, wordsOf } from "../../mapping/words.js";

const mostShown = 8;

export default defineCommand({
	path: "api find",
	summary: "Search the operations of an OpenAPI document",
	details:
		"For the person who completes a mapping: the operations that have these words in their name, path, description or fields, the best first.",
	examples: { "api find verify email --in openapi.yaml": "Which operation sends the link?" },
	input: z.strictObject({
		words: field(z.array(plain("Word")), {
			description: "What to look for",
			positional: true,
			placeholder: "word",
		}),
		in: filePath("The OpenAPI document, up to 20 MB; - for standard input", { placeholder: "file" }),
	}),
	answer: () => z.array(found()),
	async run(context, { words, in: document }) {
		return { data: await findOperations(readOpenApi(await context.files.documents.readDescription(document)), words) };
	},
	text: (all, style) =>
		all.length === 0
			? "No operation has these words. Try others, or fewer."
			: all
					.slice(0, mostShown)
					.map(({ method, path, summary, request, answer }) => {
						const takes = request.length === 0 ? "" : style.dim(`\n  takes ${request.join(", ")}`);
						const gives = answer.length === 0 ? "" : style.dim(`\n  gives ${answer.join(", ")}`);
						return `${style.accent(`${method} ${path}`)}  ${summary}${takes}${gives}`;
					})
					.join("\n\n"),
});

/** Of the request the places as a mapping names them, `!` behind those that are required, closed lists in brackets; of the answer pointers. */
const found = () =>
	z.strictObject({
		...{ method: z.string(), path: z.string(), summary: z.string() },
		...{ request: z.array(z.string()), answer: z.array(z.string()) },
	});
type Found = z.output<ReturnType<typeof found>>;

const compact = (at: string, { values = [] }: TheirField): string =>
	`${at}${values.length > 0 ? ` (${values.slice(0, 12).join("|")})` : ""}`;

/** The operations that speak of the words, the best first; without a word all of them. */
export function findOperations({ operations }: TheirDocument, words: readonly string[]): Found[] {
	const ranked = operations.map(({ id, method, path, summary, description, ...one }): [number, Found] => {
		const places = one.request.filter(({ at }) => at !== "");
		const request = places.map((field) => compact(`${field.place} ${field.at}${field.required ? "!" : ""}`, field));
		const answer = one.answer.slice(1).map((field) => compact(field.pointer, field));
		const texts = [`${id} ${path} ${method}`, summary, [...request, ...answer].join(" "), description].map((text) => ` ${spaced(text)} `);
		// Each word counts once, where it says most; an operation that has all of them comes before one that has fewer.
		const ranks = words
			.flatMap(wordsOf)
			.map((word) => texts.findIndex((text) => text.includes(word.length > 3 ? ` ${word}` : ` ${word} `)));
		const score = ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 14 - rank), words.length === 0 ? 1 : 0);
		return [score, { method, path, summary: summary || description.slice(0, 120), request, answer }];
	});
	const best = ranked.filter(([score]) => score > 0).sort(([one], [other]) => other - one);
	return best.map(([, one]) => one);
}
