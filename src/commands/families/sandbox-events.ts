/**
 * Where a sandbox delivers its events.
 */
import { isLoopback } from "../../api/service-address.js";
import { isUrl } from "../../api/text/url.js";
import { PurserError } from "../../errors.js";

/**
 * The address that a person gave. Deliveries say everything that happens, so they stay on this machine.
 * @throws PurserError validation, where it is none; guard, where it is on another machine
 */
export function receiverOf(typed: string): URL {
	const url = isUrl(typed) ? new URL(typed) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "")
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "--events-to is not an address to deliver to",
			fix: "Like: --events-to http://127.0.0.1:4020/hook, without a user or a password.",
			details: [{ field: "eventsTo", message: "must be an http or https address" }],
		});
	if (isLoopback(typed)) return url;
	throw new PurserError("guard", {
		code: "EVENTS_ABROAD",
		message: `${url.hostname} is not this machine; nothing was started`,
		fix: "Give an address of this machine, like --events-to http://127.0.0.1:4020/hook.",
	});
}

/** What to do with the deliveries. */
export const eventsWords = (to: URL): string =>
	`Events go to ${to.href}, signed. The secret: purser sandbox webhook-secret | purser events secret add sandbox\n`;
