import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { deleteRelated, getRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { whoIs } from "../../onboarding/records/about.js";

function withoutName(error: unknown): undefined {
	if (error instanceof PurserError && !["interrupted", "auth"].includes(error.kind)) return undefined;
	throw error;
}

/** Name, roles and company, where they are known: a person is asked about them. */
async function named(context: Context, id: string): Promise<string | undefined> {
	const { yes, dryRun, interactive } = context.settings.flags;
	const isAsked = interactive && !yes;
	// A script that does not say --yes ends before anything is asked.
	if (dryRun || (!isAsked && !yes)) return undefined;
	const looking = whoIs(context.service, id, await context.settings.ids());
	// A script is not stopped by a record that cannot be read; a person is, who is asked about it.
	return isAsked ? looking : looking.catch(withoutName);
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
	async run(context, { corporateRelatedId: id }) {
		await context.ask.begin();
		const who = await named(context, id);
		await context.ask.permit(
			{
				title: `Remove ${who ?? "the related entity"}`,
				rows: [["Related entity", id]],
				question: `Remove ${who ?? `the related entity ${id}`}? This cannot be undone`,
			},
			{ always: true },
		);
		await call(context, deleteRelated, { params: { corporateRelatedId: id } });
		return { data: { id, removed: true, who }, next: [purser`overview`] };
	},
	text: ({ id, who }, style) =>
		[
			style.good("Related entity removed"),
			style.pairs([
				["Who", who],
				["Id", id],
			]),
		].join("\n"),
});
