/**
 * The progress of sending a batch.
 */

import { groupDigits } from "../../../api/amount.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { JournalOutcome } from "../../../ports/intent.js";
import { rowsIn } from "./outcome.js";

/** Counts the rows of a run by outcome. */
export class Tally {
	accepted = 0;
	waiting = 0;
	refused = 0;
	inDoubt = 0;
	notSent = 0;
	/** Rows of the batch that were done before this run. */
	readonly #before: number;

	/** @param started monotonic milliseconds */
	constructor(
		readonly count: number,
		counts: BatchRecord["counts"],
		private readonly started: number,
	) {
		this.#before = rowsIn(counts, "accepted", "waiting", "refused", "in-doubt");
	}

	add(outcome: JournalOutcome): void {
		if (outcome.state === "accepted") outcome.waiting ? this.waiting++ : this.accepted++;
		else if (outcome.state === "refused") this.refused++;
		else if (outcome.state === "in-doubt") this.inDoubt++;
		else this.notSent++;
	}

	/** Rows sent in this run. */
	get sent(): number {
		return this.accepted + this.waiting + this.refused + this.inDoubt;
	}

	get done(): number {
		return this.#before + this.sent;
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

/** `12 400 of 50 000 rows · 310 a second · 12 390 accepted · 8 refused · 2 in doubt · 2 min left` */
export function progressLine(tally: Tally, now: number): string {
	const seconds = tally.since(now) / 1_000;
	const speed = seconds > 1 ? tally.sent / seconds : 0;
	const parts = [
		`${groupDigits(tally.done)} of ${groupDigits(tally.count)} rows`,
		speed > 0 ? `${groupDigits(Math.round(speed))} a second` : undefined,
		`${groupDigits(tally.accepted)} accepted`,
		tally.waiting > 0 ? `${groupDigits(tally.waiting)} waiting` : undefined,
		tally.refused > 0 ? `${groupDigits(tally.refused)} refused` : undefined,
		tally.inDoubt > 0 ? `${groupDigits(tally.inDoubt)} in doubt` : undefined,
		speed > 0 ? `${left((tally.count - tally.done) / speed)} left` : undefined,
	];
	return parts.filter(Boolean).join(" · ");
}

function left(seconds: number): string {
	if (seconds < 90) return `${Math.ceil(seconds)} s`;
	return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
