import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { filePath, flag } from "../../api/fields.js";
import { formatJson } from "../../api/json.js";
import { bindingFile } from "../../binding/file.js";
import type { BindingDocument } from "../../binding/shape.js";
import { saveDocument } from "../../onboarding/evidence/documents.js";
import { defineCommand } from "../../shell/command.js";

/** The document itself, or where it was saved. */
type Exported = BindingDocument | { savedTo: string; operations: string[]; dryRun?: true };

const isSaved = (data: Exported): data is Exclude<Exported, BindingDocument> => "savedTo" in data;

export default defineCommand({
	path: "api export",
	summary: "Write the profile's bindings as one file, to review and hand on",
	details:
		"The file says of each operation that is bound its method, its path, where each field stands and in which form, and from which place of which document that comes. It holds no secret and no confirmation. `purser api use` reads it.",
	examples: [
		{ run: "api export --save binding.yaml", note: "For a review; YAML where the name ends in .yaml, JSON otherwise" },
		{ run: "api export > binding.json", note: "The same on standard output" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		save: z.optional(filePath("Write it to this file; - or nothing: standard output", { placeholder: "file" })),
		force: flag("Replace the file if it exists"),
	}),
	run: async (context, { save, force }): Promise<Exported> => {
		const { profile } = await context.settings();
		const document = bindingFile({ service: profile.service, operations: profile.overrides });
		if (Object.keys(document.operations).length === 0 && document.service === undefined)
			context.reporter.warn("The profile binds nothing: every operation is as it is described");
		if (save === undefined || save === "-") return document;
		const comment = `The bindings of the profile ${profile.name}, written by \`purser api export\`. Read with \`purser api use\`.`;
		const text = /\.ya?ml$/i.test(save) ? await context.documents.yaml(document, comment) : jsonOf(document);
		const { dryRun } = context.flags;
		if (!dryRun) await saveDocument(context, save, new TextEncoder().encode(text), force);
		return { savedTo: save, operations: Object.keys(document.operations), ...(dryRun ? { dryRun } : {}) };
	},
	text: (data, style) =>
		isSaved(data)
			? [
					style.good(`Bindings written${data.dryRun ? " (a dry run: nothing was written)" : ""}`),
					style.pairs([
						["File", data.savedTo],
						["Operations", data.operations.length === 0 ? "none" : data.operations.join(", ")],
					]),
				].join("\n\n")
			: "",
	raw: (data) => (isSaved(data) ? undefined : jsonOf(data)),
	next: (data) => (isSaved(data) && !data.dryRun ? [purser`api use ${{ path: data.savedTo }} --dry-run`] : []),
});

const jsonOf = (document: BindingDocument): string => `${formatJson(document, 2)}\n`;
