/**
 * What a run has changed, as it recorded it: what is still under way, for a run that ends at once, and what was done, for every other end.
 */
import type { Runtime } from "../context.js";
import { PurserError } from "../errors.js";
import type { Batches, RowOutcome } from "../ports/batches.js";
import type { JournalOutcome } from "../ports/intent.js";
import type { Journal } from "../ports/journal.js";

export interface RunChange {
	intent: string;
	operation: string;
	money: boolean;
	/** `sending`: begun, and no outcome is recorded. */
	state: "sending" | JournalOutcome["state"];
	id?: string;
}

/** Numbers of rows of batches by their outcome; each moves money. */
type Rows = Record<JournalOutcome["state"], number>;

/** Follows what the run records in journals and batches that were handed to it. */
export class UnderWay {
	readonly #changes = new Map<string, RunChange>();
	readonly #followed = new WeakMap<object, object>();
	/** Rows of batches, begun and not ended; each moves money. */
	rows = 0;
	readonly ended: Rows = { accepted: 0, refused: 0, "not-sent": 0, "in-doubt": 0 };

	get changes(): readonly RunChange[] {
		return [...this.#changes.values()];
	}

	get open(): readonly RunChange[] {
		return this.changes.filter(({ state }) => state === "sending");
	}

	get isEmpty(): boolean {
		return this.open.length === 0 && this.rows <= 0;
	}

	/** The changes of which no answer says whether they were made, and the number of such rows. */
	get inDoubt(): { changes: readonly RunChange[]; rows: number } {
		const changes = this.changes.filter(({ state }) => state === "in-doubt" || state === "sending");
		return { changes, rows: this.ended["in-doubt"] + Math.max(this.rows, 0) };
	}

	get isMoneyInDoubt(): boolean {
		const { changes, rows } = this.inDoubt;
		return rows > 0 || changes.some(({ money }) => money);
	}

	follow(runtime: Runtime): Runtime {
		return {
			...runtime,
			journal: {
				...runtime.journal,
				of: async (profile) => this.followJournal(await runtime.journal.of(profile)),
				batches: async (profile) => this.followBatches(await runtime.journal.batches(profile)),
			},
		};
	}

	/** The same journal, followed; for the same one the same each time. */
	followJournal(journal: Journal): Journal {
		return this.#once(journal, () => ({
			...journal,
			begin: async (intent, asked) => {
				const number = await journal.begin(intent, asked);
				const { operation, effect } = intent;
				this.#changes.delete(number);
				this.#changes.set(number, { intent: number, operation, money: effect === "money", state: "sending" });
				return number;
			},
			end: async (intent, outcome) => {
				await journal.end(intent, outcome);
				const change = this.#changes.get(intent);
				if (change === undefined) return;
				change.state = outcome.state;
				if (outcome.state === "accepted") change.id = outcome.id;
			},
		}));
	}

	followBatches(batches: Batches): Batches {
		/** Rows whose outcome this machine's log has, and the team's journal not: they are given to it once more. */
		const kept = new Set<number>();
		const end = (ended: readonly RowOutcome[]): void => {
			for (const { outcome } of ended.filter(({ number }) => !kept.has(number))) {
				this.rows -= 1;
				this.ended[outcome.state] += 1;
			}
		};
		return this.#once(batches, () => ({
			...batches,
			advance: async (batch, ended, want, skew) => {
				try {
					const begun = await batches.advance(batch, ended, want, skew);
					end(ended);
					this.rows += begun.length;
					return begun;
				} catch (error) {
					if (error instanceof PurserError && error.failure.code === "OUTCOME_KEPT") {
						end(ended);
						for (const { number } of ended) kept.add(number);
					}
					throw error;
				}
			},
		}));
	}

	#once<T extends object>(port: T, make: () => T): T {
		const followed = (this.#followed.get(port) as T | undefined) ?? make();
		this.#followed.set(port, followed);
		return followed;
	}
}
