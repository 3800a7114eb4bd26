/**
 * Decides whether and when a request may be retried. Pure.
 */

import type { Effect } from "../api/operation.js";
import type { WireOutcome } from "../ports/wire.js";
import { isTlsRefusal } from "./transport/connect.js";

/** Most tries of a call, including the first. */
const mostTries = 3;
/** The longest first pause in milliseconds; doubled each time. */
const firstPause = 400;
/** The longest pause of our own in milliseconds. */
const longestPause = 5_000;
/** The longest wait in milliseconds that is obeyed if the service asks for it; a longer one is reported instead. */
const longestObeyed = 20_000;

const temporaryStatuses: readonly number[] = [429, 500, 502, 503, 504];

/** `wait`: what the service asked for, in milliseconds, where it is not obeyed. */
type Decision = { retry: true; after: number } | { retry: false; wait?: number };

/**
 * @param tried how many tries were made, 1 or more
 * @param fraction from 0 up to, not including, 1: full jitter
 * @param now asked for a Retry-After that is a date alone: working out the service's time for each of a million rows costs
 */
export function decideRetry(effect: Effect, outcome: WireOutcome, tried: number, fraction: number, now: () => Date): Decision {
	const asked = outcome.kind === "answer" ? retryAfter(outcome.headers["retry-after"], now) : undefined;
	if (!mayRetry(effect, outcome) || tried >= mostTries || (asked ?? 0) > longestObeyed) return { retry: false, wait: asked };
	const own = fraction * Math.min(longestPause, firstPause * 2 ** (tried - 1));
	return { retry: true, after: Math.round(Math.max(asked ?? 0, own)) };
}

/** A read may always be repeated; a change only if provably nothing was sent. */
function mayRetry(effect: Effect, outcome: WireOutcome): boolean {
	if (outcome.kind === "not-sent") return outcome.tooOld !== true && !isTlsRefusal(codeOf(outcome.cause));
	if (effect !== "read") return false;
	if (outcome.kind === "sent") return codeOf(outcome.cause) !== "ANSWER_TOO_LARGE";
	return temporaryStatuses.includes(outcome.status);
}

function codeOf(cause: unknown): string {
	const code = (cause as { code?: unknown } | undefined)?.code;
	return typeof code === "string" ? code : "";
}

/** Milliseconds requested by a Retry-After header (seconds or an HTTP date); undefined if it is neither. */
function retryAfter(value: string | undefined, now: () => Date): number | undefined {
	if (value === undefined) return undefined;
	const text = value.trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
	if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now().getTime());
}
