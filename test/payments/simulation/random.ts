/** Chance from a seed: the same sequence in every run (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** From 0 up to, not including, 1. */
	fraction(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number from 0 up to, not including, `below`. */
	below(below: number): number {
		return Math.floor(this.fraction() * below);
	}

	often(probability: number): boolean {
		return this.fraction() < probability;
	}

	pick<T>(from: readonly T[]): T {
		return from[this.below(from.length)] as T;
	}
}
