import { groupDigits } from "../api/amount.js";
import type { Clock } from "../ports/machine.js";

/** How many requests reading lists may make, how long it may take, and how many bytes of answers it may read. */
export interface AllowanceBounds {
	requests: number;
	milliseconds: number;
	bytes: number;
}

/** What reading lists may still use, because a service may list without end. */
export class Allowance {
	#made = 0;
	#kept = 0;
	readonly #ends: number;

	/** @param within the allowance that this one shares with others */
	constructor(
		private readonly clock: Pick<Clock, "monotonic">,
		private readonly bounds: AllowanceBounds,
		private readonly within?: Allowance,
	) {
		this.#ends = clock.monotonic() + bounds.milliseconds;
	}

	/** Counts a request about to be made. Returns false if no more may be made. */
	take(): boolean {
		if (this.spent !== undefined) return false;
		this.#made += 1;
		return this.within?.take() ?? true;
	}

	/** Counts an answer. */
	keep(bytes: number): void {
		this.#kept += bytes;
		this.within?.keep(bytes);
	}

	/** The bound that was reached, in words: `500 requests`, `128 MiB`, `10 minutes`, `30 s`; undefined before that. */
	get spent(): string | undefined {
		const { requests, milliseconds, bytes } = this.bounds;
		if (this.#made >= requests) return `${groupDigits(requests)} requests`;
		if (this.#kept >= bytes) return `${bytes / 1024 / 1024} MiB`;
		if (this.clock.monotonic() >= this.#ends)
			return milliseconds >= 120_000 ? `${Math.round(milliseconds / 60_000)} minutes` : `${Math.round(milliseconds / 1_000)} s`;
		return this.within?.spent;
	}
}
