/**
 * Stored intents and events in the form of the port, and what a step makes of an intent.
 */

import { plainId } from "../../api/text/ids.js";
import type { IntentRecord, IntentResult, IntentState, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";
import type { JournalEvent, Rules } from "../../ports/journal.js";
import type { SqlRow } from "../../sqlite/storage.js";
import type { Senders } from "../tables/connection.js";
import type { StoredIntent } from "../tables/tables.js";

/** Why an attempt is in doubt if its process died. */
export const diedReason =
	"purser ended after it had written this down and before an answer was recorded (killed, crashed, or the power failed)";

/** The stored form of an outcome. */
export function resultOf(outcome: JournalOutcome): IntentResult {
	const { skew } = outcome;
	switch (outcome.state) {
		case "accepted":
			return { status: outcome.status, validUntil: outcome.validUntil, skew };
		case "refused":
			return { status: outcome.status, apiCode: outcome.apiCode, skew };
		case "in-doubt":
			return { status: outcome.status, why: outcome.reason, skew };
		case "not-sent":
			return { why: outcome.reason, skew };
	}
}

/** The outcome of an attempt, which is a doubt if another transfer holds the id that the service gave. */
export function unlessIdIsHeld(outcome: JournalOutcome, holder: number | string | undefined): JournalOutcome {
	if (holder === undefined || outcome.state !== "accepted") return outcome;
	const { status, id, skew } = outcome;
	return { state: "in-doubt", status, reason: `the service gave the id ${id}, which transfer ${holder} holds`, skew };
}

/** The id that the service gave, as it is compared. */
export const idIn = (result: JournalOutcome | Settlement): string | undefined =>
	result.state === "accepted" && result.id !== undefined ? plainId(result.id) : undefined;

/**
 * An intent after a step other than a new attempt: what is stored of it, and what verification replays.
 * @throws RangeError or the rules' error, where the step does not follow
 */
export function intentAfter(
	{ next }: Pick<Rules, "next">,
	stored: Omit<StoredIntent, "state"> & { state?: IntentState },
	step: JournalStep,
	at: string,
): StoredIntent {
	const { batch, createdId, result } = stored;
	const after = { ...stored, state: next(stored.state, step), changed: at };
	switch (step.kind) {
		case "ended": {
			// A row's skew is that of its beginning.
			const own = batch === undefined ? {} : { skew: result.skew };
			return { ...after, createdId: idIn(step.outcome) ?? createdId, result: { ...resultOf(step.outcome), ...own } };
		}
		case "settled":
			return { ...after, createdId: idIn(step.settlement) ?? createdId, result: { ...result, evidence: step.settlement.evidence } };
		case "died":
			return { ...after, result: { ...result, why: diedReason } };
		case "reopened": {
			if (createdId !== step.id) throw new RangeError(`the id ${step.id ?? "none"} taken from one that holds ${createdId ?? "none"}`);
			// The evidence was for what is not decided any more.
			const { evidence: _, formerIds = [], ...rest } = result;
			const why = `it was opened again: ${step.reason}`;
			return { ...after, createdId: undefined, result: { ...rest, why, formerIds: [...formerIds, ...(createdId ? [createdId] : [])] } };
		}
		case "checked":
			return { ...after, changed: stored.changed };
		default:
			return after;
	}
}

/** The senders of these intents that are alive; only an intent that is being sent needs one. */
export async function livingOf(stored: readonly StoredIntent[], senders: Pick<Senders, "living">): Promise<ReadonlySet<string>> {
	const names = new Set(stored.flatMap(({ state, sender }) => (state === "sending" && sender !== undefined ? [sender] : [])));
	return names.size === 0 ? names : senders.living(names);
}

/** As {@link recordOf}, of all of them. */
export async function recordsOf(stored: readonly StoredIntent[], senders: Pick<Senders, "living">): Promise<IntentRecord[]> {
	const alive = await livingOf(stored, senders);
	return stored.map((one) => recordOf(one, alive));
}

/** An intent stored as being sent is in doubt if its sender is dead. @param alive the senders that are alive, see {@link livingOf} */
export function recordOf(stored: StoredIntent, alive: ReadonlySet<string>): IntentRecord {
	const { number, state, attempt, begun, changed, sender, fingerprint, createdId, intent, result, batch, row, carried } = stored;
	const senderDied = state === "sending" && !(sender !== undefined && alive.has(sender));
	return {
		intent: String(number),
		state: senderDied ? "in-doubt" : state,
		...intent,
		...result,
		id: createdId,
		why: senderDied ? diedReason : result.why,
		skew: intent.skew ?? result.skew,
		attempt,
		begun,
		changed,
		carried,
		fingerprint,
		row,
		batch: batch === undefined ? undefined : String(batch),
	};
}

/** An event from its row. */
export function eventOf(row: SqlRow): JournalEvent {
	return {
		seq: Number(row.seq),
		at: String(row.at),
		intent: row.intent === null || row.intent === undefined ? undefined : String(row.intent),
		kind: String(row.kind),
		content: JSON.parse(String(row.content)) as Record<string, unknown>,
		hash: String(row.hash),
	};
}

/** Parses an intent's number; undefined if it is none. */
export function numberOf(intent: string): number | undefined {
	return /^[1-9]\d{0,14}$/.test(intent) ? Number(intent) : undefined;
}
