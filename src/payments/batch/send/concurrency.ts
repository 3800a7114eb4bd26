/**
 * Adapts how many transfers are in flight: few at the start, one more after each good round, and half as many when the service reports
 * overload
 * or becomes clearly slower. Pure.
 */

export interface ConcurrencyLimits {
	/** Most in flight. */
	jobs: number;
	/** Most per second, if limited. */
	rate?: number;
}

/** In flight at the start. */
const start = 4;
/** The weight of a new answer in the running mean of durations. */
const weight = 0.1;
/** Answers are clearly slower when the mean exceeds this multiple of the best mean plus this many milliseconds. */
const [slower, slack] = [3, 50];
/** The first pause in milliseconds after a 429 or 503 without Retry-After; doubled each consecutive time. */
const firstPause = 500;
/** The longest pause in milliseconds. */
const longestPause = 60_000;

/** Decides how many transfers may be in flight, and when the next may be sent. */
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

	/** How many may be in flight. */
	get width(): number {
		return this.#width;
	}

	/** Milliseconds until the next may be sent; 0: now. @param now monotonic milliseconds */
	delay(now: number): number {
		return Math.max(0, this.#restUntil - now, this.#nextAt - now);
	}

	/** Records that one is sent. */
	leave(now: number): void {
		if (this.limits.rate !== undefined) this.#nextAt = Math.max(this.#nextAt, now - 1_000 / this.limits.rate) + 1_000 / this.limits.rate;
	}

	/**
	 * Records that one was answered.
	 * @param took milliseconds
	 * @param wait milliseconds that the service asked to wait
	 * @returns until when none may be sent, where this answer asked for a pause
	 */
	arrive(now: number, { status, took, wait }: { status?: number; took: number; wait?: number }): number | undefined {
		this.#cooling -= 1;
		if (status === 429 || status === 503) {
			this.#pauses += 1;
			const pause = wait ?? firstPause * 2 ** (this.#pauses - 1);
			this.#restUntil = Math.max(this.#restUntil, now + Math.min(longestPause, pause));
			this.#halve();
			return this.#restUntil;
		}
		if (status === undefined) {
			this.#halve();
			return undefined;
		}
		this.#pauses = 0;
		this.#mean = this.#mean === 0 ? took : this.#mean + weight * (took - this.#mean);
		this.#best = Math.min(this.#best, this.#mean);
		if (this.#mean > slower * this.#best + slack) {
			this.#halve();
			// The service may stay this slow, so measure from here.
			this.#best = this.#mean;
			return undefined;
		}
		this.#well += 1;
		if (this.#well < this.#width) return undefined;
		this.#well = 0;
		this.#width = Math.min(this.limits.jobs, this.#width + 1);
		return undefined;
	}

	/** Halves the width, once for all transfers in flight together. */
	#halve(): void {
		if (this.#cooling > 0) return;
		this.#cooling = this.#width;
		this.#well = 0;
		this.#width = Math.max(1, Math.floor(this.#width / 2));
	}
}
