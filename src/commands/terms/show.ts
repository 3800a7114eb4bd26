import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { recordSchema, textAt } from "../../api/answer.js";
import { getTerms } from "../../api/operations/terms.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { otherRows } from "../../onboarding/records/record.js";

export default defineCommand({
	path: "terms show",
	summary: "Show the latest terms and conditions",
	details: "After each update of the terms, the company must see and accept them again.",
	examples: {
		"terms show": "The version to accept, and where the document is",
		"terms show --language FR": "In French",
	},
	operations: [getTerms.id],
	input: z.strictObject(getTerms.query.shape),
	answer: () => recordSchema(["type", "version", "language", "downloadUrl"]),
	async run(context, query) {
		const { data } = await call(context, getTerms, { query });
		return { data, next: [purser`corporate create`, purser`overview`] };
	},
	text: (terms, style) =>
		style.pairs([
			["Version", style.bold(textAt(terms, "version") ?? "not given")],
			["Language", textAt(terms, "language")],
			["Document", textAt(terms, "downloadUrl")],
			...otherRows(terms, ["version", "language", "downloadUrl"]),
		]),
});
