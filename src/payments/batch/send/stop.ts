/**
 * Decides when a batch stops by itself: rows in flight are awaited and no new ones are sent. Pure.
 */
import { PurserError } from "../../../errors.js";
import type { Arrived } from "../../../ports/service.js";
import type { Pause } from "./concurrency.js";

/** Why it stopped. */
export interface Stop {
	/** Stable, upper case with underscores. */
	code: string;
	why: string;
	/** When to go on, where the service says so; RFC 3339 UTC. */
	until?: string;
}

/** A person or the system ended it. */
export const interrupted: Stop = { code: "INTERRUPTED", why: "it was interrupted" };

/** Most consecutive doubts, and most consecutive rows that could not be sent. */
const [maxDoubts, maxUnsent] = [5, 5];
/** Stop if this many first answers are all refusals. */
const firstAnswers = 20;

/**
 * Whether a row was refused for the moment: it is sent again at the end of the run, once nothing of it is listed.
 */
export function isForNow({ outcome, status, renewed }: Pick<Arrived, "outcome" | "status" | "renewed">): boolean {
	return outcome.state === "refused" && (status === 429 || renewed === true);
}

/** Evaluates each outcome of a batch. */
export class StopRules {
	#doubts = 0;
	#unsent = 0;
	#answers = 0;
	#accepted = 0;

	/**
	 * Records one more outcome.
	 * @param pause that it asked for: what was in flight together counts as one doubt
	 * @returns why to stop, if so
	 */
	after(arrived: Arrived, pause: Pause | undefined): Stop | undefined {
		const { state } = arrived.outcome;
		if (isForNow(arrived)) return undefined;
		this.#answers += 1;
		if (pause?.isNew !== false) this.#doubts = state === "in-doubt" ? this.#doubts + 1 : 0;
		this.#unsent = state === "not-sent" ? this.#unsent + 1 : 0;
		if (state === "accepted") this.#accepted += 1;
		return this.#verdict(arrived);
	}

	#verdict({ outcome, status }: Arrived): Stop | undefined {
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
		if (this.#answers === firstAnswers && this.#accepted === 0)
			return { code: "ALL_REFUSED", why: `the first ${firstAnswers} payments were all refused: check the reasons before you send more` };
		return undefined;
	}
}

/** Why a step could not be recorded. If the rules refused it, the journal itself is fine. */
export function stopBy(error: unknown): Stop {
	if (!(error instanceof PurserError)) return { code: "JOURNAL", why: "the journal could not be written" };
	if (error.kind === "interrupted") return interrupted;
	return { code: error.kind === "guard" ? error.failure.code : "JOURNAL", why: withoutNothingSent(error.message) };
}

/** A message without its end that nothing was sent, for a batch of which something was. */
export function withoutNothingSent(message: string): string {
	return message.replace(/((;|, so) nothing was (sent|done)|; this one sent nothing|, and nothing is sent that is not on record)$/, "");
}
