/** What makes two payments look the same, whether the earlier one was made recently, and as what. Pure. */

import { sha256OfParts } from "../../api/digest.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { IntentRecord, JournalIntent } from "../../ports/intent.js";
import type { RuleFacts } from "../../ports/journal.js";
import { canonicalAmount } from "./decimal.js";

type Attempt = Pick<IntentRecord, "begun" | "skew">;

/**
 * Whether an attempt counts as made within the last `within` milliseconds, by either clock: one that is wrong, or was set, makes no payment
 * old. Where this machine's clock was ahead then, it says nothing of that. If the service's present time is not known, its time counts as having passed only up to the highest ever seen.
 */
export function isInDuplicateWindow(
	{ begun, skew }: Attempt,
	{ now, service, highest }: Pick<RuleFacts, "now" | "service" | "highest">,
	within: number,
): boolean {
	// The window is switched off, so the clocks do not matter.
	if (within === 0) return false;
	const own = now.getTime();
	const present = service?.getTime() ?? Math.min(own, highest?.getTime() ?? own);
	const recorded = Date.parse(begun);
	return (recorded >= own - within && recorded <= own) || recorded + (skew ?? 0) >= present - within;
}

export interface EarlierPayment {
	id?: string;
	intent?: string;
	/** RFC 3339. */
	at?: string;
	otherReference?: boolean;
	/** In a team's journal: who paid it, and on which machine. */
	by?: string;
}

/** Who asked, and in a team on which machine. */
export const askedBy = ({ operator, machine }: Pick<IntentRecord, "operator" | "machine">): string | undefined =>
	machine === undefined ? operator : `${operator ?? "somebody"} on ${machine}`;

/** A payment that is on record. */
export const earlierPayment = (one: RuleFacts["duplicates"][number]): EarlierPayment => ({
	intent: one.intent,
	id: one.id,
	at: one.begun,
	by: one.machine && askedBy(one),
});

/** The latest of these payments: when it was paid, and as what. @param found newest first */
export function alreadyPaid([latest, ...more]: readonly EarlierPayment[]): { at?: string; as: string } | undefined {
	if (latest === undefined) return undefined;
	const { at, intent, id, otherReference, by } = latest;
	const names = [id && `transaction ${id}`, intent && `intent ${intent}`].filter(Boolean).join(", ") || "a payment without an id";
	return {
		at,
		as: `${names}${by ? `, by ${by}` : ""}${otherReference ? ", with another reference" : ""}${more.length === 0 ? "" : `, and ${more.length} more`}`,
	};
}

/**
 * Identical for all transfers that the service's records cannot distinguish: debited ledger, counterparty, amount and reference.
 * SHA-256, hex. `10.1` and `10.10` are the same amount.
 */
export function fingerprintOf(transfer: Transfer): string {
	const { ledgerFromId, counterpartyId, amount } = transfer;
	return sha256OfParts([
		"transfer",
		plainId(ledgerFromId),
		plainId(counterpartyId),
		canonicalAmount(amount),
		comparable(transfer.reference),
	]);
}

/** The fingerprint of a transfer or a creation; undefined for a change that is harmless when repeated. */
export function fingerprintOfIntent(intent: JournalIntent): string | undefined {
	if (intent.transfer) return fingerprintOf(intent.transfer);
	if (!intent.creates) return undefined;
	return sha256OfParts([
		"creation",
		intent.operation,
		intent.origin,
		intent.path,
		intent.externalId === undefined ? "digest" : "external",
		intent.externalId ?? intent.digest ?? "",
	]);
}

/** Normalizes a reference, ours or one from the service, for comparison. */
export function comparable(reference: string | undefined): string {
	return (reference ?? "").normalize("NFC").replace(/\s+/g, " ").trim();
}
