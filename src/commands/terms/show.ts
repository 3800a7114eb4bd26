import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { textAt } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { getTerms } from "../../api/operations/terms.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { allowOtherHost, openAddress, openedWords, otherHosts } from "../../onboarding/evidence/documents.js";
import { otherRows } from "../../onboarding/records/record.js";

export default defineCommand({
	path: "terms show",
	summary: "Show the latest terms and conditions",
	details: "After each update of the terms, the company must see and accept them again.",
	examples: [
		{ run: "terms show", note: "The version to accept, and where the document is" },
		{ run: "terms show --language FR --open", note: "In French, and open the document in the browser" },
	],
	effect: "read",
	operations: [getTerms.id],
	input: z.strictObject({
		...getTerms.query.shape,
		open: flag("Open the document in the browser; on another host than the service's only after asking"),
		allowOtherHost: allowOtherHost(),
	}),
	async run(context, { open, allowOtherHost: allowed, ...query }) {
		const { data } = await call(context, getTerms, { query });
		const next = [purser`corporate create`, purser`terms audit`];
		if (!open) return { data, next };
		const address = textAt(data, "downloadUrl");
		if (address === undefined) {
			context.report.warn("The service gave no address of the document");
			return { data, next };
		}
		return { data: { ...data, opened: await openAddress(context, address, otherHosts(context, allowed)) }, next };
	},
	text: (terms, style) =>
		style.pairs([
			["Version", style.bold(textAt(terms, "version") ?? "not given")],
			["Language", textAt(terms, "language")],
			["Document", textAt(terms, "downloadUrl")],
			["Opened", openedWords(terms.opened as boolean | null | undefined)],
			...otherRows(terms, ["version", "language", "downloadUrl", "opened"]),
		]),
});
