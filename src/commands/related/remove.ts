import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { deleteRelated, getRelated } from "../../api/operations/related.js";
import { call } from "../../client/call.js";
import { serviceOf } from "../../client/service.js";
import { whoIs } from "../../onboarding/records/who-is.js";
import { defineCommand } from "../../shell/command.js";

interface Removal {
	corporateRelatedId: string;
	/** Name, roles and company, where a person is asked. */
	who?: string;
}

export default defineCommand({
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
		// Who it is matters only to a person who is asked.
		const asked = context.flags.interactive && !context.flags.yes && !context.flags.dryRun;
		return { corporateRelatedId, who: asked ? await whoIs(serviceOf(context), corporateRelatedId) : undefined };
	},
	confirm: ({ corporateRelatedId, who }) => `Remove ${who ?? `the related entity ${corporateRelatedId}`}? This cannot be undone`,
	about: async (_, { corporateRelatedId, who }) => ({
		title: `Remove ${who ?? "the related entity"}`,
		rows: [["Related entity", corporateRelatedId]],
	}),
	run: async (context, { corporateRelatedId }) => {
		await call(context, deleteRelated, { params: { corporateRelatedId } });
		return { id: corporateRelatedId, removed: true };
	},
	text: ({ id }, style) => [style.good("Related entity removed"), style.pairs([["Id", id]])].join("\n"),
	next: () => [purser`overview`],
});
