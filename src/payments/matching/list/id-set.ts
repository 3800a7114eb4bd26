/**
 * A compact set of ids, so that reading a million transactions does not need a million strings in memory.
 */

/** Initial capacity in slots of eight bytes; a power of two. */
const smallest = 64;

/**
 * Open-addressing hash set that stores a 53-bit hash of each id. With a million ids a collision occurs in one of ten thousand runs, and one
 * of the two ids is then taken for present already.
 */
export class IdSet {
	#slots = new Float64Array(smallest);
	#size = 0;

	get size(): number {
		return this.#size;
	}

	has(id: string): boolean {
		const key = keyOf(id);
		return this.#slots[placeOf(this.#slots, key)] === key;
	}

	/** @returns whether the id was new */
	add(id: string): boolean {
		const key = keyOf(id);
		const place = placeOf(this.#slots, key);
		if (this.#slots[place] === key) return false;
		this.#slots[place] = key;
		this.#size += 1;
		if (this.#size * 2 > this.#slots.length) this.#grow();
		return true;
	}

	#grow(): void {
		const larger = new Float64Array(this.#slots.length * 2);
		for (const key of this.#slots) if (key !== 0) larger[placeOf(larger, key)] = key;
		this.#slots = larger;
	}
}

/** The slot of a key, or the free slot for it; zero marks a free slot. */
function placeOf(slots: Float64Array, key: number): number {
	const last = slots.length - 1;
	let place = key % slots.length;
	while (slots[place] !== 0 && slots[place] !== key) place = (place + 1) & last;
	return place;
}

/** A 53-bit hash of a text, never zero: two 32-bit halves, each with one multiplication per character and a final mix. */
function keyOf(text: string): number {
	let [one, other] = [0xdeadbeef, 0x41c6ce57];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		one = Math.imul(one ^ code, 0x9e3779b1);
		other = Math.imul(other ^ code, 0x5f356495);
	}
	one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
	other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
	return (other >>> 0) * 0x200000 + (one >>> 11) || 1;
}
