/**
 * The errors for what the journal refuses.
 */
import { advice, purser } from "../../api/advice.js";
import { troubleWords } from "../../api/text/trouble.js";
import { type Advice, guard, PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";

const seeIt = (intent: string): Advice => advice`See what is known of it: ${purser`history show ${intent}`}`;

/** The service gave two transfers the same id, so it is unknown whether the second was made. */
export function sameIdTwice(intent: string, holder: string, reason: string): PurserError {
	return new PurserError("unknown", {
		code: "SAME_ID_TWICE",
		message: `Money may have moved: ${reason}`,
		why: "Two transfers cannot be one transaction, so nothing says whether this one was made",
		fix: advice`Do not send it again; look at both: ${purser`history show ${holder}`}, ${purser`pay settle ${intent}`}`,
		intent,
		moneyMayHaveMoved: true,
	});
}

/** The intent is not in doubt, so there is nothing to settle. */
export function notInDoubt({ intent, state }: IntentRecord): PurserError {
	const fix = state === "sending" ? "Wait until the purser that sends it has finished." : seeIt(intent);
	return guard({ code: "NOT_IN_DOUBT", message: `Intent ${intent} is ${state}, not in doubt; nothing was changed`, fix, intent });
}

/** Another process settled the doubt first, and the payment was sent again since. */
export function anotherAttempt({ intent, attempt }: IntentRecord, seen: number): PurserError {
	return guard({
		code: "ANOTHER_ATTEMPT",
		message: `Intent ${intent} was settled and sent again since it was checked: attempt ${attempt} is in doubt now, not attempt ${seen}; nothing was changed`,
		fix: advice`See what happened: ${purser`history show ${intent}`}. Then settle what is in doubt now: ${purser`pay settle ${intent}`}`,
		intent,
	});
}

/** Another process sent the request once more with its key, or took it over, after the service's list was read. */
export function changedSinceRead({ intent }: IntentRecord): PurserError {
	return guard({
		code: "ANOTHER_ATTEMPT",
		message: `Another purser changed intent ${intent} since the service's list was read; nothing was changed`,
		fix: advice`See what happened: ${purser`history show ${intent}`}. Then check again: ${purser`pay settle ${intent}`}`,
		intent,
	});
}

/** The attempt to follow is not the one that was looked for: it was settled or sent again in between. */
export function changedSinceCheck(intent: string | undefined): PurserError {
	return guard({
		code: "ANOTHER_ATTEMPT",
		message: `The same payment was settled or sent again by another purser since the service's list was read${intent === undefined ? "" : ` (intent ${intent})`}; nothing was sent`,
		fix: advice`See what happened: ${intent === undefined ? purser`history list` : purser`history show ${intent}`}. Then run this again.`,
		intent,
	});
}

/** The id given for a payment belongs to another one. */
export function idHeldByOther(intent: string, holder: string, id: string | undefined): PurserError {
	return guard({
		code: "TRANSACTION_HELD",
		message: `Transaction ${id} is already that of intent ${holder}, so it cannot settle ${intent}; nothing was changed`,
		fix: advice`Compare both: ${purser`history show ${holder}`}, ${purser`history show ${intent}`}`,
		intent,
	});
}

/** Nothing about the payment is decided that could be opened again, or it was sent again since it was shown. */
export function notDecided({ intent, state }: IntentRecord): PurserError {
	const message = `Intent ${intent} cannot be opened again: it is ${state}, or was sent again since; nothing was changed`;
	return guard({ code: "NOT_DECIDED", message, fix: seeIt(intent), intent });
}

/** `--despite` names a payment that does not look the same, or none; `name` is as typed. */
export function notDuplicate(name: string, exists: boolean): PurserError {
	return guard({
		code: "NOT_ALIKE",
		message: exists
			? `--despite ${name}: that payment has another ledger, payee, amount or reference than this one; nothing was sent`
			: `--despite ${name}: there is no such payment in this profile's journal; nothing was sent`,
		fix: advice`Leave it out: without it purser says which earlier payments look the same. See them: ${purser`history list`}`,
	});
}

/** There is no intent of that number; `name` is as typed. */
export function unknownIntent(name: string): PurserError {
	return new PurserError("usage", {
		code: "INTENT_UNKNOWN",
		message: `There is no intent ${JSON.stringify(name)} in this profile's journal`,
		fix: advice`List them: ${purser`history list`}`,
	});
}

/** The error for outcomes that the team's database could not take, and that stand in this machine's log. */
export function outcomeKept(cause: unknown): PurserError {
	return new PurserError("unavailable", {
		code: "OUTCOME_KEPT",
		message: "The team's journal could not be written; what was answered is kept on this machine, and the next run records it",
		why: troubleWords(cause),
		fix: advice`Once the database can be reached, any command records it first: ${purser`pay list`}`,
		cause,
	});
}
