import * as z from "zod/mini";
import { flag } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { serviceOf } from "../../client/service.js";
import { findDraft, listDrafts } from "../../onboarding/wizard/drafts.js";
import { defaultLookup, requireTerminal, wizardNext, wizardOutcome, wizardText } from "../../onboarding/wizard/result.js";
import { runWizard, type WizardResult, wizardOperations } from "../../onboarding/wizard/send.js";
import { readDraft, removeDraft, requireSameService } from "../../onboarding/wizard/state.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "onboard resume",
	summary: "Resume a stopped onboarding without answering anything twice",
	details: "Without a name: the only one, or the one that you choose. `purser onboard list` shows the names.",
	examples: [
		{ run: "onboard resume", note: "Where `purser onboard start` stopped" },
		{ run: "onboard resume example-bakery-sas", note: "One of several" },
		{ run: "onboard resume --discard", note: "Discard its answers" },
	],
	effect: "write",
	asksItself: true,
	operations: wizardOperations,
	input: z.strictObject({
		name: z.optional(field(z.string(), { description: "Name of the draft, or its beginning", positional: true, placeholder: "name" })),
		discard: flag("Remove the draft instead; nothing is sent"),
	}),
	run: async (context, { name, discard }): Promise<WizardResult | { discarded: boolean }> => {
		if (!discard) requireTerminal(await context.settings());
		if (discard && name === undefined && (await listDrafts(context)).length === 0) return { discarded: true };
		const found = await findDraft(context, name);
		if (discard) {
			await removeDraft(context, found);
			return { discarded: true };
		}
		const draft = found.draft ?? (await readDraft(context, found.path));
		await requireSameService(context, draft);
		return runWizard(context, serviceOf(context), draft, defaultLookup);
	},
	text: (wizard, style) => ("discarded" in wizard ? style.good("The draft is removed; nothing was sent") : wizardText(wizard, style)),
	next: (wizard) => ("discarded" in wizard ? [] : wizardNext(wizard)),
	outcomes: ["partial"],
	outcome: (wizard) => ("discarded" in wizard ? undefined : wizardOutcome(wizard)),
});
