import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import { invalidField } from "../../errors.js";
import { findDraft, removeDraft } from "../../onboarding/wizard/draft.js";

export default defineCommand({
	path: "onboard discard",
	summary: "Remove the draft of a stopped onboarding with its answers",
	details: "Without a name: the only one, or the one that you choose. What was already sent to the service stays there.",
	examples: {
		"onboard discard example-bakery-sas": "Asks first",
		"onboard discard example-bakery-sas --yes": "In a script",
	},
	input: z.strictObject({
		name: z.optional(plain("Name of the draft", { positional: true, placeholder: "name" })),
	}),
	answer: () => z.strictObject({ name: z.string(), discarded: z.boolean() }),
	async run(context, input) {
		const { yes, interactive } = context.settings.flags;
		if (input.name === undefined && (yes || !interactive))
			throw invalidField("usage", "name", "is required", "Missing: NAME", advice`The names are shown by: ${purser`onboard list`}`);
		const { name, path, company } = await findDraft(context, input.name);
		await context.ask.confirm(`Remove the draft ${name}${company === undefined ? "" : ` of ${company}`} with its answers?`);
		const removed = await unlessDryRun(context, async () => path !== undefined && removeDraft(context, { path }));
		return { data: { name, discarded: removed !== undefined }, next: [purser`onboard list`] };
	},
	text: ({ name, discarded }, style) =>
		discarded ? style.good(`The draft ${name} is removed; nothing was sent`) : `The draft ${name} is still there`,
});
