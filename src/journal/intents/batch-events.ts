/**
 * What happens to many rows at once, as one event: which began, which ended how, which were left by a sender that died.
 */
import type { BatchRest } from "../../ports/batches.js";
import type { JournalOutcome, JournalStep } from "../../ports/intent.js";
import type { JournalEvent } from "../../ports/journal.js";
import type { Storage } from "../sqlite/storage.js";
import { statement } from "../sqlite/transaction.js";
import { eventOf } from "./record.js";

/** Numbers of intents that follow each other, both ends included. */
export type Range = readonly [from: number, to: number];

/** The content of a `moved` event. */
export interface Moved {
	batch: number;
	sender: string;
	begun: readonly Range[];
	ended: readonly (readonly [number: number, outcome: JournalOutcome])[];
	/** Left as being sent by a sender that is gone. */
	died: readonly Range[];
	/** Of those that began: the service's clock minus this machine's, in milliseconds, where it was known. */
	skew?: number;
}

/** The content of an `abandoned` event. */
export interface Abandonment extends BatchRest {
	batch: number;
	/** The operator's words. */
	reason: string;
	/** The rows that were given up. */
	ranges: readonly Range[];
}

/** Numbers in ascending order, as ranges. */
export function rangesOf(numbers: readonly number[]): Range[] {
	const ranges: [number, number][] = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	return ranges;
}

const within = (ranges: readonly Range[], number: number): boolean => ranges.some(([from, to]) => from <= number && number <= to);

/** Events of one page. */
const page = 500;

/** What happened to many rows. */
export interface Happened {
	ranges: readonly Range[];
	step: JournalStep;
}

/** What the events of a batch say of many rows at once, oldest first. */
function* happeningsOf(storage: Storage, batch: number): Generator<{ event: JournalEvent; happened: Happened[]; more: object }> {
	for (let after = 0; ; ) {
		const rows = statement(storage, `SELECT * FROM event WHERE batch = ? AND seq > ? ORDER BY seq LIMIT ${page}`).all(batch, after);
		for (const row of rows) {
			const event = eventOf(row);
			const happened = happenedIn(event.kind, event.content);
			const { sender, reason } = event.content;
			if (happened) yield { event, happened, more: event.kind === "moved" ? { sender } : { reason } };
		}
		if (rows.length < page) return;
		after = Number(rows.at(-1)?.seq);
	}
}

/** The steps of an event about many rows, in the order in which they count; undefined where it is about one row, or none. */
export function happenedIn(kind: string, content: Record<string, unknown>): Happened[] | undefined {
	if (kind === "moved") return stepsOf(content as unknown as Moved);
	return kind === "abandoned" ? [{ ranges: content.ranges as Range[], step: { kind: "abandoned" } }] : undefined;
}

/** Of one `moved` event: what was left, what ended, what began. */
function stepsOf({ begun, ended, died }: Moved): Happened[] {
	return [
		{ ranges: died, step: { kind: "died" } },
		...ended.map(([number, outcome]) => ({ ranges: [[number, number]] as const, step: { kind: "ended", outcome } as const })),
		{ ranges: begun, step: { kind: "begun" } },
	];
}

/** What happened to one row, told as if it had events of its own. */
export function rowEvents(storage: Storage, batch: number, number: number): JournalEvent[] {
	const found: JournalEvent[] = [];
	let attempt = 0;
	for (const { event, happened, more } of happeningsOf(storage, batch))
		for (const { ranges, step } of happened) {
			if (!within(ranges, number)) continue;
			if (step.kind === "begun") attempt += 1;
			const { kind, ...rest } = step;
			const skew = kind === "begun" ? { skew: event.content.skew } : {};
			found.push({ ...event, intent: String(number), kind, content: { batch, attempt, ...more, ...skew, ...rest } });
		}
	return found;
}
