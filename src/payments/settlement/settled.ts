/**
 * What a run of settling tells beside the doubts: payments whose id was corrected.
 */
import type { IntentRecord } from "../../ports/intent.js";
import type { Correction } from "./correct.js";
import type { Verdict } from "./counting.js";
import type { Named } from "./naming.js";
import type { Settled } from "./settle.js";

/** A verdict with what it is about. */
export function answerOf({ operation, begun, transfer, batch, row }: IntentRecord, verdict: Verdict): Settled {
	return { ...verdict, operation, begun, transfer, batch, row };
}

/** A payment whose own id was found after it had lost another's. */
export function namedId({ record, id, evidence }: Named): Settled {
	return answerOf(record, { intent: record.intent, state: "accepted", id, evidence });
}

/** A payment that lost the id of another one. */
export function correctedId({ holder, id, reason }: Correction): Settled {
	return stillUnnamed({ ...holder, mistaken: { id: id.toLowerCase(), reason } });
}

/** A payment that has no id since it lost another's. */
export function stillUnnamed(record: IntentRecord): Settled {
	const { intent, mistaken } = record;
	const verdict = { intent, state: "accepted", evidence: { source: "transaction", reason: mistaken?.reason } };
	// Of a verdict the type wants an id, which this one has not.
	return { ...answerOf(record, verdict as Verdict), mistaken };
}
