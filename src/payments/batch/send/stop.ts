/**
 * Decides when a batch stops by itself: rows in flight are awaited and no new ones are sent. Pure.
 */
import { PurserError } from "../../../errors.js";
import type { JournalOutcome } from "../../../ports/intent.js";

/** Why it stopped. */
export interface Stop {
	/** Stable, upper case with underscores. */
	code: string;
	why: string;
}

/** Most consecutive doubts, and most consecutive rows that could not be sent. */
const [maxDoubts, maxUnsent] = [5, 5];
/** Stop if this many first answers are all refusals. */
const firstAnswers = 20;
/** Most consecutive answers 429. */
const maxTooMany = 10;

/** Evaluates each outcome of a batch. */
export class StopRules {
	#doubts = 0;
	#unsent = 0;
	#tooMany = 0;
	#answers = 0;
	#accepted = 0;

	/** Records one more outcome. @returns why to stop, if so */
	after(outcome: JournalOutcome, status: number | undefined): Stop | undefined {
		this.#answers += 1;
		this.#doubts = outcome.state === "in-doubt" ? this.#doubts + 1 : 0;
		this.#unsent = outcome.state === "not-sent" ? this.#unsent + 1 : 0;
		this.#tooMany = status === 429 ? this.#tooMany + 1 : 0;
		if (outcome.state === "accepted") this.#accepted += 1;
		return this.#verdict(outcome, status);
	}

	#verdict(outcome: JournalOutcome, status: number | undefined): Stop | undefined {
		if (this.#doubts >= maxDoubts)
			return { code: "DOUBTS", why: `${this.#doubts} payments in a row are in doubt: the service or the connection to it has a problem` };
		if (this.#unsent >= maxUnsent && outcome.state === "not-sent")
			return { code: "UNREACHABLE", why: `the service cannot be reached (${outcome.reason})` };
		if (outcome.state !== "refused") return undefined;
		if (status === 401 || status === 403)
			return {
				code: "NOT_ALLOWED",
				why: `the service answered ${status}: the credential or a permission is missing, and every row would fail the same way (purser auth status says which credential is in use)`,
			};
		if (status === 404) return { code: "NOT_FOUND", why: "the service answered 404: the operation's address or a ledger does not exist" };
		if (this.#tooMany >= maxTooMany)
			return { code: "TOO_MANY", why: "the service keeps answering 429 (too many requests), even at the lowest speed" };
		if (this.#answers === firstAnswers && this.#accepted === 0)
			return { code: "ALL_REFUSED", why: `the first ${firstAnswers} payments were all refused: check the reasons before you send more` };
		return undefined;
	}
}

/** Why a step could not be recorded. If the rules refused it, the journal itself is fine. */
export function stopBy(error: unknown): Stop {
	if (!(error instanceof PurserError)) return { code: "JOURNAL", why: "the journal could not be written" };
	const why = error.message.replace(/(; nothing was sent|, and nothing is sent that is not on record)$/, "");
	return { code: error.kind === "guard" ? error.failure.code : "JOURNAL", why };
}
