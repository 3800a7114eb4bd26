/**
 * Turns the outcome of a call into the error that a person reads, by the table of kinds in `errors.ts`. Pure.
 */

import { advice, purser } from "../api/advice.js";
import { type Received, recordFault, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import { isLoopback } from "../api/service-address.js";
import { type Advice, type Failure, type Kind, PurserError } from "../errors.js";
import type { JournalOutcome } from "../ports/intent.js";
import type { Profile } from "../ports/profiles.js";
import type { WireOutcome } from "../ports/wire.js";
import { loginHint } from "./auth.js";
import type { Content } from "./content.js";
import { type Hide, hiddenIn } from "./redact.js";

export interface FailedCall {
	operation: AnyOperation;
	input: Input;
	profile: Profile;
	/** Where the credential came from. */
	from?: string;
	origin: string;
	outcome: WireOutcome;
	content?: Content;
	/** Hides the secrets of the request in what came. */
	hide: Hide;
	tried: number;
	/** Milliseconds that the service asked to wait, if that was not obeyed. */
	wait?: number;
	intent?: string;
	/** The refused token was renewed, so the next run has a valid one. */
	renewed?: boolean;
}

export function readFailure(trouble: FailedCall): PurserError {
	const { outcome } = trouble;
	if (outcome.kind === "not-sent") return unreachable(trouble, outcome.reason, outcome.cause);
	if (outcome.kind === "sent") return noAnswer(trouble, outcome);
	const { status } = outcome;
	if (status === 401 || status === 403) return denied(trouble, status);
	if (status >= 300 && status < 400) return redirected(trouble, status);
	if (status === 408 || status === 425 || status === 429 || status >= 500) return overloaded(trouble, status);
	if (status >= 400) return refused(trouble, status);
	return error(trouble, "bug", {
		code: "ANSWER_UNREADABLE",
		message: `${trouble.operation.title}: the answer (status ${status}, ${trouble.content?.type ?? "no content type"}) makes no sense`,
		why: misreadWhy(trouble),
		fix: advice`Check the base address and the operation's path (${purser`api list`}); --debug shows the exchange`,
		answer: hiddenIn(trouble.content?.data, trouble.hide),
	});
}

function misreadWhy({ operation, input, content }: FailedCall): string {
	if (content?.kind === "empty" || (isRecord(content?.data) && Object.keys(content.data).length === 0))
		return "It is empty, but a record is expected";
	if (content?.type?.includes("html")) return "It is a web page (HTML): a proxy or a login page may answer in the service's place";
	const fault = isRecord(content?.data) ? unread(operation, input, content.data) : undefined;
	if (fault === undefined) return "It is not the expected JSON";
	return `It cannot be read as the requested record: ${fault}`;
}

/** Why an answer cannot be read as a record of the operation; undefined if it can, or if any content is allowed. */
export function unread({ record, path }: AnyOperation, input: Input, data: Received): string | undefined {
	if (record === undefined) return undefined;
	// The requested record is the one at the end of the path.
	const name = /\{([^}]*)\}$/.exec(path)?.[1];
	return recordFault(data, record, name === undefined ? undefined : textAt(input.params, name));
}

export function changeFailure(trouble: FailedCall, verdict: Exclude<JournalOutcome, { state: "accepted" }>): PurserError {
	const { outcome } = trouble;
	if (verdict.state === "not-sent") return unreachable(trouble, verdict.reason, outcome.kind === "not-sent" ? outcome.cause : undefined);
	if (verdict.state === "in-doubt") return inDoubt(trouble, verdict);
	return verdict.status === 401 || verdict.status === 403 ? denied(trouble, verdict.status) : refused(trouble, verdict.status);
}

function error(trouble: FailedCall, kind: Kind, failure: Failure): PurserError {
	const status = trouble.outcome.kind === "not-sent" ? undefined : trouble.outcome.status;
	const problem = trouble.content?.problem;
	const details = problem?.details.length ? problem.details : undefined;
	return new PurserError(kind, { status, apiCode: problem?.apiCode, details, intent: trouble.intent, ...failure });
}

function unreachable(trouble: FailedCall, reason: string, cause: unknown): PurserError {
	return error(trouble, "unavailable", {
		code: "NOT_SENT",
		message: `${trouble.operation.title}: could not connect to ${trouble.origin}${trouble.tried > 1 ? ` (${trouble.tried} tries)` : ""}: ${reason}`,
		fix: unreachableFix(trouble.profile, String((cause as { code?: unknown } | undefined)?.code ?? "")),
		cause,
	});
}

function noAnswer(trouble: FailedCall, outcome: WireOutcome & { kind: "sent" }): PurserError {
	if ((outcome.cause as { code?: unknown } | undefined)?.code === "ANSWER_TOO_LARGE")
		return error(trouble, "bug", {
			code: "ANSWER_TOO_LARGE",
			message: `${trouble.operation.title}: ${outcome.reason}`,
			fix: advice`Ask for less (--limit), or check that the base address is the service's: ${purser`config explain`}`,
			cause: outcome.cause,
		});
	return error(trouble, "unavailable", {
		code: "NO_ANSWER",
		message: `${trouble.operation.title}: no usable answer from ${trouble.origin}: ${outcome.reason}`,
		why: `${trouble.tried} ${trouble.tried === 1 ? "try" : "tries"}; nothing can have changed`,
		fix: "Run this again; --timeout gives it longer",
		cause: outcome.cause,
	});
}

function overloaded(trouble: FailedCall, status: number): PurserError {
	const later = secondsAsked(trouble);
	return error(trouble, "unavailable", {
		code: status === 429 ? "TOO_MANY_REQUESTS" : "SERVICE_FAILED",
		message: `${trouble.operation.title}: the service could not answer (status ${status})${causeOf(trouble)}`,
		why: later
			? `The service asks to wait ${later}`
			: `${trouble.tried} ${trouble.tried === 1 ? "try" : "tries"}; nothing can have changed`,
		fix: later ? `Run this again in ${later}` : "Run this again later",
		wait: trouble.wait,
	});
}

/** How long the service asked to wait; undefined if it did not. */
const secondsAsked = ({ wait }: FailedCall): string | undefined => (wait ? `${Math.ceil(wait / 1_000)} s` : undefined);

function redirected(trouble: FailedCall, status: number): PurserError {
	return error(trouble, "unavailable", {
		code: "REDIRECTED",
		message: `${trouble.operation.title}: the service answered with a redirect (status ${status}), which purser never follows`,
		why: "The base address or the path is not where the service answers, or a proxy asks for a login",
		fix: advice`Check the address: ${purser`config explain`}, ${purser`api list`}`,
	});
}

function denied(trouble: FailedCall, status: 401 | 403): PurserError {
	const { title, effect } = trouble.operation;
	if (status === 403)
		return error(trouble, "auth", {
			code: "FORBIDDEN",
			message: `${title}: the service does not allow it (status 403)${causeOf(trouble)}`,
			// The steps required before any financial service (specification 1, 3).
			why:
				effect === "money"
					? "The user may lack a role, or the company has not accepted the latest terms or not passed its KYB"
					: "The user may lack a role for this operation",
			fix: advice`${effect === "money" ? advice`Check the company (${purser`corporate status CORPORATE`}), ask` : "Ask"} for the role, or log in as another user: ${purser`auth login --profile ${trouble.profile.name}`}`,
		});
	return error(trouble, "auth", {
		code: "NOT_AUTHENTICATED",
		message: `${title}: the service did not accept the credential (status 401)${causeOf(trouble)}`,
		why: trouble.renewed ? "The token had expired; it has been renewed since, and nothing was sent a second time" : undefined,
		fix: trouble.renewed
			? "Run this again"
			: advice`${loginHint(trouble.from, trouble.profile.name)} (${purser`auth status`} says which credential is in use)`,
	});
}

function refused(trouble: FailedCall, status: number): PurserError {
	const { operation, content } = trouble;
	// "Not found" may also come with 409.
	const nobody = status === 409 && /_NOT_FOUND$/.test(content?.problem?.apiCode ?? "");
	const code = status === 404 || nobody ? "NOT_FOUND" : status === 409 ? "CONFLICT" : status === 429 ? "TOO_MANY_REQUESTS" : "REFUSED";
	return error(trouble, "rejected", {
		code,
		message: `${operation.title}: the service refused it (status ${status})${causeOf(trouble)}`,
		why: content?.problem?.apiCode === "SCA_REQUIRED" ? scaRequired : undefined,
		fix: nobody
			? "Check the ids given: the service does not know one of them"
			: status === 404
				? missingFix(operation)
				: status === 429
					? `Run this again in ${secondsAsked(trouble) ?? "a little while"}`
					: "Correct what the service names and run this again; --debug shows the exchange",
	});
}

/** A list and the terms have no id to check. */
function missingFix({ effect, path }: AnyOperation): Advice {
	const elsewhere = advice`Your service may not have this operation, or have it at another path: ${purser`api list`}, ${purser`help mapping`}`;
	return effect === "read" && !path.includes("{") ? elsewhere : advice`Check the id. ${elsewhere}`;
}

const scaRequired =
	"It requires the holder's strong authentication: for a payment the profile's setting sca-strategy says how, for anything else ask the service";

function inDoubt(trouble: FailedCall, verdict: JournalOutcome & { state: "in-doubt" }): PurserError {
	const money = trouble.operation.effect === "money";
	const sca = trouble.content?.problem?.apiCode === "SCA_REQUIRED" ? `${scaRequired}. ` : "";
	return error(trouble, "unknown", {
		code: money ? "TRANSFER_IN_DOUBT" : "CHANGE_IN_DOUBT",
		message: `${trouble.operation.title}: ${money ? "the money may have moved; no answer proves that it did or did not" : "the change may have been made; no answer proves that it was or was not"} (${verdict.reason})`,
		why: `${sca}purser never repeats a change by itself${causeOf(trouble, ". The service says")}`,
		fix: advice`Check first: ${lookAfter(trouble)}`,
		moneyMayHaveMoved: money ? true : undefined,
		cause: trouble.outcome.kind === "sent" ? trouble.outcome.cause : undefined,
	});
}

/** The command that shows whether a change was made. */
function lookAfter({ operation, input, intent }: FailedCall): Advice {
	const body = input.body ?? {};
	const params = (input.params ?? {}) as Record<string, unknown>;
	if (operation.effect === "money") {
		const settle = intent === undefined ? purser`pay doubts` : purser`pay settle ${intent}`;
		// Newest first, so that the record is not hidden behind the oldest hundred.
		return advice`${settle}, ${purser`pay list --ledger-id ${textAt(body, "ledgerFromId") ?? "LEDGER"}`}`;
	}
	const corporate = textAt(params, "corporateId");
	const related = textAt(params, "corporateRelatedId") ?? textAt(body, "relatedPhysicalPersonId");
	if (operation.id === "related.create") return purser`related list ${corporate ?? "CORPORATE"}`;
	if (operation.id === "kyb.request") return purser`kyb status ${corporate ?? "CORPORATE"}`;
	if (related !== undefined) return purser`related show ${related}`;
	if (corporate !== undefined) return purser`corporate show ${corporate}`;
	return purser`corporate list`;
}

function causeOf({ content }: FailedCall, before = ""): string {
	const words = content?.problem?.message ?? content?.problem?.apiCode ?? "";
	return words === "" ? "" : `${before}: ${words}`;
}

/** A call that Ctrl-C ended, before which nothing was sent, or which only reads. */
export function interruptedCall(): PurserError {
	return new PurserError("interrupted", {
		code: "INTERRUPTED",
		message: "Stopped",
		fix: "Run it again when you are ready",
	});
}

/** What to do about a connection that was never made; why it was not is in the message. */
function unreachableFix({ name, baseUrl, environment }: Profile, code: string): Advice {
	// A sandbox on this machine is never reached through a proxy; it is simply not running.
	if (code !== "ECONNREFUSED" || environment !== "sandbox" || !isLoopback(baseUrl))
		return advice`Check the address (${purser`config explain base-url`}) and that the service runs; else the proxy (HTTPS_PROXY), and for a certificate of your own authority NODE_EXTRA_CA_CERTS. Then run this again`;
	const { port } = new URL(baseUrl);
	const named = /^[a-z][a-z0-9-]*$/i.test(name) && ["--save-profile", name];
	return advice`Start the sandbox in another terminal (with its --state, where it has one), then run this again: ${purser`sandbox serve ${port !== "4010" && ["--port", port || "80"]} ${named}`}`;
}
