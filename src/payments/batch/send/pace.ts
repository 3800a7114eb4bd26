/**
 * How fast a batch goes now and when it will be sent, from looks at how far it is. Pure: every moment is given.
 */
import { groupDigits } from "../../../api/amount.js";

/** Milliseconds that the rate is measured over; more where fewer rows than `measured` were sent in them, up to `longest`. */
const [usual, longest] = [20_000, 300_000];
const measured = 10;
/** No rate before so many milliseconds, and none from fewer rows. */
const [earliest, fewest] = [3_000, 3];
/** The end that was told stays unless a new estimate differs by this part of the rest, and by so many milliseconds. */
const [tolerance, slack] = [0.15, 2_000];
/** Milliseconds without a new row after which the rate no longer holds, or so many times the usual distance between two rows. */
const [stillAfter, stillRows] = [10_000, 5];
/** Milliseconds that a service may take for a row, where there is no rate yet to say what is usual. */
const slowest = 60_000;

interface Look {
	/** Monotonic milliseconds. */
	at: number;
	/** Rows. */
	done: number;
}

/** What the looks say at one moment. */
export interface Speed {
	/** Rows per second. Absent without enough evidence, and while no rows come. */
	perSecond?: number;
	/** Estimated seconds until the last row is sent. Absent as above. */
	secondsLeft?: number;
	/** Seconds since a row was last sent, once that is unusually long. */
	unchangedFor?: number;
}

export class Pace {
	#looks: Look[] = [];
	/** When the last row will be sent, as it was told. */
	#end: number | undefined;
	/** When the number of rows last changed, and whether that is unusually long ago. */
	#changed = 0;
	#isStill = false;

	/**
	 * Notes how far the batch is.
	 * @param at monotonic milliseconds
	 * @param done rows sent so far
	 * @param left rows still to be sent
	 */
	look(at: number, done: number, left: number): Speed {
		if (this.#looks.at(-1)?.done !== done) {
			// After a standstill it is measured anew: with it, the rate would be too low for as long as it is in view.
			if (this.#isStill && (this.#rows >= fewest || at - this.#changed >= slowest)) this.#looks = [];
			this.#changed = at;
		}
		this.#looks.push({ at, done });
		this.#forget(at, done);
		const perSecond = this.#perSecond;
		const since = at - this.#changed;
		this.#isStill = since >= Math.max(stillAfter, perSecond === undefined ? 0 : (stillRows * 1_000) / perSecond);
		this.#end = perSecond === undefined || this.#isStill ? undefined : this.#steady(at, at + (left / perSecond) * 1_000);
		if (this.#isStill) return { unchangedFor: Math.floor(since / 1_000) };
		return this.#end === undefined ? {} : { perSecond, secondsLeft: Math.max(0, this.#end - at) / 1_000 };
	}

	/** Forgets all looks: after a pause, the next one is the first. */
	restart(): void {
		this.#looks = [];
		this.#end = undefined;
		this.#isStill = false;
	}

	/** Keeps the looks of the last seconds, and one older. */
	#forget(at: number, done: number): void {
		const isEnough = (second: Look): boolean => at - second.at >= longest || (at - second.at >= usual && done - second.done >= measured);
		while (this.#looks.length > 2 && isEnough(this.#looks[1] as Look)) this.#looks.shift();
	}

	/** Rows sent between the first look that is kept and the last. */
	get #rows(): number {
		return (this.#looks.at(-1)?.done ?? 0) - (this.#looks[0]?.done ?? 0);
	}

	get #perSecond(): number | undefined {
		const time = (this.#looks.at(-1)?.at ?? 0) - (this.#looks[0]?.at ?? 0);
		return time < earliest || this.#rows < fewest ? undefined : (this.#rows * 1_000) / time;
	}

	/** The end that was told, for as long as it is about right: an estimate that changes with every look cannot be read. */
	#steady(at: number, end: number): number {
		const told = this.#end;
		return told !== undefined && Math.abs(end - told) <= tolerance * (end - at) + slack ? told : end;
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
