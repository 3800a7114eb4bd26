/**
 * When a batch stops by itself: what is on its way is awaited, nothing new starts. Pure.
 */
import { PurserError } from "../../../errors.js";
import type { JournalOutcome } from "../../../ports/intent.js";

/** Why it stopped. */
export interface Stop {
	/** Stable, upper case with underscores. */
	code: string;
	why: string;
}

/** Doubts, and rows that could not be sent at all, one after the other. */
const [mostDoubts, mostUnsent] = [5, 5];
/** Answers at the start, all refusing. */
const firstAnswers = 20;
/** Answers that say it is too much, one after the other. */
const mostTooMany = 10;

/** Looks at each answer of a batch, and says when no more rows may leave. */
export class StopRules {
	#doubts = 0;
	#unsent = 0;
	#tooMany = 0;
	#answers = 0;
	#accepted = 0;

	/** @returns why nothing more is to start, after one more row has come back */
	after(outcome: JournalOutcome, status: number | undefined): Stop | undefined {
		this.#answers += 1;
		this.#doubts = outcome.state === "in-doubt" ? this.#doubts + 1 : 0;
		this.#unsent = outcome.state === "not-sent" ? this.#unsent + 1 : 0;
		this.#tooMany = status === 429 ? this.#tooMany + 1 : 0;
		if (outcome.state === "accepted") this.#accepted += 1;
		return this.#verdict(outcome, status);
	}

	#verdict(outcome: JournalOutcome, status: number | undefined): Stop | undefined {
		if (this.#doubts >= mostDoubts)
			return { code: "DOUBTS", why: `${this.#doubts} payments in a row are in doubt: the service or the way to it is not well` };
		if (this.#unsent >= mostUnsent && outcome.state === "not-sent")
			return { code: "UNREACHABLE", why: `the service cannot be reached (${outcome.reason})` };
		if (outcome.state !== "refused") return undefined;
		if (status === 401 || status === 403)
			return {
				code: "NOT_ALLOWED",
				why: `the service answered ${status}: the credential, or a right, is missing; so it would for every row (purser auth status says which credential is in use)`,
			};
		if (status === 404)
			return { code: "NOT_FOUND", why: "the service answered 404: the address of the operation, or a ledger, is not there" };
		if (this.#tooMany >= mostTooMany) return { code: "TOO_MANY", why: "the service goes on answering 429, however slowly it is asked" };
		if (this.#answers === firstAnswers && this.#accepted === 0)
			return { code: "ALL_REFUSED", why: `the first ${firstAnswers} payments were all refused: look at the reasons before more are sent` };
		return undefined;
	}
}

/** Why a step could not be recorded. What the rules refuse was not written at all, and the journal itself is well. */
export function stopBy(error: unknown): Stop {
	if (!(error instanceof PurserError)) return { code: "JOURNAL", why: "the journal could not be written" };
	const why = error.message.replace(/(; nothing was sent|, and nothing is sent that is not on record)$/, "");
	return { code: error.kind === "guard" ? error.failure.code : "JOURNAL", why };
}
