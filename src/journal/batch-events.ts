/**
 * What happens to many rows at once, as one event: which began, which ended how, which were left by a sender that died.
 */
import type { JournalEvent, JournalOutcome, JournalStep } from "../ports/journal.js";
import { eventOf } from "./record.js";
import type { Storage } from "./storage.js";
import { statement } from "./transaction.js";

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

/** Every `moved` event of a batch, oldest first. */
export function* movesOf(storage: Storage, batch: number): Generator<{ event: JournalEvent; moved: Moved }> {
	for (let after = 0; ; ) {
		const rows = statement(storage, `SELECT * FROM event WHERE batch = ? AND seq > ? ORDER BY seq LIMIT ${page}`).all(batch, after);
		for (const row of rows) {
			const event = eventOf(row);
			if (event.kind === "moved") yield { event, moved: event.content as unknown as Moved };
		}
		if (rows.length < page) return;
		after = Number(rows.at(-1)?.seq);
	}
}

/** The steps of one `moved` event in the order in which they count: what was left, what ended, what began. */
export function stepsOf({ begun, ended, died }: Moved): { ranges: readonly Range[]; step: JournalStep }[] {
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
	for (const { event, moved } of movesOf(storage, batch))
		for (const { ranges, step } of stepsOf(moved)) {
			if (!within(ranges, number)) continue;
			if (step.kind === "begun") attempt += 1;
			const { kind, ...rest } = step;
			found.push({ ...event, intent: String(number), kind, content: { batch, attempt, sender: moved.sender, ...rest } });
		}
	return found;
}
