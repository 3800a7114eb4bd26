/**
 * Whether the highest time of the service that is kept is one that the events allow: set back, it would let an expired plan be sent.
 */

import type { Findings } from "../intents/steps.js";
import { shiftedBy } from "../sqlite/service-time.js";
import type { Storage } from "../sqlite/storage.js";

/** It may be later than any event tells, for what was refused has no event; it may not be earlier. */
export function serviceTimeFaults(storage: Storage, findings: Findings): void {
	const dropped = storage
		.prepare("SELECT seq, content->>'$.service' AS service FROM event WHERE kind = 'clock' ORDER BY seq DESC LIMIT 1")
		.get();
	const told = storage
		.prepare(
			`SELECT max(${shiftedBy("at", "content->>'$.skew'")}) AS latest FROM event
			WHERE seq > ? AND kind IN ('begun', 'moved', 'begun-batch') AND content->>'$.skew' IS NOT NULL`,
		)
		.get(Number(dropped?.seq ?? 0))?.latest;
	const least = [dropped?.service, told]
		.filter((time) => typeof time === "string")
		.sort()
		.at(-1);
	const kept = storage.prepare("SELECT value FROM meta WHERE key = 'service-time'").get()?.value;
	if (least !== undefined && !(typeof kept === "string" && kept >= least))
		findings.add(`the highest time of the service is kept as ${kept ?? "nothing"}, but its events say ${least}`);
}
