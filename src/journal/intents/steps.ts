/**
 * Converts events back into the steps they record, for replay.
 */
import { plainId } from "../../api/text/ids.js";
import type { Evidence, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";

/** The faults that a check found, up to a readable number. */
export interface Findings {
	faults: string[];
	add(fault: string): void;
}

/** The id assigned by a step, as it was given. */
export function idGivenBy(step: JournalStep): string | undefined {
	if (step.kind === "named") return step.id;
	const result = step.kind === "ended" ? step.outcome : step.kind === "settled" ? step.settlement : undefined;
	return result?.state === "accepted" ? result.id : undefined;
}

/**
 * The id that an intent holds after a step.
 * @param before the id that it held before
 * @throws RangeError if the step takes an id that the intent did not hold, or gives one to an intent that has one
 */
export function idAfter(step: JournalStep, before: string | undefined): string | undefined {
	const given = idGivenBy(step);
	if (step.kind !== "unnamed" && step.kind !== "named") return given === undefined ? before : plainId(given);
	if (before !== (step.kind === "unnamed" ? plainId(step.id) : undefined))
		throw new RangeError(`an id ${step.kind} of one that holds ${before ?? "none"}`);
	return given && plainId(given);
}

/** The step that an event records. */
export function stepOf(kind: string, content: Record<string, unknown>): JournalStep {
	switch (kind) {
		case "ended":
			return { kind, outcome: content.outcome as JournalOutcome };
		case "settled":
			return { kind, settlement: content.settlement as Settlement };
		case "looked":
			return { kind, look: content.look as never };
		case "unnamed":
		case "named":
			return { kind, id: String(content.id), evidence: content.evidence as Evidence };
		case "begun":
		case "died":
		case "abandoned":
			return { kind };
		default:
			throw new RangeError(`an event of the kind ${JSON.stringify(kind)}`);
	}
}
