/**
 * The doubts that are to be settled: all, one with those that cannot be told apart from it, or those of a batch.
 */
import { advice, purser } from "../../../api/advice.js";
import { PurserError } from "../../../errors.js";
import type { IntentRecord, IntentState } from "../../../ports/intent.js";
import type { Journal } from "../../../ports/journal.js";

/** Which doubts are meant; all without either. */
export interface Which {
	/** One intent, and those alike. */
	intent?: string;
	/** The rows of one batch, and those alike. */
	batch?: string;
}

/** A payment in doubt. */
export type Open = IntentRecord & { transfer: NonNullable<IntentRecord["transfer"]>; fingerprint: string };

/** Whether it moves money, and so can be told from a list of transactions. */
export function isTransfer(record: IntentRecord): record is Open {
	return record.transfer !== undefined && record.fingerprint !== undefined;
}

/** Settled with an id: which of those alike it is, nobody can tell. One answered by the service itself is sure. */
export function isCounted(record: IntentRecord): record is IntentRecord & { id: string } {
	return record.id !== undefined && record.evidence !== undefined;
}

/** @throws PurserError usage or guard, where the named intent is not there, is no payment, or is not in doubt */
export async function openDoubts(journal: Journal, { intent, batch }: Which): Promise<Open[]> {
	if (intent === undefined) return (await journal.list({ states: ["in-doubt"], effect: "money", batch })).filter(isTransfer);
	const record = await oneDoubt(journal, intent);
	if (!isTransfer(record)) throw noPayment(record);
	return (await journal.list({ states: ["in-doubt"], fingerprint: record.fingerprint })).filter(isTransfer);
}

/**
 * @param also other states in which it may be
 * @throws PurserError usage, where it is not there; guard, where it is not in doubt
 */
export async function oneDoubt(journal: Journal, intent: string, also: readonly IntentState[] = []): Promise<IntentRecord> {
	const shown = await journal.show(intent);
	if (shown === undefined)
		throw new PurserError("usage", {
			code: "INTENT_UNKNOWN",
			message: `There is no intent ${JSON.stringify(intent)} in this profile's journal`,
			fix: advice`See which are in doubt: ${purser`pay doubts`}`,
		});
	if (shown.record.state === "in-doubt" || also.includes(shown.record.state)) return shown.record;
	throw new PurserError("guard", {
		code: "NOT_IN_DOUBT",
		message: `Intent ${intent} is ${shown.record.state}, not in doubt; nothing was changed`,
		fix: advice`See what is known of it: ${purser`history show ${intent}`}`,
		intent,
	});
}

/** That no list settles it, since it moves no money. */
export function noPayment({ intent, operation }: IntentRecord): PurserError {
	return new PurserError("usage", {
		code: "NOT_A_PAYMENT",
		message: `Intent ${intent} is no payment (${operation}), so no list of transactions settles it`,
		fix: advice`Look whether it was made, then say so: ${purser`pay settle ${intent} --created --reason TEXT`}, or --not-created --reason TEXT`,
		intent,
	});
}

/** Whether a payment is debited from this ledger. */
export const isOfLedger = (ledgerId: string, { transfer }: Pick<Open, "transfer">): boolean =>
	transfer.ledgerFromId.toLowerCase() === ledgerId.toLowerCase();
