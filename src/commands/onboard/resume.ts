import { z } from "zod";
import { field } from "../../api/schema.js";
import { call } from "../../client/call.js";
import { digestOf } from "../../client/digest.js";
import { everyPage } from "../../client/pages.js";
import { PurserError } from "../../errors.js";
import { loadDraft, removeDraft } from "../../onboarding/wizard/draft.js";
import { needsPerson, usualLook, wizardNext, wizardOutcome, wizardText } from "../../onboarding/wizard/result.js";
import { finish, type Wizard, wizardOperations } from "../../onboarding/wizard/send.js";
import { defineCommand } from "../../shell/command.js";

const client = { call, everyPage, digestOf };

export default defineCommand({
	path: "onboard resume",
	summary: "Go on with an onboarding that was stopped, with nothing asked twice",
	examples: [
		{ run: "onboard resume", note: "Where `purser onboard start` stopped" },
		{ run: "onboard resume --discard", note: "Throw its answers away" },
	],
	effect: "write",
	operations: wizardOperations,
	input: z.strictObject({
		discard: field(z.boolean(), { description: "Remove the draft instead; nothing is sent" }).default(false),
	}),
	run: async (context, { discard }): Promise<Wizard | { discarded: true }> => {
		if (discard) {
			await removeDraft(context);
			return { discarded: true };
		}
		needsPerson(await context.settings());
		const draft = await loadDraft(context);
		if (draft === undefined)
			throw new PurserError("guard", {
				code: "NO_DRAFT",
				message: "No onboarding was stopped with this profile",
				fix: "Begin one: purser onboard start. A case file is applied with `purser onboard apply FILE`.",
			});
		return finish(context, client, draft, usualLook);
	},
	text: (wizard, style) => ("discarded" in wizard ? style.good("The draft is removed; nothing was sent") : wizardText(wizard, style)),
	next: (wizard) => ("discarded" in wizard ? [] : wizardNext(wizard)),
	outcomes: ["partial"],
	outcome: (wizard) => ("discarded" in wizard ? undefined : wizardOutcome(wizard)),
});
