/**
 * Buffers rows for the journal and stores them in large steps: each commit rewrites much of the index of duplicates, so small steps would
 * write a file of a million rows many times over.
 */

import type { PlannedRow } from "../../../ports/batch-plan.js";
import type { Batches } from "../../../ports/batches.js";

/** Rows of one commit, which takes some tenths of a second, so that payments of other processes do not wait long. */
const step = 3_000;

export class Loading {
	#waiting: PlannedRow[] = [];

	constructor(
		private readonly batches: Pick<Batches, "load">,
		private readonly batch: string,
	) {}

	/** Whether to call {@link flush}. */
	get full(): boolean {
		return this.#waiting.length >= step;
	}

	add(row: PlannedRow): void {
		this.#waiting.push(row);
	}

	/** Call it after the last row, too. */
	async flush(): Promise<void> {
		const rows = this.#waiting;
		this.#waiting = [];
		if (rows.length > 0) await this.batches.load(this.batch, rows);
	}
}
