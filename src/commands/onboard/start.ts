import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { listDrafts, newDraft } from "../../onboarding/wizard/draft.js";
import { requireTerminal, runWizard, wizardNext, wizardOperations, wizardOutcome, wizardText } from "../../onboarding/wizard/run.js";

export default defineCommand({
	path: "onboard start",
	summary: "Onboard a company by answering questions",
	details:
		"Every answer is saved at once, `<` goes back, and everything is shown for review before it is sent, and the due-diligence review before the KYB is requested. Ctrl-C stops; `purser onboard resume` continues. Several may be stopped at a time: `purser onboard list`. It asks for what is usually given; the rest, such as a legal form, is added to the case file that it writes, and applied with the command that it ends with.",
	examples: [{ run: "onboard start", note: "From the terms to the KYC links" }],
	effect: "write",
	operations: wizardOperations,
	input: z.strictObject({}),
	async run(context) {
		await context.ask.begin(true);
		requireTerminal(await context.settings.read());
		const count = (await listDrafts(context)).length;
		if (count > 0) await context.report.show(`${unfinished(count, context.report.shown(purser`onboard list`))}\n`);
		const data = await runWizard(context, context.service, await newDraft(context));
		return { data, exit: wizardOutcome(data), next: wizardNext(data) };
	},
	text: (wizard, style) => wizardText(wizard, style),
	outcomes: ["partial"],
});

function unfinished(count: number, list: string): string {
	const kept =
		count === 1
			? "1 earlier onboarding is not finished and stays as it is"
			: `${count} earlier onboardings are not finished and stay as they are`;
	return `${kept}: ${list}`;
}
