/**
 * When a durable step of a batch is worth making, and how many rows it marks: as many as leave while two steps are made, so that nobody
 * waits for the disk, and no more, for a crash leaves in doubt what was marked. Pure.
 */

export interface StepLimits {
	/** Most rows that are marked and have no recorded end: what a crash leaves in doubt. */
	open: number;
	/** Most rows a second, where that is limited. */
	rate?: number;
}

/** The rows of a batch at one moment. */
export interface Rows {
	/** Marked, and waiting for their turn. */
	waiting: number;
	/** On their way. */
	flying: number;
	/** Come back, with no recorded end. */
	ended: number;
	/** How many may be on their way. */
	width: number;
	/** Whether none may leave now. */
	resting: boolean;
}

/**
 * Most rows that one durable step marks, or half of those that may be open where that is more: one half is on its way while the other is
 * marked. Where the disk takes long for a step this decides how many rows a second leave (`npm run bench:batch`).
 */
const largestGroup = 48;
/** Rows that are worth a step of their own where the service is fast. */
const worthwhile = 24;
/** Ends that are recorded without waiting for more of them. */
const enoughEnds = 32;
/** The share of a new measurement in a running mean. */
const share = 0.2;

/** What is known of the steps made so far, and what follows from it for the next one. */
export class Steps {
	/** What one step takes, in milliseconds, and how many rows come back in a millisecond. */
	#time = 2;
	#flow = 0;
	/** Rows that came back since the last step began. */
	#back = 0;
	#lastBegan: number | undefined;

	constructor(private readonly limits: StepLimits) {}

	/** A row came back. */
	arrive(): void {
		this.#back += 1;
	}

	/** A step begins. @param now monotonic milliseconds */
	begin(now: number): void {
		if (this.#lastBegan !== undefined && now > this.#lastBegan) this.#flow += share * (this.#back / (now - this.#lastBegan) - this.#flow);
		this.#lastBegan = now;
		this.#back = 0;
	}

	/** The step is durable. @param took milliseconds */
	end(took: number): void {
		this.#time += share * (took - this.#time);
	}

	/** How many rows the next step marks. @param left rows that this run may still mark */
	marks({ waiting, flying, width, resting }: Rows, left: number): number {
		const free = Math.min(this.#largest, this.limits.open - waiting - flying, left);
		// Where rows leave by the clock, or none may leave now, a free place is no reason to mark one: it would only be in doubt.
		if (this.#fast && this.limits.rate === undefined) return Math.max(0, free);
		const places = this.limits.rate !== undefined || resting ? 0 : width - flying;
		return Math.max(0, Math.min(free, places + Math.max(1, this.#ahead) - waiting));
	}

	/** Whether a step that marks so many rows is to be made now, is worth waiting for more ends, or is none. */
	next({ waiting, flying, ended }: Rows, marks: number): "now" | "soon" | "none" {
		const needed = marks > 0 && (this.#fast ? marks >= worthwhile || waiting <= flying : waiting <= this.#ahead / 2);
		if (needed) return "now";
		if (ended === 0) return "none";
		return waiting + flying === 0 || ended >= enoughEnds ? "now" : "soon";
	}

	get #largest(): number {
		return Math.max(largestGroup, Math.floor(this.limits.open / 2));
	}

	/** Rows marked beyond those on their way. */
	get #ahead(): number {
		return Math.ceil(2 * this.#flow * this.#time);
	}

	/** So many rows leave while a step is made that the steps must follow each other without a pause. */
	get #fast(): boolean {
		return this.#ahead >= worthwhile;
	}
}
