/**
 * Converts events back into the steps they record, for replay.
 */
import { plainId } from "../../api/text/ids.js";
import type { JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";

/** The faults that a check found, up to a readable number. */
export interface Findings {
	faults: string[];
	add(fault: string): void;
}

/** The id assigned by a step, as it was given. */
export function idGivenBy(step: JournalStep): string | undefined {
	const result = step.kind === "ended" ? step.outcome : step.kind === "settled" ? step.settlement : undefined;
	return result?.state === "accepted" ? result.id : undefined;
}

/**
 * The id that an intent holds after a step.
 * @param before the id that it held before
 * @throws RangeError if the step takes an id that the intent did not hold
 */
export function idAfter(step: JournalStep, before: string | undefined): string | undefined {
	if (step.kind === "reopened") {
		if (before === step.id) return undefined;
		throw new RangeError(`the id ${step.id ?? "none"} taken from one that holds ${before ?? "none"}`);
	}
	const given = idGivenBy(step);
	return given === undefined ? before : plainId(given);
}

/** The step that an event records. */
export function stepOf(kind: string, content: Record<string, unknown>): JournalStep {
	switch (kind) {
		case "ended":
			return { kind, outcome: content.outcome as JournalOutcome };
		case "settled":
			return { kind, settlement: content.settlement as Settlement };
		case "looked":
			return { kind, check: content.check as never };
		case "reopened":
			return { kind, reason: String(content.reason), id: content.id === undefined ? undefined : String(content.id) };
		case "begun":
		case "died":
		case "abandoned":
		case "resent":
			return { kind };
		default:
			throw new RangeError(`an event of the kind ${JSON.stringify(kind)}`);
	}
}
