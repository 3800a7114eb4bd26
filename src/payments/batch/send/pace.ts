/**
 * How fast a batch goes now and how long it will take, from looks at how far it is. Pure: every moment is given.
 */
import { groupDigits } from "../../../api/amount.js";

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
