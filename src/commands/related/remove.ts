import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { deleteRelated } from "../../api/operations/related.js";
import { call } from "../../client/call.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "related remove",
	summary: "Remove a related entity that was declared by mistake",
	details: "Possible while the KYB of the company is neither VALIDATED nor PENDING_VERIFICATION. It asks first; a script adds --yes.",
	examples: [
		{ run: "related remove 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", note: "Asks first" },
		{ run: "related remove 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --yes", note: "In a script" },
	],
	effect: "write",
	operations: [deleteRelated.id],
	input: z.strictObject(deleteRelated.params.shape),
	confirm: ({ corporateRelatedId }) => `Remove the related entity ${corporateRelatedId}? This cannot be undone`,
	run: async (context, params) => {
		await call(context, deleteRelated, { params });
		return { id: params.corporateRelatedId, removed: true };
	},
	text: ({ id }, style) => [style.good("Related entity removed"), style.pairs([["Id", id]])].join("\n"),
	next: () => [purser`overview`],
});
