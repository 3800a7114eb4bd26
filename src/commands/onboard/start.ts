import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import { serviceOf } from "../../client/service.js";
import { findDraft, listDrafts, newDraft } from "../../onboarding/wizard/drafts.js";
import { defaultLookup, requireTerminal, wizardNext, wizardOutcome, wizardText } from "../../onboarding/wizard/result.js";
import { withSchemaFlag, writeSchema } from "../../onboarding/wizard/schema-file.js";
import { runWizard, type WizardResult, wizardOperations } from "../../onboarding/wizard/send.js";
import { removeDraft } from "../../onboarding/wizard/state.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "onboard start",
	summary: "Onboard a company by answering questions, through all eight steps",
	details:
		"Every answer is saved at once, `<` goes back, and everything is shown for review before it is sent. Ctrl-C stops; `purser onboard resume` continues. Several may be stopped at a time: `purser onboard list`. It ends with a case file and the command that repeats it.",
	examples: [
		{ run: "onboard start", note: "From the terms to the KYC links" },
		{ run: "onboard start --discard", note: "Discard the unfinished draft and start again" },
	],
	effect: "write",
	asksItself: true,
	operations: wizardOperations,
	input: z.strictObject({
		discard: flag("Remove the draft of an earlier start first"),
		withSchema: withSchemaFlag(),
	}),
	run: async (context, { discard, withSchema }): Promise<WizardResult> => {
		requireTerminal(await context.settings());
		const count = (await listDrafts(context)).length;
		if (discard && count > 0) await removeDraft(context, await findDraft(context, undefined));
		else if (count > 0) await context.reporter.show(`${unfinished(count, context.shown(purser`onboard list`))}\n`);
		const wizard = await runWizard(context, serviceOf(context), await newDraft(context), defaultLookup);
		if (withSchema) await writeSchema(context, wizard.file);
		return wizard;
	},
	text: (wizard, style) => wizardText(wizard, style),
	next: (wizard) => wizardNext(wizard),
	outcomes: ["partial"],
	outcome: (wizard) => wizardOutcome(wizard),
});

function unfinished(count: number, list: string): string {
	const kept =
		count === 1
			? "1 earlier onboarding is not finished and stays as it is"
			: `${count} earlier onboardings are not finished and stay as they are`;
	return `${kept}: ${list}`;
}
