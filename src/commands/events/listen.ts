import * as z from "zod/mini";
import { plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { saidIn } from "../../events/normal.js";
import type { Receiver, ReceiverOptions } from "../../ports/receiver.js";
import { defineCommand } from "../../shell/command.js";
import { Confirming } from "../families/event-confirm.js";
import { HandingOn } from "../families/event-hooks.js";
import { Refusals } from "../families/event-refusals.js";
import { EventStream } from "../families/event-stream.js";
import { openVerifying } from "../families/event-verify.js";
import { hooksOf, streamFields, streamOperations, streamOptions, streamOutcome, tellEnd } from "../families/events.js";

export default defineCommand({
	path: "events listen",
	summary: "Receive events on this machine, check their signatures, and tell each once",
	details:
		"It listens on 127.0.0.1 only, at a path that nobody can guess unless --path names one; a tunnel of your own brings deliveries there. A delivery is stored durably before its sender is answered, a repeat is not told again, and a missing or wrong signature is refused with 401. An event is a hint: the service is asked about each (confirmed), unless --no-confirm is given. With --until and --no-confirm the event's own word counts. Hooks that do not acknowledge are tried again after 1 s, 10 s, 1 min and 10 min, also by the next run that has the same hooks. Exit 8 where --for is over before --until, 5 for a final status that is no success, 9 where a hook failed for good.",
	examples: [
		{ run: "events listen --port 4020 --path /hook", note: "Everything, until Ctrl-C" },
		{ run: "events listen --forward-to http://127.0.0.1:3000/webhooks", note: "Pass each on to a program under development" },
		{ run: "events listen --type 'transaction.*' --exec ./on-payment.sh -- --ledger main", note: "Run a program for each payment" },
		{ run: "events listen --until 3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11=final --for 1h", note: "Until a payment is final" },
		{ run: "events listen --port 0 --path /hook -o ndjson", note: "For a script: one line per event" },
	],
	effect: "read",
	operations: streamOperations,
	input: z.strictObject({
		port: z._default(
			field(z.string().check(z.refine((typed) => /^\d{1,5}$/.test(typed) && Number(typed) <= 65535, "must be a port number, 0 to 65535")), {
				description: "Port; 0 takes a free one",
				placeholder: "number",
			}),
			"0",
		),
		path: z.optional(
			field(z.string().check(z.regex(/^\/[\w.~/-]{0,200}$/, "must be a path such as /hook, of letters, digits, . _ ~ - and /")), {
				description: "Path; one that nobody can guess where it is not given",
				placeholder: "path",
			}),
		),
		allowHost: z.optional(
			field(z.array(z.string().check(z.regex(/^[a-z0-9.-]{1,253}$/i, "must be the name of a host, like hooks.example.com"))), {
				description: "Name under which a tunnel brings deliveries here",
				placeholder: "host",
			}),
		),
		scheme: z.optional(
			plain("How they are signed; every scheme that there is a secret for where it is not given", { placeholder: "name" }),
		),
		...streamFields(),
	}),
	run: async (context, input) => {
		context.reporter.tellWarnings();
		const { profile } = await context.settings();
		const hooks = await hooksOf(context, input);
		const verifying = await openVerifying(context, profile, input.scheme);
		const inbox = await context.inbox(profile);
		const confirming = input.confirm ? new Confirming(context) : undefined;
		const handing = new HandingOn(context, inbox, hooks, confirming);
		const stream = new EventStream(context, inbox, streamOptions(input), { handing, confirming });
		const refusals = new Refusals(context);
		const receiver = await listen(context, input, {
			// At the end senders are asked to come again, which is nothing to be told.
			turnedAway: (why, host) => (why === "busy" && stream.hasEnough ? undefined : refusals.note(why, host)),
			take: async (delivery) => {
				if (stream.isFull) return "busy";
				try {
					const verdict = await verifying.check(delivery);
					if (!verdict.isGenuine) {
						refusals.note(verdict.why);
						return "unsigned";
					}
					const { scheme, id, at } = verdict;
					const heard = { source: "webhook" as const, said: saidIn(delivery.body), delivery: { ...delivery, scheme, id, at } };
					if (!(await stream.hear(heard))) refusals.note("repeat");
				} catch (error) {
					refusals.failing(error);
					throw error;
				}
				return "stored";
			},
		});
		context.reporter.announce(`Listening at ${receiver.url}`);
		context.reporter.step("Ctrl-C stops it.");
		try {
			await stream.run();
		} finally {
			await receiver.close();
			refusals.tell();
		}
		const streamed = await stream.finish();
		tellEnd(context, streamed);
		const { repeats, unsigned, turnedAway } = refusals;
		return { ...streamed, repeats, unsigned, turnedAway };
	},
	text: () => "",
	lines: () => [],
	outcomes: ["rejected", "pending", "partial", "interrupted"],
	outcome: streamOutcome,
});

async function listen(
	context: Context,
	{ port, path, allowHost: hosts }: { port: string; path?: string; allowHost?: string[] },
	options: ReceiverOptions,
): Promise<Receiver> {
	try {
		return await context.receiver({ port: Number(port), path, hosts }, options);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		throw new PurserError("usage", {
			code: "PORT_UNAVAILABLE",
			message: `Cannot listen on 127.0.0.1:${port}`,
			why: code === "EADDRINUSE" ? "Another program listens there, perhaps another purser" : troubleWords(cause),
			fix: "Choose another with --port, or 0 for a free one.",
			cause,
		});
	}
}
