import * as z from "zod/mini";
import { span } from "../../api/fields.js";
import { secondsOf } from "../../api/quantity.js";
import { defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { confirmingOperations } from "../../events/confirm.js";
import { Following, pollingOperations } from "../../events/following.js";
import { streamed } from "../families/answers.js";
import { endOf, openStream, streamFields } from "../families/events.js";

/** The shortest time between two rounds, in seconds. */
const shortest = 5;

export default defineCommand({
	path: "events follow",
	summary: "Show what happens at the service, where no webhook reaches this machine",
	details:
		"It asks the service instead, and compares its records with what they were before: payments, KYB, KYC of open companies, and terms that must be accepted again. A round usually makes two requests and one per open company, one after another; what is too much for one is read by the next rounds. A status that changed twice between two rounds is shown once. While the service does not answer it goes on asking, as seldom as the service asks for; only a credential that is refused ends it. Exit 6 where --for is over and it never answered. What events listen receives too is shown by both. The first run begins now, every other where the last one ended.",
	examples: {
		"events follow": "Everything, until Ctrl-C",
		"events follow --for 1m -o ndjson": "From a timer: what happened since the last run",
		"events follow --type 'transaction.*' --exec ./on-payment.sh": "Run a program for each change of a payment",
	},
	operations: [...new Set([...pollingOperations, ...confirmingOperations])],
	input: z.strictObject({
		every: z._default(
			span("Time between two rounds", 86_400, "30").check(
				z.refine((typed) => (secondsOf(typed) ?? shortest) >= shortest, `must be ${shortest} seconds or more`),
			),
			"30",
		),
		...streamFields(),
	}),
	answer: () => z.strictObject(streamed()),
	async run(context, input) {
		context.report.tellWarnings();
		const { profile } = await context.settings.read();
		const { inbox, stream } = await openStream(context, input);
		context.report.announce(`Following ${profile.name}`);
		const following = new Following(context, inbox, stream, (secondsOf(input.every) as number) * 1_000);
		await stream.run(following.run());
		const streamed = await stream.finish();
		const exit = endOf(context, streamed);
		if (streamed.end === "time" && !following.reached) throw following.trouble ?? notReached();
		return { data: streamed, exit, lines: [] };
	},
	text: () => "",
});

const notReached = (): PurserError =>
	new PurserError("unavailable", {
		code: "NOTHING_HEARD",
		message: "The service did not answer in the time of --for",
		fix: "Run this again, or with a longer --for.",
	});
