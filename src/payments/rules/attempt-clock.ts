/**
 * Converts the time of an attempt to the service's clock, and checks that the difference between both clocks is still the same when the
 * service's list is read. If this machine's clock was wrong when a payment was sent, its absence from a list of that time proves nothing.
 */
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";

/** Milliseconds by which the difference between the clocks may vary and still count as unchanged. */
const clockTolerance = 5 * 60_000;

type Attempt = Pick<IntentRecord, "begun" | "skew">;

/** When the attempt began by the service's clock, or by this machine's if the difference is not known. RFC 3339 UTC. */
export function beganAt({ begun, skew }: Attempt): string {
	return skew === undefined ? begun : new Date(Date.parse(begun) + skew).toISOString();
}

/** When it began at the latest: the later of both clocks' times if their difference may have changed since. RFC 3339 UTC. */
export function beganAtLatest(attempt: Attempt, look: LookClock): string {
	const converted = beganAt(attempt);
	return clockFault(attempt, look) === undefined || converted > attempt.begun ? converted : attempt.begun;
}

/**
 * When, in milliseconds, a payment that was made is listed: after its settling time, counted from when its attempt was sent last. A request
 * that was sent once more with its key may be what made it, so a look before that proves nothing.
 */
export async function settledFrom(
	{ journal, settleAfter }: { journal: Pick<Journal, "show">; settleAfter: number },
	{ intent, attempt, begun, skew }: IntentRecord,
	look: LookClock,
): Promise<number> {
	const events = (await journal.show(intent))?.events ?? [];
	const resent = events.findLast(({ kind, content }) => kind === "resent" && content.attempt === attempt);
	return Date.parse(beganAtLatest({ begun: resent?.at ?? begun, skew }, look)) + settleAfter;
}

/** The clock of a look: how many milliseconds the service's is ahead, or `own` for a source whose times do not depend on this machine. */
export type LookClock = number | "own" | undefined;

/** Why the clocks leave open when an attempt was made, for people; undefined if they do not. */
export function clockFault({ skew }: Attempt, look: LookClock): string | undefined {
	if (skew === undefined) return "it is not known how this machine's clock differed from the service's when the payment was sent";
	if (look === "own") return undefined;
	if (look === undefined) return "the service did not give its time with the list, so this machine's clock cannot be checked";
	const minutes = Math.round(Math.abs(look - skew) / 60_000);
	if (Math.abs(look - skew) <= clockTolerance) return undefined;
	return `this machine's clock or the service's was set by ${minutes} minutes between the payment and this check`;
}
