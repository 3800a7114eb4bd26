import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { plain, span } from "../../api/fields.js";
import { secondsOf } from "../../api/quantity.js";
import { field } from "../../api/schema.js";
import { isLoopback } from "../../api/service-address.js";
import { isUrl } from "../../api/text/url.js";
import type { Context } from "../../context.js";
import { type Kind, PurserError } from "../../errors.js";
import type { Hook } from "../../events/hooks.js";
import { EventStream, type Streamed } from "../../events/stream.js";
import type { Inbox, StoredEvent } from "../../ports/events.js";

const longestTime = 31 * 86_400;

export const typeField = () =>
	z.optional(
		field(z.array(z.string().check(z.regex(/^([\w.-]{1,200}\*?|\*)$/, "must be a type such as transaction.approved, or transaction.*"))), {
			description: "Only this type, or all that begin so where * is the end",
			placeholder: "type",
		}),
	);

export const hookFields = () => ({
	forwardTo: z.optional(
		field(z.array(z.string().check(z.refine(isAddress, "must be an http or https address, without a user name or a password in it"))), {
			description: "Address that each delivery is sent on to, with its bytes and headers",
			placeholder: "url",
		}),
	),
	exec: z.optional(plain("Program that is given each event as JSON on standard input; 0 acknowledges it", { placeholder: "program" })),
	arguments: z.optional(
		field(z.array(z.string()), {
			description: "Arguments of the program of --exec",
			positional: true,
			afterDashes: true,
			placeholder: "-- arg",
		}),
	),
});

export const streamFields = () => ({
	type: typeField(),
	for: z.optional(span("Longest time, in seconds or like 1h", longestTime, "60")),
	...hookFields(),
});

interface Given extends HooksGiven {
	type?: string[];
	for?: string;
}

/**
 * The stream that was asked for, over the profile's inbox.
 * @throws PurserError as {@link hooksOf}, and as opening the inbox does
 */
export async function openStream(context: Context, given: Given): Promise<{ inbox: Inbox; stream: EventStream }> {
	const { type: types, for: time } = given;
	const hooks = await hooksOf(context, given);
	const inbox = await context.journal.inbox((await context.settings.read()).profile);
	const options = { types, time: time === undefined ? undefined : (secondsOf(time) as number) * 1_000, hooks };
	return { inbox, stream: new EventStream(context, inbox, options) };
}

interface HooksGiven {
	forwardTo?: readonly string[];
	exec?: string;
	arguments?: readonly string[];
}

/**
 * @throws PurserError usage, for arguments without a program; guard, where a live profile's events would leave this machine unencrypted
 */
export async function hooksOf(context: Context, { forwardTo = [], exec, arguments: words = [] }: HooksGiven): Promise<Hook[]> {
	if (exec === undefined && words.length > 0)
		throw new PurserError("usage", {
			code: "ARGUMENTS_WITHOUT_PROGRAM",
			message: "Words after -- are the arguments of the program of --exec, and there is none",
			fix: "Give the program with --exec PROGRAM, or leave the words out.",
		});
	const { profile } = await context.settings.read();
	const open = forwardTo.find((address) => new URL(address).protocol === "http:" && !isLoopback(address));
	if (open !== undefined && profile.environment === "live")
		throw new PurserError("guard", {
			code: "FORWARD_UNENCRYPTED",
			message: `Events of a live profile are not sent unencrypted to another machine (${new URL(open).host})`,
			why: "They may hold personal data",
			fix: "Give an https address, or one on this machine.",
		});
	const forwards = [...new Set(forwardTo.map((address) => new URL(address).href))].map((url): Hook => ({ kind: "forward", url }));
	return exec === undefined ? forwards : [...forwards, { kind: "exec", words: [exec, ...words] }];
}

/** An event of the profile's inbox. @throws PurserError usage, where there is none, or several begin so */
export async function storedEvent(context: Context, id: string): Promise<StoredEvent> {
	const { profile } = await context.settings.read();
	const found = (await context.journal.hasInbox(profile)) ? await (await context.journal.inbox(profile)).show(id) : undefined;
	if (found) return found;
	throw new PurserError("usage", {
		code: "EVENT_UNKNOWN",
		message: `There is no event ${JSON.stringify(id)} in the inbox of profile ${profile.name}`,
		why: "An id, or its beginning, has at least four digits after evt_",
		fix: advice`List them: ${purser`events list`}`,
	});
}

/** What a person reads at the end, beside the events, and the kind of failure that the end stands for. */
export function endOf({ report }: Context, { end, received, hooks }: Streamed): Kind | undefined {
	const why = { time: "the time is over", stopped: "stopped", unread: "nobody reads it" }[end];
	report.step(`${received} ${received === 1 ? "event" : "events"}; ${why}`);
	if (hooks.waiting > 0) report.announce(`Not handed on yet: ${hooks.waiting}. The next run with the same hooks goes on with them.`);
	if (end === "stopped") return "interrupted";
	if (hooks.failed > 0) return "partial";
	return hooks.waiting > 0 ? "pending" : undefined;
}

function isAddress(typed: string): boolean {
	if (!isUrl(typed)) return false;
	const { protocol, username, password } = new URL(typed);
	return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
