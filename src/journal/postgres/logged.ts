/**
 * What this process sends by a team's journal, in this machine's log: all that one step ends, and all that it marks, with one write each.
 */
import type { JournalIntent, JournalOutcome } from "../../ports/intent.js";
import type { Head } from "../../ports/journal.js";
import type { Line, MachineLog, Mark, Marked } from "./log.js";

interface Ended {
	number: number;
	outcome: JournalOutcome;
}

interface Begun {
	number: number;
	attempt: number;
}

/** The attempts that this process marked, and whose outcome is not in the database. */
export class LoggedAttempts {
	readonly #attempts = new Map<number, { head: Head; attempt: number; isKept?: true }>();

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
			const line = byMark.get(own.head.hash) ?? { head: own.head, outcomes: [] };
			byMark.set(own.head.hash, line);
			line.outcomes.push([number, own.attempt, outcome]);
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

	/** Writes down that one payment is about to be sent, or a row is once more. @throws PurserError usage, where that is not durable */
	began(head: Head, { number, attempt }: Begun, at: string, asked: JournalIntent, of: Pick<Marked, "batch" | "row"> = {}): Promise<void> {
		// Without what says who asked, which is a person's name, and in their own words why.
		const { operator: _, despite: __, ...impersonal } = asked;
		return this.recorded(head, [], [{ number, attempt }], { is: "mark", at, intent: number, attempt, asked: impersonal, ...of });
	}

	/**
	 * Writes down which outcomes an event of the database has recorded, and what it has marked.
	 * @throws PurserError usage, where it has marked some and that is not durable
	 */
	async recorded(head: Head, ended: readonly Pick<Ended, "number">[], begun: readonly Begun[] = [], mark?: Mark): Promise<void> {
		const outcomes = ended.flatMap(({ number }): [string, number][] => {
			const own = this.#attempts.get(number);
			this.#attempts.delete(number);
			return own === undefined ? [] : [[own.head.hash, number]];
		});
		if (outcomes.length + begun.length === 0) return;
		const written = { by: await this.sender(), ...head };
		const lines: Line[] = outcomes.length > 0 ? [{ is: "recorded", ...written, outcomes }] : [];
		if (mark !== undefined && begun.length > 0) lines.push({ ...written, ...mark });
		const writing = this.log.append(lines, begun.length === 0);
		// Otherwise the next run finds out what is recorded.
		await (begun.length === 0 ? writing.catch(() => {}) : writing);
		for (const { number, attempt } of begun) this.#attempts.set(number, { head, attempt });
	}
}
