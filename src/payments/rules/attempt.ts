/**
 * Where a transfer stands and what may follow: the state machine of a transfer. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { IntentState, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";

/** From each state, the steps that are allowed. Everything else is a fault of ours. */
const allowed: Readonly<Record<IntentState | "none", readonly JournalStep["kind"][]>> = {
	none: ["begun"],
	planned: ["begun", "abandoned"],
	sending: ["ended", "died", "looked"],
	"in-doubt": ["looked", "settled"],
	// Only what is proven not created is sent again; a transaction that somebody names disproves it.
	"not-created": ["begun", "settled"],
	// Proven not created too: a row of a batch is sent again by the batch alone, as an attempt of its own.
	"not-sent": ["begun"],
	refused: ["begun"],
	// Given up before it was begun: nothing ever follows.
	abandoned: [],
	// It went out, whatever its id is found to be: nothing leads from here to where it could be sent again.
	accepted: ["unnamed", "named"],
	waiting: ["unnamed", "named"],
};

/**
 * The state after a step.
 * @param state undefined before the first
 * @throws PurserError bug, where the step is not allowed
 */
export function next(state: IntentState | undefined, step: JournalStep): IntentState {
	if (!allowed[state ?? "none"].includes(step.kind)) throw illegal(state, step);
	if (state === "not-created" && step.kind === "settled" && !corrects(step.settlement)) throw illegal(state, step);
	switch (step.kind) {
		case "begun":
			return "sending";
		case "ended":
			return stateOf(step.outcome);
		case "died":
			return "in-doubt";
		case "looked":
		case "unnamed":
		case "named":
			return state as IntentState;
		case "settled":
			return step.settlement.state;
		case "abandoned":
			return "abandoned";
	}
}

/** Whether it may end what was settled as not created: the transaction itself was named and looked at, and nothing else does. */
function corrects({ state, evidence }: Settlement): boolean {
	return state === "accepted" && evidence.source === "transaction";
}

function stateOf(outcome: JournalOutcome): IntentState {
	return outcome.state === "accepted" && outcome.waiting ? "waiting" : outcome.state;
}

/** Whether what is in this state counts against the caps: all that may have gone out. */
export function counts(state: IntentState): boolean {
	return state === "sending" || state === "in-doubt" || state === "accepted" || state === "waiting";
}

function illegal(state: IntentState | undefined, step: JournalStep): PurserError {
	return new PurserError("bug", {
		code: "ILLEGAL_STEP",
		message: `A payment that is ${state ?? "not recorded"} cannot take the step "${step.kind}"`,
		fix: advice`Nothing was changed. Check the record with \`${purser`history verify`}\` and report this.`,
	});
}
