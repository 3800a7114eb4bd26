/**
 * Rows on their way onto the record. They come in large steps: the index of rows alike is written all over with each commit, so many
 * small ones write a file of a million rows many times over.
 */

import type { PlannedRow } from "../../../ports/batch-plan.js";
import type { Batches } from "../../../ports/batches.js";

/** Rows of one commit: some tenths of a second, so that payments of other processes are not kept waiting. */
const step = 3_000;

export class Loading {
	#waiting: PlannedRow[] = [];

	constructor(
		private readonly batches: Pick<Batches, "load">,
		private readonly batch: string,
	) {}

	/** Whether it is time to {@link flush}. */
	get full(): boolean {
		return this.#waiting.length >= step;
	}

	add(row: PlannedRow): void {
		this.#waiting.push(row);
	}

	/** Also to be called after the last row. */
	async flush(): Promise<void> {
		const rows = this.#waiting;
		this.#waiting = [];
		if (rows.length > 0) await this.batches.load(this.batch, rows);
	}
}
