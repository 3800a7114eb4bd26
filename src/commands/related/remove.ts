import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { deleteRelated, getRelated } from "../../api/operations/related.js";
import { defineHooked } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { whoIs } from "../../onboarding/records/about.js";

interface Removal {
	corporateRelatedId: string;
	/** Name, roles and company, where they are known. */
	who?: string;
}

function withoutName(error: unknown): undefined {
	if (error instanceof PurserError && !["interrupted", "auth"].includes(error.kind)) return undefined;
	throw error;
}

export default defineHooked({
	path: "related remove",
	summary: "Remove a related entity that was declared by mistake",
	details: "Possible while the KYB of the company is neither VALIDATED nor PENDING_VERIFICATION. It asks first; a script adds --yes.",
	examples: [
		{ run: 'related remove "Example Florist/Ada Example"', note: "Says who it is, and asks" },
		{ run: "related remove crm-5002/ada@example.com --yes", note: "In a script" },
	],
	effect: "write",
	operations: [deleteRelated.id, getRelated.id, getCorporate.id],
	input: z.strictObject(deleteRelated.params.shape),
	prepare: async (context, { corporateRelatedId }): Promise<Removal> => {
		const { yes, dryRun } = context.settings.flags;
		const asked = context.settings.flags.interactive && !yes;
		// A script that does not say --yes ends before anything is asked.
		if (dryRun || (!asked && !yes)) return { corporateRelatedId };
		const looking = whoIs(context.service, corporateRelatedId, await context.settings.ids());
		// A script is not stopped by a record that cannot be read; a person is, who is asked about it.
		return { corporateRelatedId, who: asked ? await looking : await looking.catch(withoutName) };
	},
	confirm: ({ corporateRelatedId, who }) => `Remove ${who ?? `the related entity ${corporateRelatedId}`}? This cannot be undone`,
	about: async (_, { corporateRelatedId, who }) => ({
		title: `Remove ${who ?? "the related entity"}`,
		rows: [["Related entity", corporateRelatedId]],
	}),
	run: async (context, { corporateRelatedId, who }) => {
		await call(context, deleteRelated, { params: { corporateRelatedId } });
		return { id: corporateRelatedId, removed: true, who };
	},
	text: ({ id, who }, style) =>
		[
			style.good("Related entity removed"),
			style.pairs([
				["Who", who],
				["Id", id],
			]),
		].join("\n"),
	next: () => [purser`overview`],
});
