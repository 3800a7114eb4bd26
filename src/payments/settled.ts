/**
 * What a run of settling tells beside the doubts: payments whose id was corrected.
 */
import type { IntentRecord } from "../ports/journal.js";
import type { Correction } from "./correct.js";
import type { Named } from "./naming.js";
import type { Settled } from "./settle.js";
import type { Verdict } from "./settling.js";

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
	const verdict = { intent: holder.intent, state: "accepted", evidence: { source: "transaction", reason } };
	// Of a verdict the type wants an id, which this one lost.
	return { ...answerOf(holder, verdict as Verdict), mistaken: { id: id.toLowerCase(), reason } };
}
