/**
 * How long a recorded attempt may leave. A machine that slept wakes in a world where others may have settled its payment and paid it again. Pure.
 */
import type { Clock, Moment } from "../ports/machine.js";

/** Milliseconds. */
const shelfLife = 60_000;

/** What both clocks show now. */
export const momentOf = (clock: Pick<Clock, "now" | "monotonic">): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });

/**
 * Why what was recorded at a moment may not leave any more; undefined if it may. The clock that shows more counts, because either may have
 * stood still meanwhile.
 */
export function tooOld(recorded: Moment, at: Moment): string | undefined {
	const passed = at.now.getTime() - recorded.now.getTime();
	if (passed < 0) return "the clock was set back between its record and its first byte";
	return Math.max(passed, at.monotonic - recorded.monotonic) > shelfLife
		? "more than a minute passed between its record and its first byte"
		: undefined;
}
