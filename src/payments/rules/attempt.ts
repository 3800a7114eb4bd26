/**
 * The state machine of a transfer, and the time of an attempt by the service's clock. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { isPaid } from "../../api/operations/transfer.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord, IntentState, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";

const allowed: Readonly<Record<IntentState | "none", readonly JournalStep["kind"][]>> = {
	none: ["begun", "carried"],
	planned: ["begun", "abandoned"],
	sending: ["ended", "died", "checked"],
	"in-doubt": ["checked", "settled", "resent"],
	// Only a payment proven not created is sent again. "settled" corrects that verdict if somebody names the transaction.
	"not-created": ["begun", "settled", "reopened"],
	// Proven not created as well. A row of a batch is resent only by its batch, as a new attempt.
	"not-sent": ["begun"],
	refused: ["begun", "reopened"],
	// Cancelled before it was sent: final.
	abandoned: [],
	// The payment was made, so no step but a person's may lead to a state from which it could be sent again.
	accepted: ["reopened"],
	waiting: ["reopened"],
};

/** The state after a step. */
export function next(state: IntentState | undefined, step: JournalStep): IntentState {
	if (!allowed[state ?? "none"].includes(step.kind)) throw illegal(state, step);
	if (state === "not-created" && step.kind === "settled" && !isCorrection(step.settlement)) throw illegal(state, step);
	switch (step.kind) {
		case "begun":
			return "sending";
		case "ended":
			return stateOf(step.outcome);
		case "died":
		case "reopened":
		case "resent":
			return "in-doubt";
		case "checked":
			return state as IntentState;
		case "settled":
			return step.settlement.state;
		case "abandoned":
			return "abandoned";
		case "carried":
			return step.state;
	}
}

/** Whether a settlement may overrule "not created": only a transaction that was named and looked up may. */
function isCorrection({ state, evidence }: Settlement): boolean {
	return state === "accepted" && evidence.source === "transaction";
}

function stateOf(outcome: JournalOutcome): IntentState {
	return outcome.state === "accepted" && outcome.waiting ? "waiting" : outcome.state;
}

/** Whether a payment in this state counts against the caps: every payment that may have been made does. */
export function counts(state: IntentState): boolean {
	return state === "sending" || state === "in-doubt" || isPaid(state);
}

function illegal(state: IntentState | undefined, step: JournalStep): PurserError {
	return new PurserError("bug", {
		code: "ILLEGAL_STEP",
		message: `A payment that is ${state ?? "not recorded"} cannot take the step "${step.kind}"`,
		fix: advice`Nothing was changed. Check the record with \`${purser`history verify`}\` and report this.`,
	});
}

/** Milliseconds by which the difference between the clocks may vary and still count as unchanged. */
export const clockTolerance = 5 * 60_000;

type Attempt = Pick<IntentRecord, "begun" | "skew">;

/** When the attempt began by the service's clock, or by this machine's if the difference is not known. RFC 3339 UTC. */
export function beganAt({ begun, skew }: Attempt): string {
	return skew === undefined ? begun : new Date(Date.parse(begun) + skew).toISOString();
}

/** When it began at the latest: the later of both clocks' times if their difference may have changed since. RFC 3339 UTC. */
export function beganAtLatest(attempt: Attempt, check: CheckClock): string {
	const converted = beganAt(attempt);
	return clockFault(attempt, check) === undefined || converted > attempt.begun ? converted : attempt.begun;
}

/**
 * When, in milliseconds, a payment that was made is listed: after its settling time, counted from when its attempt was sent last. A request
 * that was sent once more with its key may be what made it, so a look before that proves nothing.
 */
export async function settledFrom(
	{ journal, settleAfter }: { journal: Pick<Journal, "show">; settleAfter: number },
	{ intent, attempt, begun, skew }: IntentRecord,
	check: CheckClock,
): Promise<number> {
	const events = (await journal.show(intent))?.events ?? [];
	const resent = events.findLast(({ kind, content }) => kind === "resent" && content.attempt === attempt);
	return Date.parse(beganAtLatest({ begun: resent?.at ?? begun, skew }, check)) + settleAfter;
}

/** The clock of a look: how many milliseconds the service's is ahead, or `own` for a source whose times do not depend on this machine. */
export type CheckClock = number | "own" | undefined;

/**
 * Why the clocks leave open when an attempt was made, for people; undefined if they do not. If this machine's clock
 * was wrong when a payment was sent, its absence from a list of that time proves nothing.
 */
export function clockFault({ skew }: Attempt, check: CheckClock): string | undefined {
	if (skew === undefined) return "it is not known how this machine's clock differed from the service's when the payment was sent";
	if (check === "own") return undefined;
	if (check === undefined) return "the service did not give its time with the list, so this machine's clock cannot be checked";
	const minutes = Math.round(Math.abs(check - skew) / 60_000);
	if (Math.abs(check - skew) <= clockTolerance) return undefined;
	return `this machine's clock or the service's was set by ${minutes} minutes between the payment and this check`;
}
