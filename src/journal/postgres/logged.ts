/**
 * What this process sends by a team's journal, in this machine's log: all that one step ends, and all that it marks, with one write each.
 */
import type { MarkedRow } from "../../ports/batches.js";
import type { JournalIntent, JournalOutcome } from "../../ports/intent.js";
import type { Head } from "../tables/transaction.js";
import { type Line, type MachineLog, type MarkOf, markOfPayment, markOfRows, type Written } from "./log.js";

interface Ended {
	number: number;
	outcome: JournalOutcome;
}

/** The attempts that this process marked, and whose outcome is not in the database. */
export class LoggedAttempts {
	readonly #attempts = new Map<number, MarkOf & { isKept?: true }>();

	/** @param sender this process's name as a sender */
	constructor(
		private readonly log: MachineLog,
		private readonly sender: () => Promise<string>,
	) {}

	/** Writes outcomes down before the database has them. @returns whether there are any, and all of them are durable */
	async keep(ended: readonly Ended[]): Promise<boolean> {
		const byMark = new Map<string, { head: Head; outcomes: [number, number, JournalOutcome][] }>();
		for (const { number, outcome } of ended) {
			const own = this.#attempts.get(number);
			if (own === undefined || own.isKept) continue;
			const { seq, hash, attempt } = own;
			const line = byMark.get(hash) ?? { head: { seq, hash }, outcomes: [] };
			byMark.set(hash, line);
			line.outcomes.push([number, attempt, outcome]);
		}
		try {
			const by = byMark.size > 0 ? await this.sender() : "";
			const lines = [...byMark.values()].map(({ head, outcomes }): Line => ({ is: "outcome", by, ...head, outcomes }));
			if (lines.length > 0) await this.log.append(lines);
		} catch {
			return false;
		}
		const own = ended.map(({ number }) => this.#attempts.get(number));
		for (const one of own) if (one !== undefined) one.isKept = true;
		return ended.length > 0 && !own.includes(undefined);
	}

	/** Writes down that one payment is about to be sent. @throws PurserError usage, where that is not durable */
	began(head: Head, own: { number: number; attempt: number }, at: string, asked: JournalIntent): Promise<void> {
		return this.recorded(head, [], [own], markOfPayment({ at, intent: own.number, attempt: own.attempt }, asked));
	}

	/** Writes down what one step of a batch has recorded, and the rows that are about to be sent. @throws PurserError as {@link began} */
	stepped(
		head: Head,
		ended: readonly Pick<Ended, "number">[],
		begun: readonly MarkedRow[],
		of: Parameters<typeof markOfRows>[0],
	): Promise<void> {
		return this.recorded(head, ended, begun, markOfRows(of, begun));
	}

	/**
	 * Writes down which outcomes an event of the database has recorded, and what it has marked.
	 * @param markOf the line about those that begun, if any did
	 * @throws PurserError usage, where it has marked some and that is not durable
	 */
	async recorded(
		head: Head,
		ended: readonly Pick<Ended, "number">[],
		begun: readonly { number: number; attempt: number }[] = [],
		markOf?: (written: Written) => Line,
	): Promise<void> {
		const outcomes = ended.flatMap(({ number }): [string, number][] => {
			const own = this.#attempts.get(number);
			this.#attempts.delete(number);
			return own === undefined ? [] : [[own.hash, number]];
		});
		if (outcomes.length + begun.length === 0) return;
		const written = { by: await this.sender(), ...head };
		const lines: Line[] = outcomes.length > 0 ? [{ is: "recorded", ...written, outcomes }] : [];
		if (markOf !== undefined && begun.length > 0) lines.push(markOf(written));
		const writing = this.log.append(lines, begun.length === 0);
		// Otherwise the next run finds out what is recorded.
		await (begun.length === 0 ? writing.catch(() => {}) : writing);
		for (const { number, attempt } of begun) this.#attempts.set(number, { ...head, intent: number, attempt });
	}
}
