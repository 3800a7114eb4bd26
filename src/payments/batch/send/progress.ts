/**
 * The progress of a run over a batch: its rows by outcome, and one line about them.
 */

import { groupDigits } from "../../../api/amount.js";
import type { BatchPause, BatchRecord } from "../../../ports/batches.js";
import type { IntentState, JournalOutcome } from "../../../ports/intent.js";
import type { Style } from "../../../ports/style.js";
import { rowsIn } from "./outcome.js";

/** Counts the rows of a run by outcome. */
export class Tally {
	accepted = 0;
	waiting = 0;
	refused = 0;
	inDoubt = 0;
	notSent = 0;
	/** Refused rows that are to be sent again in this run, by the journal's numbers. */
	readonly again = new Set<number>();
	/** Rows of the batch. */
	readonly count: number;
	/** Those that this run is to send. */
	readonly toSend: number;

	/**
	 * @param takes the states whose rows are sent
	 * @param started monotonic milliseconds
	 */
	constructor(
		{ plan, counts }: Pick<BatchRecord, "plan" | "counts">,
		takes: readonly IntentState[],
		private readonly started: number,
	) {
		this.count = plan.count;
		this.toSend = rowsIn(counts, ...takes);
	}

	/**
	 * @param number of the row in the journal
	 * @param isForNow it is refused for the moment; it is counted once, whatever becomes of it when it is sent again
	 */
	add(outcome: JournalOutcome, number?: number, isForNow = false): void {
		if (number !== undefined && this.again.delete(number)) this.refused--;
		if (number !== undefined && isForNow) this.again.add(number);
		if (outcome.state === "accepted") outcome.waiting ? this.waiting++ : this.accepted++;
		else if (outcome.state === "refused") this.refused++;
		else if (outcome.state === "in-doubt") this.inDoubt++;
		else this.notSent++;
	}

	/** Rows sent in this run. */
	get sent(): number {
		return this.accepted + this.waiting + this.refused + this.inDoubt;
	}

	/** Rows of the batch that this run has sent or has not to send. */
	get done(): number {
		return this.count - this.toSend + this.sent;
	}

	/** Milliseconds. */
	since(now: number): number {
		return Math.max(0, now - this.started);
	}

	run(now: number) {
		const { sent, accepted, waiting, refused, inDoubt, notSent } = this;
		return { sent, accepted, waiting, refused, inDoubt, notSent, seconds: Math.round(this.since(now)) / 1_000 };
	}
}

/**
 * `[####------] 12 400 of 50 000 rows · 2 in doubt · 8 refused`, asked for a few times a second, whatever the number of rows.
 * @param note why it does not go on, where it does not
 */
export function progressLine(
	{ done, count, inDoubt, refused, waiting }: Tally,
	note: string | undefined,
	style: Pick<Style, "bar" | "columns">,
): string {
	const some = (rows: number, word: string): string[] => (rows === 0 ? [] : [`${groupDigits(rows)} ${word}`]);
	const rows = `${style.bar(done / count, 10)} ${groupDigits(done)} of ${groupDigits(count)} ${count === 1 ? "row" : "rows"}`;
	const counts = [...some(inDoubt, "in doubt"), ...some(refused, "refused"), ...some(waiting, "waiting")];
	return [rows.trimStart(), ...(note ? [note] : []), ...counts].join(" · ").slice(0, style.columns);
}

/** `Paused for 2 min, until 2026-03-01T10:02:00.000Z: the service answered 429 (too many requests)`. @param length milliseconds */
export function pausedText({ until, why }: BatchPause, length: number): string {
	const seconds = Math.ceil(length / 1_000);
	return `Paused for ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}, until ${until}: ${why}`;
}
