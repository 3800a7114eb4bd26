import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { filePath } from "../../api/fields.js";
import { field, withRecords } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { checkAgainst, type Difference, diffMappings } from "../../mapping/check.js";
import { readOpenApi } from "../../mapping/document.js";
import type { MappingFault } from "../../mapping/file.js";
import { difference } from "../families/answers.js";
import { usableMapping } from "../families/mapping-file.js";

interface Compared {
	changes: Difference[];
	/** With a document: what is wrong with the newer mapping there. */
	faults: MappingFault[];
}

export default defineCommand({
	path: "api diff",
	summary: "Compare two mappings, or one with a newer document",
	details:
		"What is used by the older file and is otherwise in the newer one, and what has to be confirmed again. With --against also what is wrong with the newer file in the service's document: give the same file twice to see what a newer document breaks. Exit 9 where anything differs.",
	examples: [
		{ run: "api diff bank.yaml new.yaml", note: "What would change" },
		{ run: "api diff bank.yaml bank.yaml --against openapi-v2.yaml", note: "What a newer document of the service breaks" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		older: field(z.string(), { description: "The older mapping", positional: true, placeholder: "old" }),
		newer: field(z.string(), { description: "The newer mapping", positional: true, placeholder: "new" }),
		against: z.optional(filePath("The OpenAPI document of the service, up to 20 MB", { placeholder: "file" })),
	}),
	answer: () =>
		withRecords(
			z.strictObject({
				changes: z.array(difference()),
				faults: z.array(z.strictObject({ path: z.array(z.string()), message: z.string() })),
			}),
			z.strictObject({
				path: z.array(z.string()),
				...optionals(["before", "after", "message"]),
				confirm: z.optional(z.array(z.string())),
			}),
		),
	async run(context, { older, newer, against }): Promise<Answer<Compared>> {
		const [before, after] = [await usableMapping(context, older), await usableMapping(context, newer)];
		const changes = diffMappings(before, after);
		const faults = against === undefined ? [] : checkAgainst(after, readOpenApi(await context.files.documents.readDescription(against)));
		return {
			data: { changes, faults },
			exit: changes.length + faults.length > 0 ? "partial" : undefined,
			next: changes.length > 0 ? [purser`api use ${{ path: newer }} --dry-run`] : [],
			lines: [...changes, ...faults],
		};
	},
	text: ({ changes, faults }, style) =>
		[
			...(changes.length === 0 ? [style.good("Nothing that is used differs.")] : changes.map((one) => differenceText(one))),
			...faults.map(({ path, message }) => `${style.bad("against the document")}  ${path.join(".")} ${message}`),
		].join("\n"),
});

const differenceText = ({ path, before = "not there", after = "not there", confirm }: Difference): string =>
	`${path.join(".")}: ${before} → ${after}${confirm.length > 0 ? `  (to be confirmed again: ${confirm.join(", ")})` : ""}`;
