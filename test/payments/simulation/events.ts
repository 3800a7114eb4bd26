/**
 * The events of a run: of each transfer that is made one at once, later, or never, and some that lie. Their chance is their own, so that a
 * seed is otherwise the run that it was without them.
 */
import { Random } from "./random.js";

const hour = 3_600_000;

export class Events {
	readonly #random: Random;
	/** Whether anybody hears them in this run. */
	readonly #heard: boolean;
	readonly #named: { id: string; from: number }[] = [];

	constructor(
		seed: number,
		private readonly now: () => number,
	) {
		this.#random = new Random(seed + 1_000_000_007);
		this.#heard = this.#random.often(0.4);
	}

	/** Whether somebody settles by events at this moment. */
	come(probability: number): boolean {
		return this.#heard && this.#random.often(probability);
	}

	/** A transfer was made. */
	happened(id: string): void {
		const chance = this.#random.fraction();
		if (chance < 0.25) return;
		const from = this.now() + (chance < 0.7 ? 0 : this.#random.below(30 * hour));
		this.#named.push({ id, from });
		if (this.#random.often(0.2)) this.#named.push({ id: id.toUpperCase(), from });
	}

	/** The ids that events have named by now, in any order, and some that nothing has. */
	named(): string[] {
		const known = this.#named.filter(({ from }) => from <= this.now()).map(({ id }) => id);
		const lies = this.#random.often(0.3) ? [`00000000-0000-4000-9000-${String(this.#random.below(1e9)).padStart(12, "0")}`] : [];
		return [...known, ...lies]
			.map((id) => ({ id, place: this.#random.fraction() }))
			.sort((one, other) => one.place - other.place)
			.map(({ id }) => id);
	}
}
