/**
 * Adapts how many transfers are in flight: few at the start, one more after each good round, and half as many when the service reports
 * overload or does not answer. Pure.
 */

export interface ConcurrencyLimits {
	/** Most in flight. */
	jobs: number;
	/**
	 * Milliseconds that pauses may last together until the service takes something again; where given, a service that cannot be reached is
	 * waited for too.
	 */
	waitOut?: number;
}

/** A pause that an answer asked for. */
export interface Pause {
	/** Nothing is sent before; monotonic milliseconds. */
	until: number;
	/** It was not asked for before by what was in flight together. */
	isNew: boolean;
	/** It is longer than pauses may last. */
	isTooLong: boolean;
}

/** In flight at the start. */
const start = 4;
/** The first pause in milliseconds after a 429 or 503 without Retry-After; doubled each consecutive time. */
const firstPause = 500;
/** The longest pause of our own in milliseconds. */
const longestPause = 60_000;
/** Milliseconds that pauses may last together, unless somebody says otherwise. */
export const usualWaitOut = 5 * 60_000;

/** Decides how many transfers may be in flight, and when the next may be sent. */
export class Concurrency {
	#width: number;
	#well = 0;
	#cooling = 0;
	#pauses = 0;
	/** When the first and the last of these pauses began. */
	#pausedSince: number | undefined;
	#pausedAt = -Infinity;
	#restUntil = 0;

	constructor(private readonly limits: ConcurrencyLimits) {
		this.#width = Math.min(start, limits.jobs);
	}

	/** How many may be in flight. */
	get width(): number {
		return this.#width;
	}

	/** Milliseconds until the next may be sent; 0: now. @param now monotonic milliseconds */
	delay(now: number): number {
		return Math.max(0, this.#restUntil - now);
	}

	/**
	 * Records that one was answered.
	 * @param took milliseconds
	 * @param wait milliseconds that the service asked to wait
	 * @param away the service could not be reached
	 * @returns the pause that this answer asked for, if any
	 */
	answered(now: number, { status, took, wait, away }: { status?: number; took: number; wait?: number; away?: true }): Pause | undefined {
		this.#cooling -= 1;
		if (status === 429 || status === 503 || (away && this.limits.waitOut !== undefined)) return this.#pause(now, now - took, wait);
		if (status === undefined) {
			this.#halve();
			return undefined;
		}
		this.#pauses = 0;
		this.#pausedSince = undefined;
		this.#well += 1;
		if (this.#well < this.#width) return undefined;
		this.#well = 0;
		this.#width = Math.min(this.limits.jobs, this.#width + 1);
		return undefined;
	}

	#pause(now: number, sent: number, wait: number | undefined): Pause {
		// What was in flight when a pause was asked for belongs to that pause.
		const isNew = sent >= this.#pausedAt;
		if (isNew) [this.#pauses, this.#pausedAt] = [this.#pauses + 1, now];
		this.#halve();
		const pause = wait ?? Math.min(longestPause, firstPause * 2 ** Math.max(0, this.#pauses - 1));
		this.#pausedSince ??= now;
		this.#restUntil = Math.max(this.#restUntil, now + pause);
		return { until: this.#restUntil, isNew, isTooLong: this.#restUntil - this.#pausedSince > (this.limits.waitOut ?? usualWaitOut) };
	}

	/** Halves the width, once for all transfers in flight together. */
	#halve(): void {
		if (this.#cooling > 0) return;
		this.#cooling = this.#width;
		this.#well = 0;
		this.#width = Math.max(1, Math.floor(this.#width / 2));
	}
}
