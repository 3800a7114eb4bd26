import { defineCommand } from "../../cli/command.js";
import { newDraft } from "../../onboarding/wizard/draft.js";
import { requireTerminal, wizardAnswer, wizardOperations, wizardText } from "../../onboarding/wizard/run.js";
import { wizardResult } from "../families/answers.js";

export default defineCommand({
	path: "onboard start",
	summary: "Onboard a company by answering questions, through all eight steps",
	details:
		"Every answer is saved at once, `<` goes back, and everything is shown for review before it is sent. Ctrl-C stops; `purser onboard resume` continues. Several may be stopped at a time: `purser onboard list`. It ends with a case file and the command that repeats it.",
	examples: { "onboard start": "From the terms to the KYC links" },
	effect: "write",
	operations: wizardOperations,
	answer: () => wizardResult(),
	async run(context) {
		await context.ask.begin(true);
		requireTerminal(await context.settings.read());
		return wizardAnswer(context, await newDraft(context));
	},
	text: (wizard, style) => wizardText(wizard, style),
});
