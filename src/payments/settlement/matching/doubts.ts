/**
 * Selects the doubts to settle: all, one with its duplicates, or those of a batch.
 */
import { advice, purser } from "../../../api/advice.js";
import { plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { IntentRecord, IntentState } from "../../../ports/intent.js";
import type { Journal, JournalFilter } from "../../../ports/journal.js";

/** Selects doubts; without either field, all. */
export interface DoubtFilter {
	/** One intent and its duplicates. */
	intent?: string;
	/** The rows of one batch and their duplicates. */
	batch?: string;
}

/** A payment in doubt. */
export type Open = IntentRecord & { transfer: NonNullable<IntentRecord["transfer"]>; fingerprint: string };

/** Whether an intent moves money, so that a list of transactions can show it. */
export function isTransfer(record: IntentRecord): record is Open {
	return record.transfer !== undefined && record.fingerprint !== undefined;
}

/** Whether the id comes from settling, so that it may be a duplicate's; an id from the service's own answer is certain. */
export function isCounted(record: IntentRecord): record is IntentRecord & { id: string } {
	return record.id !== undefined && record.evidence !== undefined;
}

/** The filter for a payment and its duplicates: of those at another sandbox it is none. */
export function alike({ fingerprint, sandbox }: Open): Pick<JournalFilter, "fingerprint" | "sandbox"> {
	return sandbox === undefined ? { fingerprint } : { fingerprint, sandbox };
}

/** @throws PurserError usage or guard, if the named intent does not exist, is no payment, or is not in doubt */
export async function openDoubts(journal: Journal, { intent, batch }: DoubtFilter): Promise<Open[]> {
	if (intent === undefined) return (await journal.list({ states: ["in-doubt"], effect: "money", batch })).filter(isTransfer);
	const record = await oneDoubt(journal, intent);
	if (!isTransfer(record)) throw notAPayment(record);
	return (await journal.list({ states: ["in-doubt"], ...alike(record) })).filter(isTransfer);
}

/**
 * @param accepted other states to accept
 * @throws PurserError usage, if there is no such intent; guard, if it is not in doubt
 */
export async function oneDoubt(journal: Journal, intent: string, accepted: readonly IntentState[] = []): Promise<IntentRecord> {
	const shown = await journal.show(intent);
	if (shown === undefined)
		throw new PurserError("usage", {
			code: "INTENT_UNKNOWN",
			message: `There is no intent ${JSON.stringify(intent)} in this profile's journal`,
			fix: advice`See which are in doubt: ${purser`pay doubts`}`,
		});
	if (shown.record.state === "in-doubt" || accepted.includes(shown.record.state)) return shown.record;
	throw new PurserError("guard", {
		code: "NOT_IN_DOUBT",
		message: `Intent ${intent} is ${shown.record.state}, not in doubt; nothing was changed`,
		fix: advice`See what is known of it: ${purser`history show ${intent}`}`,
		intent,
	});
}

/** The error that no list settles an intent that moves no money. */
export function notAPayment({ intent, operation }: IntentRecord): PurserError {
	return new PurserError("usage", {
		code: "NOT_A_PAYMENT",
		message: `Intent ${intent} is not a payment (${operation}), so no list of transactions can settle it`,
		fix: advice`Check whether it was created, then record it: ${purser`pay settle ${intent} --created --reason TEXT`}, or --not-created --reason TEXT`,
		intent,
	});
}

/** Whether a payment is debited from this ledger. */
export const isOfLedger = (ledgerId: string, { transfer }: Pick<Open, "transfer">): boolean =>
	plainId(transfer.ledgerFromId) === plainId(ledgerId);
