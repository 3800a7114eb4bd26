/**
 * A slab: stores entries that come and go many thousand times a second, under reused numbers.
 *
 * Not a Map or a Set: V8 copies those into a new table every few changes and links the old tables. Once one of them is in the old
 * generation, all
 * later ones stay until the next full collection; with a Set here, every transfer of a batch did (4 KB a row in `--trace-gc`).
 */
export class Slab<T> {
	readonly #held: (T | undefined)[] = [];
	readonly #free: number[] = [];

	/** @returns its number until it is removed */
	add(one: T): number {
		const slot = this.#free.pop() ?? this.#held.length;
		this.#held[slot] = one;
		return slot;
	}

	/** Removes and returns the entry with this number; undefined if there is none. */
	remove(slot: number): T | undefined {
		const one = this.#held[slot];
		if (one === undefined) return undefined;
		this.#held[slot] = undefined;
		this.#free.push(slot);
		return one;
	}

	/** Number of entries. */
	get size(): number {
		return this.#held.length - this.#free.length;
	}

	/** All entries. */
	all(): T[] {
		return this.#held.filter((one) => one !== undefined);
	}
}
