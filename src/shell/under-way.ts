/**
 * What a run has begun and not ended: a second signal ends the run at once, which leaves these in doubt.
 */
import type { Batches } from "../ports/batches.js";
import type { Journal } from "../ports/journal.js";

/** An intent that was begun and not ended, and whether it moves money. */
export interface OpenIntent {
	intent: string;
	money: boolean;
}

/** Follows what the run records in journals and batches that were handed to it. */
export class UnderWay {
	readonly #intents = new Map<string, OpenIntent>();
	/** Rows of batches, begun and not ended; each moves money. */
	rows = 0;
	/** Whether this run has begun a payment, whatever became of it. */
	paid = false;

	get intents(): readonly OpenIntent[] {
		return [...this.#intents.values()];
	}

	get isEmpty(): boolean {
		return this.#intents.size === 0 && this.rows <= 0;
	}

	/** The same journal, followed. */
	followJournal(journal: Journal): Journal {
		return {
			...journal,
			begin: async (intent, warn) => {
				const number = await journal.begin(intent, warn);
				const money = intent.effect === "money";
				this.#intents.set(number, { intent: number, money });
				this.paid ||= money;
				return number;
			},
			end: async (intent, outcome) => {
				await journal.end(intent, outcome);
				this.#intents.delete(intent);
			},
		};
	}

	/** The same batches, followed. */
	followBatches(batches: Batches): Batches {
		return {
			...batches,
			advance: async (batch, ended, want, skew) => {
				const begun = await batches.advance(batch, ended, want, skew);
				this.rows += begun.length - ended.length;
				this.paid ||= begun.length > 0;
				return begun;
			},
		};
	}
}
