import * as z from "zod/mini";
import { plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { findDraft, readDraft, requireSameService } from "../../onboarding/wizard/draft.js";
import { requireTerminal, wizardAnswer, wizardOperations, wizardText } from "../../onboarding/wizard/run.js";
import { wizardResult } from "../families/answers.js";

export default defineCommand({
	path: "onboard resume",
	summary: "Resume a stopped onboarding without answering anything twice",
	details: "Without a name: the only one, or the one that you choose. `purser onboard list` shows the names.",
	examples: {
		"onboard resume": "Where `purser onboard start` stopped",
		"onboard resume example-bakery-sas": "One of several",
	},
	effect: "write",
	operations: wizardOperations,
	input: z.strictObject({
		name: z.optional(plain("Name of the draft", { positional: true, placeholder: "name" })),
	}),
	answer: () => wizardResult(),
	async run(context, { name }) {
		await context.ask.begin(true);
		requireTerminal(await context.settings.read());
		const found = await findDraft(context, name);
		const draft = found.draft ?? (await readDraft(context, found.path));
		await requireSameService(context, draft);
		return wizardAnswer(context, draft);
	},
	text: (wizard, style) => wizardText(wizard, style),
});
