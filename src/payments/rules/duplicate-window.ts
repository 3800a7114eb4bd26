/**
 * Decides whether a payment was made recently, even if a clock is wrong. Pure.
 */

import type { IntentRecord } from "../../ports/intent.js";
import type { RuleFacts } from "../../ports/journal.js";

type Attempt = Pick<IntentRecord, "begun" | "skew">;

/**
 * Whether an attempt counts as made within the last `within` milliseconds. Both moments are compared by the service's clock if it is
 * known for them. If the service's present time is not known, time counts as having passed only up to the highest service time ever seen.
 */
export function isInDuplicateWindow(
	{ begun, skew }: Attempt,
	{ now, service, highest }: Pick<RuleFacts, "now" | "service" | "highest">,
	within: number,
): boolean {
	// The window is switched off, so the clocks do not matter.
	if (within === 0) return false;
	const own = now.getTime();
	const present = service?.getTime() ?? Math.min(own, highest?.getTime() ?? own);
	// Older records do not have the clock's error. Using the earlier present time keeps them in the window for longer, which is safe.
	return Date.parse(begun) + (skew ?? 0) >= (skew === undefined ? Math.min(own, present) : present) - within;
}
