/**
 * Where a sandbox delivers its events.
 */
import { isUrl } from "../../api/text/url.js";
import { PurserError } from "../../errors.js";
import { isLoopback } from "../../sandbox/admission.js";

/**
 * The address that a person gave. Deliveries tell of everything that happens, so another machine has to be meant.
 * @throws PurserError validation, where it is none; guard, where it is on another machine and that was not said
 */
export function receiverOf(typed: string, abroad: boolean): URL {
	const url = isUrl(typed) ? new URL(typed) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "")
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "--events-to is not an address to deliver to",
			fix: "Like: --events-to http://127.0.0.1:4020/hook, without a user or a password.",
			details: [{ field: "eventsTo", message: "must be an http or https address" }],
		});
	const name = url.hostname.replace(/^\[|\]$/g, "");
	if (abroad || name === "localhost" || isLoopback(name)) return url;
	throw new PurserError("guard", {
		code: "EVENTS_ABROAD",
		message: `${url.hostname} is not this machine; nothing was started`,
		fix: "Add --events-abroad if the sandbox's events are to leave this machine.",
	});
}

/** What to do with the deliveries. */
export const eventsWords = (to: URL): string =>
	`Events go to ${to.href}, signed. The secret: purser sandbox webhook-secret | purser events secret add sandbox\n`;
