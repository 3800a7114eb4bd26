import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { fileOf } from "../../mapping/file.js";

export default defineCommand({
	path: "api export",
	summary: "Write the mapping that is in use, as the file that `api use` reads",
	details:
		"To look at it, to hand it on, or to change it: it holds no secret and no confirmation. Comments of the file that it came from are not kept.",
	examples: [{ run: "api export > bank.yaml", note: "The mapping of the profile in use" }],
	effect: "read",
	operations: [],
	input: z.strictObject({}),
	async run(context): Promise<Answer<{ text: string; mapping: unknown }>> {
		const { profile } = await context.settings.read();
		if (profile.mapping === undefined)
			throw new PurserError("usage", {
				code: "NO_MAPPING",
				message: `The profile ${profile.name} has no mapping: every operation is as described`,
				fix: advice`Draft one from the service's document: ${purser`api draft openapi.yaml > bank.yaml`}`,
			});
		const mapping = fileOf(profile.mapping);
		const comment = `The mapping of the profile ${profile.name}. \`purser api use\` reads it; \`purser help mapping\` explains it.`;
		const text = await context.files.documents.yaml(mapping, comment);
		return { data: { text, mapping }, raw: text, written: mapping };
	},
	text: () => "",
});
