import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import { serviceOf } from "../../client/service.js";
import { PurserError } from "../../errors.js";
import { defaultLookup, requireTerminal, wizardNext, wizardOutcome, wizardText } from "../../onboarding/wizard/result.js";
import { runWizard, type WizardResult, wizardOperations } from "../../onboarding/wizard/send.js";
import { loadState, removeState } from "../../onboarding/wizard/state.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "onboard resume",
	summary: "Resume a stopped onboarding without answering anything twice",
	examples: [
		{ run: "onboard resume", note: "Where `purser onboard start` stopped" },
		{ run: "onboard resume --discard", note: "Discard its answers" },
	],
	effect: "write",
	operations: wizardOperations,
	input: z.strictObject({
		discard: flag("Remove the draft instead; nothing is sent"),
	}),
	run: async (context, { discard }): Promise<WizardResult | { discarded: true }> => {
		if (discard) {
			await removeState(context);
			return { discarded: true };
		}
		requireTerminal(await context.settings());
		const saved = await loadState(context);
		if (saved === undefined)
			throw new PurserError("guard", {
				code: "NO_DRAFT",
				message: "No onboarding was stopped with this profile",
				fix: advice`Begin one: ${purser`onboard start`}. A case file is applied with \`${purser`onboard apply FILE`}\`.`,
			});
		return runWizard(context, serviceOf(context), saved, defaultLookup);
	},
	text: (wizard, style) => ("discarded" in wizard ? style.good("The draft is removed; nothing was sent") : wizardText(wizard, style)),
	next: (wizard) => ("discarded" in wizard ? [] : wizardNext(wizard)),
	outcomes: ["partial"],
	outcome: (wizard) => ("discarded" in wizard ? undefined : wizardOutcome(wizard)),
});
