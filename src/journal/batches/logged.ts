/**
 * The rows of a batch of a team in this machine's log: all that one step ends, and all that it marks, with one write each.
 */
import type { MarkedRow, RowOutcome } from "../../ports/batches.js";
import type { JournalOutcome } from "../../ports/intent.js";
import type { Line, MachineLog, MarkOf } from "../postgres/log.js";
import { cellsOf } from "../tables/batch-row.js";
import type { Head } from "../tables/transaction.js";
import type { StoredBatch } from "./table.js";

/** The rows that this process marked, and whose outcome is not in the database. */
export class LoggedRows {
	readonly #rows = new Map<number, MarkOf & { isKept?: true }>();

	constructor(
		private readonly log: MachineLog,
		private readonly batch: Pick<StoredBatch, "number" | "shared">,
		private readonly mapping: string | undefined,
		private readonly sender: () => Promise<string>,
	) {}

	/** Writes outcomes down before the database has them. @returns whether there are any, and all of them are durable */
	async keep(ended: readonly RowOutcome[]): Promise<boolean> {
		const byMark = new Map<string, { head: Head; outcomes: [number, number, JournalOutcome][] }>();
		for (const { number, outcome } of ended) {
			const row = this.#rows.get(number);
			if (row === undefined || row.isKept) continue;
			const { seq, hash, attempt } = row;
			const own = byMark.get(hash) ?? { head: { seq, hash }, outcomes: [] };
			byMark.set(hash, own);
			own.outcomes.push([number, attempt, outcome]);
		}
		try {
			const by = await this.sender();
			const lines = [...byMark.values()].map(({ head, outcomes }): Line => ({ is: "outcome", by, ...head, outcomes }));
			if (lines.length > 0) await this.log.append(lines);
		} catch {
			return false;
		}
		for (const { number } of ended) {
			const row = this.#rows.get(number);
			if (row !== undefined) row.isKept = true;
		}
		return ended.length > 0;
	}

	/**
	 * Writes down what a step has marked, and which outcomes it has recorded.
	 * @throws PurserError usage, where it has marked some and that is not durable
	 */
	async marked(
		begun: readonly MarkedRow[],
		ended: readonly RowOutcome[],
		{ head, at, skew }: { head: Head; at: string; skew: number | undefined },
	): Promise<void> {
		const by = await this.sender();
		const lines: Line[] = [];
		const outcomes = ended.flatMap(({ number }): [string, number][] => {
			const row = this.#rows.get(number);
			this.#rows.delete(number);
			return row === undefined ? [] : [[row.hash, number]];
		});
		if (outcomes.length > 0) lines.push({ is: "recorded", by, ...head, outcomes });
		if (begun.length > 0) {
			const { number: batch, shared } = this.batch;
			const rows = begun.map(({ number, attempt, row, transfer }) => [number, attempt, row, cellsOf(transfer)] as const);
			lines.push({ is: "mark", by, ...head, at, batch, shared, mapping: this.mapping, skew, rows });
		}
		if (lines.length === 0) return;
		const writing = this.log.append(lines, begun.length === 0);
		// Otherwise the next run finds out what is recorded.
		await (begun.length === 0 ? writing.catch(() => {}) : writing);
		for (const { number, attempt } of begun) this.#rows.set(number, { ...head, intent: number, attempt });
	}
}
