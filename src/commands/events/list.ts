import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { flag, moment, plain } from "../../api/fields.js";
import { momentForms } from "../../api/typed.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { namingOperations } from "../../events/confirm.js";
import { calledIn, eventCells, eventColumns, eventLine } from "../../events/line.js";
import type { ServiceEvent } from "../../ports/events.js";
import { event } from "../families/answers.js";
import { typeField } from "../families/events.js";
import { firstOf, limitField, limitOf } from "../families/list.js";

export default defineCommand({
	path: "events list",
	summary: "List the events that this machine has received",
	details:
		"Newest first, from the inbox of the profile on this machine. Confirmed is the status that the service itself gave when purser asked: only that counts. An event that never came proves nothing.",
	examples: {
		"events list": "The latest hundred",
		"events list --type 'transaction.*' --since 2h": "Payments of the last two hours",
		"events list --subject 3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11": "Everything about one record",
		"events list --failed": "Where a hook gave up",
	},
	operations: namingOperations,
	input: z.strictObject({
		type: typeField(),
		subject: z.optional(plain("Only events about the record with this id", { placeholder: "id" })),
		since: z.optional(moment(`Received at or after: ${momentForms}`, "start")),
		failed: flag("Only events that a hook failed for"),
		limit: limitField(),
	}),
	answer: () => z.array(event()),
	async run(context, { type, subject, since, failed, limit }): Promise<Answer<ServiceEvent[]>> {
		const { profile } = await context.settings.read();
		if (!(await context.journal.hasInbox(profile))) return { data: [], next: [purser`events secret list`] };
		const inbox = await context.journal.inbox(profile);
		const from = since === undefined ? undefined : new Date(since).toISOString();
		const found = await inbox.list({ types: type, subject, since: from, failed, limit: limitOf(limit) + 1 });
		const data = firstOf(context, found, limit);
		await context.names.of(calledIn(data));
		return { data, next: [data[0] ? purser`events show ${data[0].id}` : purser`events secret list`] };
	},
	text: (events, style) => {
		if (style.cells) return style.table(eventColumns, events.map(eventCells));
		return events.length === 0
			? "No events received yet."
			: events.map((event) => eventLine(event, style, style.moment(event.at))).join("\n");
	},
});
