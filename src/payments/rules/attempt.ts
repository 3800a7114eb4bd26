/**
 * The state machine of a transfer. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { isPaid } from "../../api/operations/transfer.js";
import { PurserError } from "../../errors.js";
import type { IntentState, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";

/** The steps allowed in each state. Any other step is a bug. */
const allowed: Readonly<Record<IntentState | "none", readonly JournalStep["kind"][]>> = {
	none: ["begun"],
	planned: ["begun", "abandoned"],
	sending: ["ended", "died", "looked"],
	"in-doubt": ["looked", "settled", "resent"],
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

/**
 * The state after a step.
 * @param state undefined before the first
 * @throws PurserError bug, where the step is not allowed
 */
export function next(state: IntentState | undefined, step: JournalStep): IntentState {
	if (!allowed[state ?? "none"].includes(step.kind)) throw illegal(state, step);
	if (state === "not-created" && step.kind === "settled" && !isCorrection(step.settlement)) throw illegal(state, step);
	switch (step.kind) {
		case "begun":
			return "sending";
		case "ended":
			return stateOf(step.outcome);
		case "died":
			return "in-doubt";
		case "looked":
			return state as IntentState;
		case "reopened":
		case "resent":
			return "in-doubt";
		case "settled":
			return step.settlement.state;
		case "abandoned":
			return "abandoned";
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
