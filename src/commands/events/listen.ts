import * as z from "zod/mini";
import { formed } from "../../api/fields.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { confirmingOperations } from "../../events/confirm.js";
import { changeIn, companyIn } from "../../events/normal.js";
import { openVerifying, type Refusal, refusalWords } from "../../events/verdict.js";
import type { ReceiverOptions, TurnedAway } from "../../ports/receiver.js";
import { streamed } from "../families/answers.js";
import { endOf, openStream, streamFields } from "../families/events.js";
import { listenAt, portField } from "../families/port.js";

export default defineCommand({
	path: "events listen",
	summary: "Receive events on this machine, check their signatures, and show each once",
	details:
		"It listens on 127.0.0.1 only, at a path that nobody can guess unless --path names one; a tunnel of your own brings deliveries there. A delivery is stored durably before its sender is answered, a repeat is not shown again, and a missing or wrong signature is refused with 401. An event is a hint: the service is asked about each (confirmed). A hook that fails is named, and events replay --failed hands its events on again; what was not handed on when it stopped is handed on by the next run with the same hooks. Exit 8 where something was not handed on yet, 9 where a hook failed. To wait for one payment: purser pay show TRANSACTION --wait.",
	examples: {
		"events listen --port 4020 --path /hook": "Everything, until Ctrl-C",
		"events listen --forward-to http://127.0.0.1:3000/webhooks": "Pass each on to a program under development",
		"events listen --type 'transaction.*' --exec ./on-payment.sh -- --ledger main": "Run a program for each payment",
		"events listen --port 0 --path /hook -o ndjson": "For a script: one line per event",
	},
	operations: [...confirmingOperations, listCorporates.id],
	input: z.strictObject({
		port: portField("0"),
		path: z.optional(
			formed(
				/^\/[\w.~/-]{0,200}$/,
				"a path such as /hook, of letters, digits, . _ ~ - and /",
				"Path; one that nobody can guess where it is not given",
				{ placeholder: "path" },
			),
		),
		allowHost: z.optional(
			field(z.array(z.string().check(z.regex(/^[a-z0-9.-]{1,253}$/i, "must be the name of a host, like hooks.example.com"))), {
				description: "Name under which a tunnel brings deliveries here",
				placeholder: "host",
			}),
		),
		...streamFields(),
	}),
	answer: () => z.strictObject({ ...streamed(), refused: z.record(z.string(), z.number()) }),
	async run(context, input) {
		context.report.tellWarnings();
		const { profile } = await context.settings.read();
		const check = await openVerifying(context, profile);
		const { stream } = await openStream(context, input);
		const refusals = new Refusals(context);
		const place = { port: Number(input.port), path: input.path, hosts: input.allowHost };
		const options: ReceiverOptions = {
			// At the end senders are asked to come again, which is nothing to report.
			turnedAway: (why, host) => (why === "busy" && stream.isOver ? undefined : refusals.note(why, host)),
			take: async (delivery) => {
				if (stream.isFull) return "busy";
				try {
					const verdict = await check(delivery);
					if (!verdict.isGenuine) {
						refusals.note(verdict.why);
						return "unsigned";
					}
					const { headers, body } = delivery;
					const change = { ...changeIn(body), at: new Date(verdict.at).toISOString() };
					const notice = { source: "webhook" as const, change, delivery: { id: verdict.id, headers, body } };
					const [about, company] = [change.subject, companyIn(body)];
					if (about?.kind === "related" && company !== undefined)
						context.names.seen.note(profile, [{ kind: "related", id: about.id, name: "", of: company, personal: true }]);
					await stream.receive(notice);
				} catch (error) {
					refusals.failing(error);
					throw error;
				}
				return "stored";
			},
		};
		const receiver = await listenAt(input.port, () => context.system.receiver(place, options));
		context.report.announce(`Listening at ${receiver.url}`);
		context.report.step("Ctrl-C stops it.");
		try {
			await stream.run();
		} finally {
			await receiver.close();
		}
		const streamed = await stream.finish();
		return { data: { ...streamed, refused: Object.fromEntries(refusals.counts) }, exit: endOf(context, streamed), lines: [] };
	},
	text: () => "",
});

const words: Readonly<Record<Refusal | TurnedAway, string>> = {
	...refusalWords,
	connections: "on connections beyond the most (100)",
	host: "for another host",
	path: "for another path",
	method: "that are no POST",
	compressed: "with a compressed body",
	"too-large": "with a body of more than 1 MB",
	"too-slow": "that took more than 10 s",
	malformed: "that are no HTTP",
	busy: "because too much waits; their senders try again",
	failed: "that could not be stored; their senders try again",
};

/** What is not taken: the first of each kind is reported, and all are counted. */
class Refusals {
	readonly counts = new Map<Refusal | TurnedAway, number>();
	#reason = "";

	constructor(private readonly context: Context) {}

	/** @param host of a request that was for another one */
	note(why: Refusal | TurnedAway, host?: string): void {
		const before = this.counts.get(why) ?? 0;
		this.counts.set(why, before + 1);
		const taken = host === undefined ? "" : ` (${host}; --allow-host takes it)`;
		if (before === 0) this.context.report.announce(`Not taken: 1 ${words[why]}${taken}`);
	}

	/** A delivery could not be stored: the first reason of several alike is reported. */
	failing(error: unknown): void {
		const reason = error instanceof PurserError ? error.message : "no reason known";
		if (reason !== this.#reason) this.context.report.warn(reason);
		this.#reason = reason;
	}
}
