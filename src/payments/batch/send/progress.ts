/**
 * The progress of a batch on one line: for the process that sends it, and for one that watches it.
 */

import { groupDigits } from "../../../api/amount.js";
import type { BatchPause, BatchRecord } from "../../../ports/batches.js";
import type { IntentState, JournalOutcome } from "../../../ports/intent.js";
import type { Style } from "../../../ports/style.js";
import { rowsIn } from "./outcome.js";

/** Counts the rows of a run by outcome. */
export class Tally {
	accepted = 0;
	waiting = 0;
	refused = 0;
	inDoubt = 0;
	notSent = 0;
	/** Refused rows that are to be sent again in this run, by the journal's numbers. */
	readonly again = new Set<number>();
	/** Rows of the batch. */
	readonly count: number;
	/** Those that this run is to send. */
	readonly toSend: number;

	/**
	 * @param takes the states whose rows are sent
	 * @param started monotonic milliseconds
	 */
	constructor(
		{ plan, counts }: Pick<BatchRecord, "plan" | "counts">,
		takes: readonly IntentState[],
		private readonly started: number,
	) {
		this.count = plan.count;
		this.toSend = rowsIn(counts, ...takes);
	}

	/**
	 * @param number of the row in the journal
	 * @param isForNow it is refused for the moment; it is counted once, whatever becomes of it when it is sent again
	 */
	add(outcome: JournalOutcome, number?: number, isForNow = false): void {
		if (number !== undefined && this.again.delete(number)) this.refused--;
		if (number !== undefined && isForNow) this.again.add(number);
		if (outcome.state === "accepted") outcome.waiting ? this.waiting++ : this.accepted++;
		else if (outcome.state === "refused") this.refused++;
		else if (outcome.state === "in-doubt") this.inDoubt++;
		else this.notSent++;
	}

	/** Rows sent in this run. */
	get sent(): number {
		return this.accepted + this.waiting + this.refused + this.inDoubt;
	}

	/** Rows of the batch that this run has sent or has not to send. */
	get done(): number {
		return this.count - this.toSend + this.sent;
	}

	/** Milliseconds. */
	since(now: number): number {
		return Math.max(0, now - this.started);
	}

	run(now: number) {
		const { sent, accepted, waiting, refused, inDoubt, notSent } = this;
		return { sent, accepted, waiting, refused, inDoubt, notSent, seconds: Math.round(this.since(now)) / 1_000 };
	}
}

/** How a line is written; columns: those that it must fit into. */
type Words = Pick<Style, "columns" | "bar" | "moment">;

/** A pause of fewer milliseconds is not shown: the line would flicker. */
const shortPause = 2_000;

/** The line of a run, which is asked for a few times a second, whatever the number of rows. */
export class Progress {
	readonly #pace = new Pace();
	#pausedUntil = 0;

	/**
	 * @param signal aborted once the run is to stop
	 * @param stopAfter most rows of this run
	 */
	constructor(
		private readonly tally: Tally,
		private readonly signal: Pick<AbortSignal, "aborted">,
		private readonly stopAfter = Infinity,
	) {}

	/** Notes that the service is busy, so that nothing is sent until then. @param now, until monotonic milliseconds */
	pause(now: number, until: number): void {
		if (until - now >= shortPause) this.#pausedUntil = Math.max(this.#pausedUntil, until);
	}

	/** `[####------] 12 400 of 50 000 rows · 310 a second · 2 min left · 2 in doubt · 8 refused`. @param now monotonic milliseconds */
	line(now: number, style: Words): string {
		const { done, count, inDoubt, refused, waiting } = this.tally;
		return lineOf({ done, count, inDoubt, refused, waiting, ...this.#pacing(now) }, style);
	}

	#pacing(now: number): Pick<Line, "note" | keyof Speed> {
		const { tally } = this;
		if (this.signal.aborted) return { note: "stopping once all answers are here" };
		const paused = this.#pausedUntil - now;
		if (paused <= 0) return this.#pace.look(now, tally.done, Math.min(tally.toSend, this.stopAfter) - tally.sent);
		this.#pace.restart();
		return { note: `service busy: paused ${Math.ceil(paused / 1_000)} s` };
	}
}

/** What a look adds to a batch that is watched. */
export interface Watched extends Speed {
	/** Rows sent, whatever became of them. */
	done: number;
}

/** Looks at a batch that another process may be sending. @param now monotonic milliseconds */
export function watched(pace: Pace, { counts, sending }: Pick<BatchRecord, "counts" | "sending">, now: number): Watched {
	const done = rowsIn(counts, "accepted", "waiting", "refused", "in-doubt");
	if (sending) return { done, ...pace.look(now, done, rowsIn(counts, ...unsent)) };
	pace.restart();
	return { done };
}

const unsent = ["planned", "not-sent", "not-created", "sending"] as const;

/** What decides whether a batch goes on. */
type Going = Pick<BatchRecord, "state" | "counts" | "sending" | "paused"> & { earlierSandbox?: true };

/** Whether a batch will send nothing more, so that there is nothing more to watch. */
export function isOver({ state, counts, sending, earlierSandbox }: Going): boolean {
	if (sending) return false;
	return earlierSandbox === true || state === "abandoned" || (state === "begun" && rowsIn(counts, ...unsent) === 0);
}

/** The line of a batch that is watched; the rows by outcome stand below it. */
export function watchedLine({ plan, progress, ...record }: BatchRecord & Going & { progress: Watched }, style: Words): string {
	return lineOf({ ...progress, count: plan.count, note: noteOf(record, style) }, style);
}

function noteOf(record: Going, style: Words): string | undefined {
	if (isOver(record)) return undefined;
	if (!record.sending) return record.state === "begun" ? "no process is sending it now" : "not started yet";
	return record.paused && `paused until ${style.moment(record.paused.until)}`;
}

/** What a line shows. */
interface Line extends Speed {
	done: number;
	count: number;
	/** Why it does not go on. */
	note?: string;
	inDoubt?: number;
	refused?: number;
	waiting?: number;
}

/** One line of a terminal: where there is no room, first the bar is left out, then the rate, then the time. */
function lineOf({ done, count, note, perSecond, secondsLeft, inDoubt, refused, waiting }: Line, style: Words): string {
	const some = (rows: number | undefined, word: string) => (rows ? `${groupDigits(rows)} ${word}` : undefined);
	const rows = `${groupDigits(done)} of ${groupDigits(count)} ${count === 1 ? "row" : "rows"}`;
	const bar = style.bar(done / count, style.columns >= 100 ? 20 : 10);
	const rate = perSecond === undefined ? undefined : rateText(perSecond);
	const left = secondsLeft === undefined ? undefined : leftText(secondsLeft);
	const counts = [note, some(inDoubt, "in doubt"), some(refused, "refused"), some(waiting, "waiting")];
	const first = bar === "" ? rows : `${bar} ${rows}`;
	const forms = [[first, rate, left], [rows, rate, left], [rows, left], [rows]].map((begin) =>
		[...begin, ...counts].filter((part) => part !== undefined).join(" · "),
	);
	return forms.find((line) => line.length <= style.columns) ?? (forms.at(-1) as string).slice(0, style.columns);
}

/** `Paused for 2 min, until 2026-03-01T10:02:00.000Z: the service answered 429 (too many requests)`. @param length milliseconds */
export function pausedText({ until, why }: BatchPause, length: number): string {
	const seconds = Math.ceil(length / 1_000);
	return `Paused for ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}, until ${until}: ${why}`;
}

/** Milliseconds that the rate is measured over. */
const measured = 60_000;
/** No rate before so many milliseconds, and none from fewer rows. */
const [earliest, fewest] = [3_000, 3];

/** What the looks say at one moment; nothing without enough evidence. */
export interface Speed {
	/** Rows per second. */
	perSecond?: number;
	/** Estimated seconds until the last row is sent. */
	secondsLeft?: number;
}

export class Pace {
	#looks: { at: number; done: number }[] = [];

	/**
	 * Notes how far the batch is.
	 * @param at monotonic milliseconds
	 * @param done rows sent so far
	 * @param left rows still to be sent
	 */
	look(at: number, done: number, left: number): Speed {
		this.#looks.push({ at, done });
		while (this.#looks.length > 2 && at - (this.#looks[1]?.at ?? at) >= measured) this.#looks.shift();
		const [first = { at, done }] = this.#looks;
		const [time, rows] = [at - first.at, done - first.done];
		if (time < earliest || rows < fewest) return {};
		const perSecond = (rows * 1_000) / time;
		return { perSecond, secondsLeft: left / perSecond };
	}

	/** Forgets all looks: after a pause, the next one is the first. */
	restart(): void {
		this.#looks = [];
	}
}

/** `310 a second`, `42 a minute`, `9 an hour`: two digits are enough, and change less often. */
export function rateText(perSecond: number): string {
	const [count, unit] =
		perSecond >= 0.95 ? [perSecond, "a second"] : perSecond * 60 >= 0.95 ? [perSecond * 60, "a minute"] : [perSecond * 3_600, "an hour"];
	const whole = Math.max(1, Math.round(count));
	const step = 10 ** Math.max(0, Math.floor(Math.log10(whole)) - 1);
	return `${groupDigits(Math.round(whole / step) * step)} ${unit}`;
}

/** `35 s left`, `2 min left`, `3 h left`. */
export function leftText(seconds: number): string {
	if (seconds <= 60) return `${Math.max(1, Math.ceil(seconds / 5)) * 5} s left`;
	if (seconds < 5_400) return `${Math.round(seconds / 60)} min left`;
	return `${Math.round(seconds / 3_600)} h left`;
}
