import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { flag, plain } from "../../api/fields.js";
import { formatJson } from "../../api/json.js";
import { withRecords } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import { namingOperations } from "../../events/confirm.js";
import { aboutName, aboutWords, calledIn } from "../../events/line.js";
import type { HookState, ServiceEvent, StoredDelivery, StoredEvent } from "../../ports/events.js";
import type { Style } from "../../ports/style.js";
import { event } from "../families/answers.js";
import { storedEvent } from "../families/events.js";

interface Shown extends ServiceEvent {
	receivedAt: string;
	delivery?: Omit<StoredDelivery, "body"> & { hasBody: boolean };
	hooks: readonly HookState[];
}

const shown = () =>
	z.extend(event(), {
		receivedAt: z.string(),
		delivery: z.optional(
			z.strictObject({
				...{ id: z.string(), digest: z.string(), hasBody: z.boolean() },
				headers: z.optional(z.record(z.string(), z.unknown())),
			}),
		),
		hooks: z.array(z.strictObject({ hook: z.string(), state: z.string(), why: z.nullable(z.string()) })),
	});

export default defineCommand({
	path: "events show",
	summary: "Show an event: what it says, how it came, and what hooks did with it",
	details:
		"An event is only a hint. Confirmed is what the service itself said when purser asked. Headers and bodies are kept for 7 days; --body writes the body as it came.",
	examples: {
		"events show evt_3f1c9a52": "The beginning of its id is enough",
		"events show evt_3f1c9a52 --body > body.json": "Its body, byte for byte, for `events verify`",
	},
	operations: namingOperations,
	input: z.strictObject({
		event: plain("The event, by its id or the beginning of it", { positional: true, placeholder: "event" }),
		body: flag("Write the body alone, as it came"),
	}),
	answer: () => withRecords(z.union([shown(), z.strictObject({ body: z.string() })]), shown()),
	async run(context, { event: id, body }): Promise<Answer<Shown | { body: string }>> {
		const found = await storedEvent(context, id);
		if (body) {
			const raw = bodyOf(found);
			return { data: { body: raw }, raw };
		}
		const { raw, ...event } = found.event;
		await context.names.of(calledIn([event]));
		const delivery = found.delivery && shownDelivery(found.delivery);
		const data = { ...event, receivedAt: found.receivedAt, delivery, hooks: found.hooks, ...(raw === undefined ? {} : { raw }) };
		return { data, next: event.subject === null ? [] : nextAbout(event.subject) };
	},
	text: (data, style) => ("body" in data ? "" : shownText(data, style)),
});

const shownDelivery = ({ body, ...delivery }: StoredDelivery) => ({ ...delivery, hasBody: body !== undefined });

function nextAbout({ kind, id }: NonNullable<ServiceEvent["subject"]>): SuggestedCommand[] {
	const about = kind === "transaction" ? [purser`pay show ${typed(id, "TRANSACTION")}`] : [];
	return [...about, purser`events list --subject ${id}`];
}

function bodyOf({ event, delivery }: StoredEvent): string {
	const body = delivery?.body;
	// All bodies are UTF-8, else nobody's signature holds; a mark at the beginning is part of what was signed.
	if (body !== undefined) return Buffer.from(body).toString("utf8");
	throw new PurserError("usage", {
		code: "EVENT_BODY_MISSING",
		message: `There is no body of ${event.id} to write`,
		why: delivery === undefined ? "A poll saw the event, and no delivery of it came" : "It is no longer kept (7 days)",
		fix: advice`See what is known of it: ${purser`events show ${event.id}`}`,
	});
}

function shownText(data: Shown, style: Style): string {
	const { confirmed, from, to, delivery } = data;
	const how = delivery === undefined ? "purser asked the service" : "webhook, its signature is valid";
	const words = { due: "waiting", done: style.good("acknowledged"), failed: style.bad("failed") };
	const pairs: Parameters<Style["pairs"]>[0] = [
		["Event", data.id],
		["Type", style.bold(data.type)],
		["Time", style.time(data.at)],
		["About", [aboutName(data, style), aboutWords(data)].filter(Boolean).join(" · ") || "not said"],
		["Status", to === null ? "not said" : style.status(to)],
		["Before", from === null ? undefined : `${from}${data.source === "poll" ? " (others may have been in between)" : ""}`],
		["Confirmed", confirmed === null ? "no: the service did not say" : `${confirmed.status}, ${style.time(confirmed.at)}`],
		["Received", `${style.time(data.receivedAt)}, ${how}`],
		["Sender's id", delivery?.id],
		["Body", delivery === undefined || delivery.hasBody ? undefined : "not kept"],
		...data.hooks.map(({ hook, state, why }) => [`Hook ${hook.slice(0, 12)}`, [words[state], why].filter(Boolean).join(": ")] as const),
	];
	if (data.raw === undefined) return style.pairs(pairs);
	const body = typeof data.raw === "string" ? data.raw : formatJson(data.raw, 2);
	return `${style.pairs(pairs)}\n\n${style.bold("Body")}\n${body}`;
}
