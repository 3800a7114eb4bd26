import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import { serviceOf } from "../../client/service.js";
import { PurserError } from "../../errors.js";
import { defaultLookup, requireTerminal, wizardNext, wizardOutcome, wizardText } from "../../onboarding/wizard/result.js";
import { runWizard, type WizardResult, wizardOperations } from "../../onboarding/wizard/send.js";
import { loadState, removeState, statePlace } from "../../onboarding/wizard/state.js";
import { newState } from "../../onboarding/wizard/wizard.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "onboard start",
	summary: "Onboard a company by answering questions, through all eight steps",
	details:
		"Every answer is saved at once, `<` goes back, and everything is shown for review before it is sent. Ctrl-C stops; `purser onboard resume` continues. It ends with a case file and the command that repeats it.",
	examples: [
		{ run: "onboard start", note: "From the terms to the KYC links" },
		{ run: "onboard start --discard", note: "Discard an unfinished draft and start again" },
	],
	effect: "write",
	operations: wizardOperations,
	input: z.strictObject({
		discard: flag("Remove the draft of an earlier start first"),
	}),
	run: async (context, { discard }): Promise<WizardResult> => {
		requireTerminal(await context.settings());
		if (discard) await removeState(context);
		else if ((await loadState(context)) !== undefined)
			throw new PurserError("guard", {
				code: "DRAFT_EXISTS",
				message: `An earlier onboarding is not finished: its answers are in ${(await statePlace(context)).path}`,
				fix: advice`Go on with \`${purser`onboard resume`}\`, or throw it away: ${purser`onboard start --discard`}`,
			});
		return runWizard(context, serviceOf(context), await newState(context), defaultLookup);
	},
	text: (wizard, style) => wizardText(wizard, style),
	next: (wizard) => wizardNext(wizard),
	outcomes: ["partial"],
	outcome: (wizard) => wizardOutcome(wizard),
});
