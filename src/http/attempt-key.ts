/**
 * The idempotency key of an attempt.
 */
import { sha256 } from "../api/digest.js";
import { canonicalJson } from "../api/json.js";
import type { Transfer } from "../api/operations/transfer.js";
import { plainId } from "../api/text/ids.js";

/** What a key is of: no two attempts have the same one. */
export interface KeyedAttempt {
	/** Of the journal. */
	installation: string;
	/** Its number. */
	intent: string;
	attempt: number;
	/** Part of it, so that a journal that was restored from a backup never gives the key of one payment to another. */
	transfer: Transfer;
}

/** A UUID of version 8 (RFC 9562, 5.8), the same whenever it is made again. */
export function attemptKey({ installation, intent, attempt, transfer }: KeyedAttempt): string {
	const { kind, ledgerFromId, counterpartyId, amount, reference } = transfer;
	const paid = { kind, from: plainId(ledgerFromId), to: plainId(counterpartyId), amount, reference };
	const hex = sha256(canonicalJson({ installation, intent, attempt, paid }));
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
