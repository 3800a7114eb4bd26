/**
 * Things that come and go many thousand times a second, each under a number that is used again.
 *
 * Not a Map or a Set: V8 copies those into a new table every few changes, and each old table leads to the next one. Once one of
 * them has lived long enough, what stood in all those after it is kept until the next full collection: with a Set here, every
 * transfer of a batch was (4 KB a row in `--trace-gc`).
 */
export class Slab<T> {
	readonly #held: (T | undefined)[] = [];
	readonly #free: number[] = [];

	/** @returns its number until it is taken out */
	add(one: T): number {
		const slot = this.#free.pop() ?? this.#held.length;
		this.#held[slot] = one;
		return slot;
	}

	/** Takes out what is under a number. Undefined where nothing is. */
	remove(slot: number): T | undefined {
		const one = this.#held[slot];
		if (one === undefined) return undefined;
		this.#held[slot] = undefined;
		this.#free.push(slot);
		return one;
	}

	/** How many are in. */
	get size(): number {
		return this.#held.length - this.#free.length;
	}

	/** All that are in. */
	all(): T[] {
		return this.#held.filter((one) => one !== undefined);
	}
}
