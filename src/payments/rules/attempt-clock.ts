/**
 * When an attempt was made by the service's clock, and whether the two clocks stood to each other then as they do at a look. This machine's
 * clock may have been wrong when a payment was sent: what a list does not show in the time that the journal has proves nothing then.
 */
import type { IntentRecord } from "../../ports/intent.js";

/** Milliseconds that the difference of the two clocks may change by, and still be the same one. */
const steadyWithin = 5 * 60_000;

type Attempt = Pick<IntentRecord, "begun" | "skew">;

/** When it began by the service's clock; as this machine's has it where the difference is not known. RFC 3339 UTC. */
export function beganAt({ begun, skew }: Attempt): string {
	return skew === undefined ? begun : new Date(Date.parse(begun) + skew).toISOString();
}

/** The later of what the two clocks say, where it is not known that they stood as they do now. RFC 3339 UTC. */
export function beganAtLatest(attempt: Attempt, look: LookClock): string {
	const converted = beganAt(attempt);
	return clockFault(attempt, look) === undefined || converted > attempt.begun ? converted : attempt.begun;
}

/** The clock of a look: milliseconds that the service's was ahead, or `own` for a source whose times are none of this machine's. */
export type LookClock = number | "own" | undefined;

/** Why the clocks leave open when an attempt was made, in words; undefined where they do not. */
export function clockFault({ skew }: Attempt, look: LookClock): string | undefined {
	if (skew === undefined) return "it is not known how this machine's clock differed from the service's when the payment was sent";
	if (look === "own") return undefined;
	if (look === undefined) return "the service does not say at which time it gave the list, so this machine's clock cannot be checked";
	const minutes = Math.round(Math.abs(look - skew) / 60_000);
	if (Math.abs(look - skew) <= steadyWithin) return undefined;
	return `this machine's clock or the service's was set by ${minutes} minutes between the payment and this look`;
}
