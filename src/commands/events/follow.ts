import * as z from "zod/mini";
import { moment, span } from "../../api/fields.js";
import { secondsOf } from "../../api/quantity.js";
import { field } from "../../api/schema.js";
import { momentForms, readMoment } from "../../api/typed.js";
import { defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import type { Inbox } from "../../ports/events.js";
import type { EventStream } from "../families/event-stream.js";
import { openStream, streamFields, streamOperations, streamOutcome, tellEnd } from "../families/events.js";
import { Following } from "../families/follow/following.js";
import { pollingOperations } from "../families/follow/poll.js";

const last = "last";
const since = `From when on: ${last} (where the last run ended), ${momentForms}`;

/** Most events that are told of the past. */
const mostAgain = 10_000;

/** The shortest time between two rounds, in seconds. */
const shortest = 5;

export default defineCommand({
	path: "events follow",
	summary: "Tell what happens at the service, where no webhook reaches this machine",
	details:
		"It asks the service instead, and compares its records with what they were before: payments, KYB, KYC of open companies, and terms that must be accepted again. A round makes at most 40 requests, one after another, and usually two and one per open company. A status that changed twice between two rounds is told once. After this machine slept, or the service did not answer, it catches up and says so; only a credential that is refused ends it. Exit 6 where --for is over and it never answered. What events listen hears too is told once. The first run begins now, every other where the last one ended.",
	examples: [
		{ run: "events follow", note: "Everything, until Ctrl-C" },
		{ run: "events follow --since last --for 1m -o ndjson", note: "From a timer: what happened since the last run" },
		{ run: "events follow --type 'transaction.*' --exec ./on-payment.sh", note: "Run a program for each change of a payment" },
	],
	effect: "read",
	operations: [...new Set([...pollingOperations, ...streamOperations])],
	input: z.strictObject({
		every: z._default(
			span("Time between two rounds", 86_400, "30").check(
				z.refine((typed) => (secondsOf(typed) ?? shortest) >= shortest, `must be ${shortest} seconds or more`),
			),
			"30",
		),
		since: z._default(field(z.union([z.literal(last), moment(since, "start")]), { description: since, placeholder: "when" }), last),
		...streamFields(),
	}),
	async run(context, input) {
		context.report.tellWarnings();
		const { profile } = await context.settings.read();
		const from =
			input.since === last
				? undefined
				: new Date(readMoment(input.since, { now: context.clock.now(), utc: context.settings.flags.utc === true, end: false }));
		const { inbox, stream } = await openStream(context, input);
		context.report.announce(`Following ${profile.name}`);
		const following = new Following(context, inbox, { every: (secondsOf(input.every) as number) * 1_000, from, stream });
		const begin = async (): Promise<never> => {
			if (from !== undefined) await tellSince(inbox, stream, from);
			return following.run();
		};
		await stream.run(begin());
		const streamed = await stream.finish();
		tellEnd(context, streamed);
		if (streamed.end === "time" && !following.reached) throw following.trouble ?? notReached();
		return { data: streamed, exit: streamOutcome(streamed), lines: [] };
	},
	text: () => "",
});

const notReached = (): PurserError =>
	new PurserError("unavailable", {
		code: "NOTHING_HEARD",
		message: "The service did not answer in the time of --for",
		fix: "Run this again, or with a longer --for.",
	});

/** Tells what was heard since a time already, by whatever source. */
async function tellSince(inbox: Inbox, stream: EventStream, from: Date): Promise<void> {
	const heard = await inbox.list({ since: from.toISOString(), limit: mostAgain });
	for (const event of heard.reverse()) if (await stream.hasRoom()) await stream.tell(event);
}
