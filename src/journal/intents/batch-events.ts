/**
 * Events that concern many rows of a batch at once: which began, how others ended, which were left by a dead sender.
 */
import type { BatchRest } from "../../ports/batches.js";
import type { JournalOutcome, JournalStep } from "../../ports/intent.js";
import type { JournalEvent } from "../../ports/journal.js";
import { type Reading, sql, within } from "../tables/sql.js";
import { eventPages } from "../tables/transaction.js";
import { eventOf } from "./record.js";

/** Consecutive numbers of intents, both ends included. */
export type Range = readonly [from: number, to: number];

/** The content of a `moved` event. */
export interface RowsMoved {
	batch: number;
	sender: string;
	begun: readonly Range[];
	ended: readonly (readonly [number: number, outcome: JournalOutcome])[];
	/** Left as being sent by a dead sender. */
	died: readonly Range[];
	/** For rows that began: the service's clock minus this machine's, in milliseconds, if known. */
	skew?: number;
}

/** The content of an `abandoned` event. */
export interface Abandonment extends BatchRest {
	/** The operator's words. */
	reason: string;
	/** The cancelled rows. */
	ranges: readonly Range[];
}

/** Compresses ascending numbers into ranges. @param ranges of the numbers before them, which is added to */
export function rangesOf(numbers: readonly number[], ranges: [number, number][] = []): Range[] {
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	return ranges;
}

/** Events of one page. */
const page = 500;

/** One step of many rows. */
export interface RowsStep {
	ranges: readonly Range[];
	step: JournalStep;
}

/** The steps of an event about many rows, in the order in which they apply; undefined for other events. */
export function stepsIn(kind: string, content: Record<string, unknown>): RowsStep[] | undefined {
	if (kind === "abandoned") return [{ ranges: content.ranges as Range[], step: { kind: "abandoned" } }];
	if (kind !== "moved") return undefined;
	const { begun, ended, died } = content as unknown as RowsMoved;
	return [
		{ ranges: died, step: { kind: "died" } },
		...ended.map(([number, outcome]) => ({ ranges: [[number, number]] as const, step: { kind: "ended", outcome } as const })),
		{ ranges: begun, step: { kind: "begun" } },
	];
}

/** The steps of one row in the form of separate events, oldest first. */
export async function rowEvents(reading: Reading, batch: number, number: number): Promise<JournalEvent[]> {
	const found: JournalEvent[] = [];
	let attempt = 0;
	for await (const rows of eventPages(within(reading), { where: sql`batch = ${batch}`, page }))
		for (const event of rows.map(eventOf)) {
			const { sender, reason, skew } = event.content;
			for (const { ranges, step } of stepsIn(event.kind, event.content) ?? []) {
				if (!ranges.some(([from, to]) => from <= number && number <= to)) continue;
				const { kind, ...rest } = step;
				if (kind === "begun") attempt += 1;
				const more = event.kind === "moved" ? { sender, ...(kind === "begun" && { skew }) } : { reason };
				found.push({ ...event, intent: String(number), kind, content: { batch, attempt, ...more, ...rest } });
			}
		}
	return found;
}
