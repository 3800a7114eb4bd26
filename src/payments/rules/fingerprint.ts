import { sha256OfParts } from "../../api/digest.js";
import type { Transfer } from "../../api/operations/transfer.js";
import type { JournalIntent } from "../../ports/intent.js";
import { canonicalAmount } from "./decimal.js";
import { withoutToken } from "./token.js";

/**
 * The same for all transfers that cannot be told apart at the service: debited ledger, counterparty, amount, reference.
 * SHA-256, hex. `10.1` and `10.10` are one amount; a token folded into the reference is no part of it, or it would hide a
 * repetition from the very guard against it.
 */
export function fingerprintOf(transfer: Transfer): string {
	const { ledgerFromId, counterpartyId, amount } = transfer;
	return sha256OfParts([
		"transfer",
		ledgerFromId.toLowerCase(),
		counterpartyId.toLowerCase(),
		canonicalAmount(amount),
		withoutToken(comparable(transfer.reference)),
	]);
}

/** For transfers and for creations; undefined for a change that does no harm twice. */
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

/** Any reference, also one the service tells, in the form in which two are compared. */
export function comparable(reference: string | undefined): string {
	return (reference ?? "").normalize("NFC").replace(/\s+/g, " ").trim();
}
