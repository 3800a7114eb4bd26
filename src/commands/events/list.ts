import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { flag, moment, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { momentForms } from "../../api/typed.js";
import { firstOf, limitField, limitOf } from "../../onboarding/records/listing.js";
import type { ServiceEvent } from "../../ports/events.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

/** Columns from which a table has room for an event on one line. */
const wide = 132;

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
	text: (events, style) => {
		if (events.length === 0) return "No events heard yet.";
		return style.columns >= wide ? eventTable(events, style) : events.map((event) => eventParagraph(event, style)).join("\n");
	},
	table: (events, style) => eventTable(events, style),
	lines: (events) => events,
	next: ([first]) => (first ? [purser`events show ${first.id}`] : [purser`events secret list`]),
});

const confirmedWords = ({ confirmed }: ServiceEvent, style: Style): string =>
	confirmed === null ? style.dim("no") : style.status(confirmed.status);

/** Enough of an id to show the event by. */
const shortId = ({ id }: ServiceEvent): string => id.slice(0, 12);

function eventTable(events: readonly ServiceEvent[], style: Style): string {
	const rows = events.map((event) => [
		style.moment(event.at) ?? "",
		event.type,
		event.subject?.id ?? "",
		event.to === null ? "" : style.status(event.to),
		confirmedWords(event, style),
		shortId(event),
	]);
	return style.table(["time", "type", "about", "status", "confirmed", "event"], rows);
}

/** On two lines: what happened, and to what. */
function eventParagraph(event: ServiceEvent, style: Style): string {
	const { at, type, to, subject } = event;
	const head = [style.moment(at) ?? "", style.bold(type), to === null ? "" : style.status(to)].filter((part) => part !== "").join("  ");
	const confirmed = event.confirmed === null ? style.dim("not confirmed") : `confirmed ${confirmedWords(event, style)}`;
	return `${head}\n  ${[subject?.id ?? "", confirmed, shortId(event)].filter((part) => part !== "").join("  ")}`;
}
