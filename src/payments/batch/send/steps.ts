/**
 * Decides when to make a durable step and how many rows it marks: as many as are sent during two steps, so that sending never waits for the
 * disk, and no more, because a crash leaves marked rows in doubt. Pure.
 */

export interface StepLimits {
	/** Most marked rows without a recorded outcome, which a crash would leave in doubt. */
	open: number;
}

/** Numbers of rows at one moment. */
export interface Rows {
	/** Marked and not sent yet. */
	waiting: number;
	/** In flight. */
	flying: number;
	/** Answered, without a recorded outcome. */
	ended: number;
	/** How many may be in flight. */
	width: number;
	/** Whether none may be sent now. */
	resting: boolean;
}

/**
 * Most rows that one durable step marks, unless half of the rows that may be open is more: one half is in flight while the other is marked.
 * On a slow disk this determines the throughput (`npm run bench:batch`).
 */
const largestGroup = 48;
/** Least rows to mark in a step while the service is fast. */
const worthwhile = 24;
/** Outcomes that are recorded without waiting for more. */
const enoughEnds = 32;
/** The weight of a new measurement in a running mean. */
const weight = 0.2;

/** Measures the steps made so far and decides about the next one. */
export class Steps {
	/** Mean duration of a step in milliseconds, and mean number of answers per millisecond. */
	#time = 2;
	#flow = 0;
	/** Rows answered since the last step began. */
	#back = 0;
	#lastBegan: number | undefined;

	constructor(private readonly limits: StepLimits) {}

	/** Records that a row was answered. */
	answered(): void {
		this.#back += 1;
	}

	/** Records that a step begins. @param now monotonic milliseconds */
	begin(now: number): void {
		if (this.#lastBegan !== undefined && now > this.#lastBegan) this.#flow += weight * (this.#back / (now - this.#lastBegan) - this.#flow);
		this.#lastBegan = now;
		this.#back = 0;
	}

	/** Records that the step is durable. @param took milliseconds */
	end(took: number): void {
		this.#time += weight * (took - this.#time);
	}

	/** How many rows the next step marks. @param left rows that this run may still mark */
	marks({ waiting, flying, width, resting }: Rows, left: number): number {
		const free = Math.min(this.#largest, this.limits.open - waiting - flying, left);
		if (this.#fast) return Math.max(0, free);
		// During a pause, do not mark rows just because fewer are in flight: a crash would leave them in doubt.
		const places = resting ? 0 : width - flying;
		return Math.max(0, Math.min(free, places + Math.max(1, this.#ahead) - waiting));
	}

	/** Whether to make a step that marks so many rows `now`, `soon` (after waiting for more outcomes), or not at all. */
	next({ waiting, flying, ended }: Rows, marks: number): "now" | "soon" | "none" {
		const needed = marks > 0 && (this.#fast ? marks >= worthwhile || waiting <= flying : waiting <= this.#ahead / 2);
		if (needed) return "now";
		if (ended === 0) return "none";
		return waiting + flying === 0 || ended >= enoughEnds ? "now" : "soon";
	}

	get #largest(): number {
		return Math.max(largestGroup, Math.floor(this.limits.open / 2));
	}

	/** How many rows to mark beyond those in flight. */
	get #ahead(): number {
		return Math.ceil(2 * this.#flow * this.#time);
	}

	/** Whether so many rows are sent during a step that steps must follow each other without a pause. */
	get #fast(): boolean {
		return this.#ahead >= worthwhile;
	}
}
