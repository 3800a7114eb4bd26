/**
 * Ids that were seen, in few bytes each: a list of a million transactions is walked without holding a million texts.
 */

/** At first, in numbers of eight bytes; a power of two. */
const smallest = 64;

/** Knows an id by 53 bits of it: of a million ids two share them once in ten thousand walks, and then one of both counts as seen. */
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

	/** @returns whether it was new */
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

/** Where a key stands, or would stand: a zero is an empty slot. */
function placeOf(slots: Float64Array, key: number): number {
	const last = slots.length - 1;
	let place = key % slots.length;
	while (slots[place] !== 0 && slots[place] !== key) place = (place + 1) & last;
	return place;
}

/** 53 bits of a text, never zero. Two multiplications a character, each mixed into all bits of its half. */
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
