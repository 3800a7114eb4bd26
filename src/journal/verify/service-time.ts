/**
 * Verifies the stored highest service time against the events: set back, it would allow an expired plan to be sent.
 */

import type { Storage } from "../../sqlite/storage.js";
import type { Findings } from "../intents/steps.js";
import { shiftedBy } from "../sqlite/service-time.js";

/** It may be later than all events, because refused steps have no event; it must not be earlier. */
export function serviceTimeFaults(storage: Storage, findings: Findings): void {
	const dropped = storage
		.prepare("SELECT seq, content->>'$.service' AS service FROM event WHERE kind = 'clock' ORDER BY seq DESC LIMIT 1")
		.get();
	const highestRecorded = storage
		.prepare(
			`SELECT max(${shiftedBy("at", "content->>'$.skew'")}) AS latest FROM event
			WHERE seq > ? AND kind IN ('begun', 'moved', 'begun-batch') AND content->>'$.skew' IS NOT NULL`,
		)
		.get(Number(dropped?.seq ?? 0))?.latest;
	const least = [dropped?.service, highestRecorded]
		.filter((time) => typeof time === "string")
		.sort()
		.at(-1);
	const stored = storage.prepare("SELECT value FROM meta WHERE key = 'service-time'").get()?.value;
	if (least !== undefined && !(typeof stored === "string" && stored >= least))
		findings.add(`the highest time of the service is kept as ${stored ?? "nothing"}, but its events say ${least}`);
}
