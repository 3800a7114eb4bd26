/**
 * Whether a payment was made lately, although a clock may be wrong. Pure.
 */

import type { IntentRecord } from "../../ports/intent.js";
import type { RuleFacts } from "../../ports/journal.js";

type Attempt = Pick<IntentRecord, "begun" | "skew">;

/**
 * Whether an attempt counts as made within so many milliseconds. By the service's clock for both moments, where they are known by it; where
 * it is not known what time it is now, nothing after the highest time of the service that was seen is believed to have passed.
 */
export function isInDuplicateWindow(
	{ begun, skew }: Attempt,
	{ now, service, highest }: Pick<RuleFacts, "now" | "service" | "highest">,
	within: number,
): boolean {
	// Held back for no time at all: the clocks do not matter.
	if (within === 0) return false;
	const own = now.getTime();
	const present = service?.getTime() ?? Math.min(own, highest?.getTime() ?? own);
	// Of an older record nobody knows how wrong the clock was: the earlier of the two times counts, so that it counts for longer.
	return Date.parse(begun) + (skew ?? 0) >= (skew === undefined ? Math.min(own, present) : present) - within;
}
