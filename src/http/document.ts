/**
 * Fetches a document to which the service refers by address: the terms, a review. One bounded GET each, without the journal.
 */

import { advice, purser } from "../api/advice.js";
import { isUrl } from "../api/text/url.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { authorise } from "./auth.js";
import { mediaType } from "./content.js";
import { interruptedCall } from "./failure.js";
import { hiding, outcomeLine, requestLine, shownPlace } from "./redact.js";
import { baseOf } from "./request/address.js";

/** Largest document in bytes. */
const largestDocument = 32 * 1024 * 1024;
/** Milliseconds within which a connection must be established. */
const connectLimit = 10_000;

/**
 * Fetches a document. Only the profile's own scheme, host and port are asked, with its credential, and no redirect is followed.
 * @throws PurserError guard, if the address may not be followed; rejected, unavailable or bug, if no document came; interrupted on Ctrl-C
 */
export async function fetchDocument(context: Context, address: string): Promise<{ bytes: Uint8Array; contentType?: string }> {
	const { profile, timeout, debug } = await context.settings.read();
	const target = isUrl(address) ? new URL(address) : undefined;
	if (target === undefined || (target.protocol !== "https:" && target.protocol !== "http:"))
		throw refused("UNSAFE_ADDRESS", "its address is not a web address");
	if (target.username !== "" || target.password !== "") throw refused("UNSAFE_ADDRESS", "its address holds a user name or a password");
	if (target.origin !== baseOf(profile).origin) throw refused("OTHER_HOST", `it is on ${target.host}, not where the service is`);
	const session = await authorise(context, profile, { auth: "optional" }, false);
	const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": `purser/${context.system.version}`, ...session.headers };
	const request = { method: "GET", url: target.href, headers } as const;
	if (debug) context.report.debug(requestLine(request, undefined, shownPlace(target.href)));
	const started = context.clock.monotonic();
	const limits = { connect: Math.min(connectLimit, timeout), total: timeout, bytes: largestDocument, signal: context.signal };
	const outcome = await (await context.system.transport()).send(request, limits);
	if (debug) context.report.debug(outcomeLine(outcome, undefined, context.clock.monotonic() - started, hiding(profile.auth, headers)));
	if (context.signal.aborted && outcome.kind !== "answer") throw interruptedCall();
	if (outcome.kind !== "answer") throw failed("unavailable", "NO_ANSWER", `${target.host}: ${outcome.reason}`);
	const { status, body } = outcome;
	if (status !== 200)
		throw failed(status >= 500 ? "unavailable" : "rejected", "NOT_A_DOCUMENT", `${target.host} answered with status ${status}`, status);
	if (body.length === 0) throw failed("bug", "NOT_A_DOCUMENT", `${target.host} answered with an empty document`, status);
	return { bytes: body, contentType: mediaType(outcome.headers["content-type"] ?? "") };
}

function refused(code: string, why: string): PurserError {
	return new PurserError("guard", {
		code,
		message: `The document was not fetched: ${why}`,
		fix: "Fetch it yourself if you trust the address.",
	});
}

function failed(kind: "rejected" | "unavailable" | "bug", code: string, why: string, status?: number): PurserError {
	return new PurserError(kind, {
		code,
		message: `The document was not fetched: ${why}`,
		fix: advice`Try again later, or fetch it yourself from where ${purser`terms show`} says`,
		status,
	});
}
