import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { flag, moment, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { momentForms } from "../../api/typed.js";
import { firstOf, limitField, limitOf } from "../../onboarding/records/listing.js";
import type { ServiceEvent } from "../../ports/events.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "events list",
	summary: "List the events that this machine has heard",
	details:
		"Newest first, from the inbox of the profile on this machine. Confirmed is the status that the service itself gave when purser asked: only that counts. An event that never came proves nothing.",
	examples: [
		{ run: "events list", note: "The latest hundred" },
		{ run: "events list --type 'transaction.*' --since 2h", note: "Payments of the last two hours" },
		{ run: "events list --subject 3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11", note: "Everything about one record" },
		{ run: "events list --failed", note: "Where a hook gave up" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		type: z.optional(
			field(z.array(z.string().check(z.regex(/^[\w*.-]{1,200}$/, "must be a type such as transaction.approved, or transaction.*"))), {
				description: "Only this type; * stands for any characters",
				placeholder: "type",
			}),
		),
		subject: z.optional(plain("Only events about the record with this id", { placeholder: "id" })),
		since: z.optional(moment(`Heard at or after: ${momentForms}`, "start")),
		failed: flag("Only events that a hook failed for"),
		limit: limitField(),
	}),
	run: async (context, { type, subject, since, failed, limit }) => {
		const { profile } = await context.settings();
		if (!(await context.hasInbox(profile))) return [];
		const inbox = await context.inbox(profile);
		const from = since === undefined ? undefined : new Date(since).toISOString();
		return firstOf(context, await inbox.list({ types: type, subject, since: from, failed, limit: limitOf(limit) + 1 }), limit);
	},
	text: (events, style) => (events.length === 0 ? "No events heard yet." : eventTable(events, style)),
	lines: (events) => events,
	next: ([first]) => (first ? [purser`events show ${first.id}`] : [purser`events secret list`]),
});

function eventTable(events: readonly ServiceEvent[], style: Style): string {
	const rows = events.map(({ id, at, type, subject, to, confirmed }) => [
		style.time(at) ?? "",
		type,
		subject?.id ?? "",
		to === null ? "" : style.status(to),
		confirmed === null ? style.dim("no") : style.status(confirmed.status),
		id.slice(0, 12),
	]);
	return style.table(["time", "type", "about", "status", "confirmed", "event"], rows);
}
