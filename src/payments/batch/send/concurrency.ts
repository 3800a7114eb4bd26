/**
 * How many transfers are on their way at once: few at the start, one more after each round that went well, half as many when the
 * service says that it is too much, or takes clearly longer than it did. Pure.
 */

export interface ConcurrencyLimits {
	/** Most at once. */
	jobs: number;
	/** Most a second, where that is limited. */
	rate?: number;
}

/** At once, at the start. */
const start = 4;
/** The share of a new answer in the running mean of the times taken. */
const share = 0.1;
/** Times the best mean, and milliseconds beyond it, from which on answers take clearly longer. */
const [slower, slack] = [3, 50];
/** Milliseconds of the first pause after a 429 or 503 that names none; doubled each time in a row. */
const firstPause = 500;
/** Milliseconds: no pause is longer. */
const longestPause = 60_000;

/** How many may be on their way, and when the next may leave. */
export class Concurrency {
	#width: number;
	#well = 0;
	#cooling = 0;
	#mean = 0;
	#best = Infinity;
	#pauses = 0;
	#restUntil = 0;
	#nextAt = 0;

	constructor(private readonly limits: ConcurrencyLimits) {
		this.#width = Math.min(start, limits.jobs);
	}

	/** How many may be on their way. */
	get width(): number {
		return this.#width;
	}

	/** Milliseconds until the next may leave; 0: now. @param now monotonic milliseconds */
	delay(now: number): number {
		return Math.max(0, this.#restUntil - now, this.#nextAt - now);
	}

	/** One leaves. */
	leave(now: number): void {
		if (this.limits.rate !== undefined) this.#nextAt = Math.max(this.#nextAt, now - 1_000 / this.limits.rate) + 1_000 / this.limits.rate;
	}

	/** One came back. @param took milliseconds; @param wait what the service asked for */
	arrive(now: number, { status, took, wait }: { status?: number; took: number; wait?: number }): void {
		this.#cooling -= 1;
		if (status === 429 || status === 503) {
			this.#pauses += 1;
			const pause = wait ?? firstPause * 2 ** (this.#pauses - 1);
			this.#restUntil = Math.max(this.#restUntil, now + Math.min(longestPause, pause));
			this.#halve();
			return;
		}
		if (status === undefined) {
			this.#halve();
			return;
		}
		this.#pauses = 0;
		this.#mean = this.#mean === 0 ? took : this.#mean + share * (took - this.#mean);
		this.#best = Math.min(this.#best, this.#mean);
		if (this.#mean > slower * this.#best + slack) {
			this.#halve();
			// What is slow now may be how it stays.
			this.#best = this.#mean;
			return;
		}
		this.#well += 1;
		if (this.#well < this.#width) return;
		this.#well = 0;
		this.#width = Math.min(this.limits.jobs, this.#width + 1);
	}

	/** Once for what was on its way together. */
	#halve(): void {
		if (this.#cooling > 0) return;
		this.#cooling = this.#width;
		this.#well = 0;
		this.#width = Math.max(1, Math.floor(this.#width / 2));
	}
}
