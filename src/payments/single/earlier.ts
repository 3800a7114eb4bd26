/**
 * What the service's own list says about earlier payments from a ledger: the likely duplicate, and the first payment to somebody.
 */

import { sameId } from "../../api/answer.js";
import type { BeneficiaryView } from "../../api/operations/beneficiary.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { sameAmount } from "../rules/decimal.js";

/** The latest transactions that a ledger is concerned in, newest first. */
export interface Earlier {
	transactions: readonly TransactionView[];
	/** False where the list was cut short: then absence proves nothing. */
	complete: boolean;
}

/** Statuses after which the money is not with the payee. */
const undone = new Set(["DECLINED", "ABORTED", "RELEASED", "REVERSED"]);

/** The earlier transactions of the same ledger to the same counterparty, failed ones left out. */
function toSame(transfer: Transfer, payee: BeneficiaryView | undefined, earlier: Earlier): TransactionView[] {
	return earlier.transactions.filter((one) => {
		if (one.status !== undefined && undone.has(one.status)) return false;
		if (one.senderLedgerId !== undefined && !sameId(one.senderLedgerId, transfer.ledgerFromId)) return false;
		if (transfer.kind === "ledger") return sameId(one.receiverLedgerId, transfer.counterpartyId);
		if (one.beneficiaryId !== undefined) return sameId(one.beneficiaryId, transfer.counterpartyId);
		// A deployment that does not tell the beneficiary is matched by the account hosted here, or by name.
		if (payee?.hostedLedgerId !== undefined && sameId(one.receiverLedgerId, payee.hostedLedgerId)) return true;
		return payee?.name !== undefined && one.receiverName === payee.name;
	});
}

/**
 * Transactions that look like this transfer: same ledgers or beneficiary, same amount, not failed, created within `days` before `now`.
 * One without a readable time counts: better one warning too many.
 */
export function likelyDuplicates(
	transfer: Transfer,
	payee: BeneficiaryView | undefined,
	earlier: Earlier,
	days: number,
	now: Date,
): TransactionView[] {
	const since = now.getTime() - days * 86_400_000;
	return toSame(transfer, payee, earlier).filter((one) => {
		const created = Date.parse(one.createdAt ?? "");
		return !(created < since) && one.amount !== undefined && sameAmount(one.amount, transfer.amount);
	});
}

/** Whether the counterparty was ever paid from this ledger; `unknown` where the list is cut short and does not show it. */
export function paidBefore(transfer: Transfer, payee: BeneficiaryView | undefined, earlier: Earlier): "yes" | "never" | "unknown" {
	if (toSame(transfer, payee, earlier).length > 0) return "yes";
	return earlier.complete ? "never" : "unknown";
}
