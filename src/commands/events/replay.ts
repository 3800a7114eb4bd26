import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { type Hook, handOn, hookId, hookName } from "../../events/hooks.js";
import { hookFields, hooksOf, storedEvent } from "../families/events.js";

/** Most events of one run; the newest. */
const most = 10_000;

/** `hook` is without what may be a secret; `why` says why it was not acknowledged. */
const replayed = () =>
	z.strictObject({
		...{ id: z.string(), type: z.string(), hook: z.string() },
		...{ acknowledged: z.boolean(), why: z.nullable(z.string()) },
	});
type Replayed = z.output<ReturnType<typeof replayed>>;

export default defineCommand({
	path: "events replay",
	summary: "Hand events on once more, to an address or a program",
	details:
		"Each is handed on at once, with the bytes and headers with which it came, and the answer says what became of it. Bodies are kept for 7 days. A signature that has a time is too old for most programs after five minutes. --failed takes the events that a hook failed for, and leaves out what the given hook has acknowledged. Exit 9 where anything was not acknowledged.",
	examples: {
		"events replay evt_3f1c9a52 --forward-to http://127.0.0.1:3000/webhooks": "One event",
		"events replay --failed --exec ./on-payment.sh": "Whatever a hook failed for",
	},
	input: z.strictObject({
		events: z.optional(
			field(z.array(z.string().check(z.minLength(1, "must not be empty"))), {
				description: "Events, by id or its beginning",
				positional: true,
				placeholder: "event",
			}),
		),
		failed: flag("Events that a hook failed for"),
		...hookFields(),
	}),
	answer: () => z.array(replayed()),
	async run(context, input) {
		const { profile, dryRun } = await context.settings.read();
		const hooks = await hooksOf(context, input);
		const { events = [], failed } = input;
		requireChoice(events, failed, hooks);
		const inbox = await context.journal.inbox(profile);
		// The oldest first, as they happened.
		const found = failed ? (await inbox.list({ failed, limit: most })).map(({ id }) => id).reverse() : [];
		const ids = [...events, ...found];
		const replayed: Replayed[] = [];
		// All that are named are there before the first is handed on.
		for (const id of events) await storedEvent(context, id);
		for (const named of ids) {
			const stored = await storedEvent(context, named);
			const { id, type } = stored.event;
			for (const hook of hooks) {
				if (context.signal.aborted) return { data: replayed, exit: "interrupted" };
				if (failed && stored.hooks.some((one) => one.hook === hookId(hook) && one.state === "done")) continue;
				const why = dryRun ? "dry run" : ((await handOn(context, hook, stored, context.signal)) ?? null);
				if (!dryRun) await inbox.hooks.ended(id, hookId(hook), why);
				replayed.push({ id, type, hook: hookName(hook), acknowledged: why === null, why });
			}
		}
		if (dryRun) context.report.warn("Dry run: nothing was handed on");
		const missed = replayed.find(({ acknowledged }) => !acknowledged && !dryRun);
		return { data: replayed, ...(missed && { exit: "partial", next: [purser`events show ${missed.id}`] }) };
	},
	text: (replayed, style) =>
		style.list(replayed, "No event to hand on.", {
			event: ({ id }) => (style.cells ? id : id.slice(0, 12)),
			type: ({ type }) => type,
			"handed on to": ({ hook }) => hook,
			acknowledged: ({ acknowledged }) => (acknowledged ? style.good("yes") : style.bad("no")),
			reason: ({ why }) => why ?? "",
		}),
});

/** @throws PurserError usage */
function requireChoice(events: readonly string[], failed: boolean, hooks: readonly Hook[]): void {
	if (events.length === 0 && !failed)
		throw new PurserError("usage", {
			code: "MISSING_INPUT",
			message: "Nothing says which events to hand on",
			fix: advice`Name events (${purser`events list`} has their ids), or give --failed.`,
		});
	if (hooks.length === 0)
		throw new PurserError("usage", {
			code: "MISSING_INPUT",
			message: "Nothing says where to hand them on to",
			why: "Addresses and programs are not kept, because they may hold a secret",
			fix: "Give --forward-to URL, or --exec PROGRAM.",
		});
}
