import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { listDrafts, newDraft } from "../../onboarding/wizard/draft.js";
import { requireTerminal, runWizard, wizardNext, wizardOperations, wizardOutcome, wizardText } from "../../onboarding/wizard/run.js";
import { wizardResult } from "../families/answers.js";

export default defineCommand({
	path: "onboard start",
	summary: "Onboard a company by answering questions, through all eight steps",
	details:
		"Every answer is saved at once, `<` goes back, and everything is shown for review before it is sent. Ctrl-C stops; `purser onboard resume` continues. Several may be stopped at a time: `purser onboard list`. It ends with a case file and the command that repeats it.",
	examples: [{ run: "onboard start", note: "From the terms to the KYC links" }],
	effect: "write",
	operations: wizardOperations,
	input: z.strictObject({}),
	answer: () => wizardResult(),
	async run(context) {
		await context.ask.begin(true);
		requireTerminal(await context.settings.read());
		const count = (await listDrafts(context)).length;
		if (count > 0) await context.report.show(`${unfinished(count, context.report.shown(purser`onboard list`))}\n`);
		const data = await runWizard(context, await newDraft(context));
		return { data, exit: wizardOutcome(data), next: wizardNext(data) };
	},
	text: (wizard, style) => wizardText(wizard, style),
});

function unfinished(count: number, list: string): string {
	const saved =
		count === 1
			? "1 earlier onboarding is not finished and stays as it is"
			: `${count} earlier onboardings are not finished and stay as they are`;
	return `${saved}: ${list}`;
}
