import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { deleteRelated, getRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { knownOf, relatedNamed, whoseText } from "../../onboarding/records/about.js";
import type { About } from "../../ports/changes.js";

export default defineCommand({
	path: "related remove",
	summary: "Remove a related entity that was declared by mistake",
	details: "Possible while the KYB of the company is neither VALIDATED nor PENDING_VERIFICATION. It asks first; a script adds --yes.",
	examples: {
		'related remove "Example Florist/Ada Example"': "Says who it is, and asks",
		"related remove crm-5002/ada@example.com --yes": "In a script",
	},
	effect: "write",
	operations: [deleteRelated.id, getRelated.id],
	input: z.strictObject(deleteRelated.params.shape),
	answer: () => z.strictObject({ id: z.string(), removed: z.boolean() }),
	async run(context, { corporateRelatedId: id }) {
		await context.ask.begin();
		const about = async (): Promise<About> => {
			const { who, roles } = await relatedNamed(context, id);
			const title = `Remove ${roles === "" ? who : `${who} (${roles})`}`;
			return { title, rows: [["Id", id]], question: `${title}? This cannot be undone` };
		};
		await context.ask.change(about, { always: true });
		await call(context, deleteRelated, { params: { corporateRelatedId: id } });
		return { data: { id, ...knownOf(context, id), removed: true }, next: [purser`overview`] };
	},
	text: ({ id, ...whose }, style) => style.done("Related entity removed", { Who: whoseText(whose), Id: id }),
});
