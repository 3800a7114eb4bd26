import { sha256OfParts } from "../../api/digest.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { JournalIntent } from "../../ports/intent.js";
import { canonicalAmount } from "./decimal.js";

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
