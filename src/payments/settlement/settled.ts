/**
 * The answers of a run of settling: verdicts on doubts, and payments whose id was corrected.
 */
import { plainId } from "../../api/text/ids.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Correction } from "./correct.js";
import type { Verdict } from "./counting.js";
import type { AssignedId } from "./naming.js";
import type { SettleResult } from "./settle.js";

/** A verdict with the payment that it is about. */
export function settleResult({ operation, begun, transfer, batch, row }: IntentRecord, verdict: Verdict): SettleResult {
	return { ...verdict, operation, begun, transfer, batch, row };
}

/** A payment whose own id was found after a mistaken one was taken away. */
export function assignedIdResult({ record, id, evidence }: AssignedId): SettleResult {
	return settleResult(record, { intent: record.intent, state: "accepted", id, evidence });
}

/** A payment that lost a mistaken id. */
export function correctedIdResult({ holder, id, reason }: Correction): SettleResult {
	return withoutIdResult({ ...holder, mistaken: { id: plainId(id), reason } });
}

/** A payment without an id since a mistaken one was taken away. */
export function withoutIdResult(record: IntentRecord): SettleResult {
	const { intent, mistaken } = record;
	const verdict = { intent, state: "accepted", evidence: { source: "transaction", reason: mistaken?.reason } };
	// The cast is needed because an accepted verdict normally has an id.
	return { ...settleResult(record, verdict as Verdict), mistaken };
}
