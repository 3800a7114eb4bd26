/**
 * Finds likely duplicates and first payments to a payee in the service's own list of a ledger's earlier transactions.
 */

import { sameId } from "../../api/answer.js";
import type { BeneficiaryView } from "../../api/operations/beneficiary.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { sameAmount } from "../rules/decimal.js";
import type { EarlierPayment } from "../rules/likely-duplicate.js";

/** The latest transactions of a ledger, newest first. */
export interface EarlierTransactions {
	transactions: readonly TransactionView[];
	/** False if the list was cut short, so that absence proves nothing. */
	complete: boolean;
}

/** Final statuses in which the payee does not have the money. */
const unsuccessfulStatuses = new Set(["DECLINED", "ABORTED", "RELEASED", "REVERSED"]);

/** The earlier transactions from the same ledger to the same counterparty, except failed ones. */
function paymentsToSamePayee(transfer: Transfer, payee: BeneficiaryView | undefined, earlier: EarlierTransactions): TransactionView[] {
	return earlier.transactions.filter((one) => {
		if (one.status !== undefined && unsuccessfulStatuses.has(one.status)) return false;
		if (one.senderLedgerId !== undefined && !sameId(one.senderLedgerId, transfer.ledgerFromId)) return false;
		if (transfer.kind === "ledger") return sameId(one.receiverLedgerId, transfer.counterpartyId);
		if (one.beneficiaryId !== undefined) return sameId(one.beneficiaryId, transfer.counterpartyId);
		// If the deployment does not report the beneficiary, match by the hosted account or by name.
		if (payee?.hostedLedgerId !== undefined && sameId(one.receiverLedgerId, payee.hostedLedgerId)) return true;
		return payee?.name !== undefined && one.receiverName === payee.name;
	});
}

/**
 * Transactions that look like this transfer: same ledgers or beneficiary, same amount, not failed, created within `days` before `now`.
 * A transaction without a readable time is included: a needless warning is better than a missing one.
 */
export function likelyDuplicates(
	transfer: Transfer,
	payee: BeneficiaryView | undefined,
	earlier: EarlierTransactions,
	days: number,
	now: Date,
): TransactionView[] {
	const since = now.getTime() - days * 86_400_000;
	return paymentsToSamePayee(transfer, payee, earlier).filter((one) => {
		const created = Date.parse(one.createdAt ?? "");
		return !(created < since) && one.amount !== undefined && sameAmount(one.amount, transfer.amount);
	});
}

/** Whether the counterparty was ever paid from this ledger; `unknown` if an incomplete list does not show it. */
export function paidBefore(
	transfer: Transfer,
	payee: BeneficiaryView | undefined,
	earlier: EarlierTransactions,
): "yes" | "never" | "unknown" {
	if (paymentsToSamePayee(transfer, payee, earlier).length > 0) return "yes";
	return earlier.complete ? "never" : "unknown";
}

/** What the journal knows, and what only the service's list shows. */
export function joined(known: readonly EarlierPayment[], listed: readonly EarlierPayment[]): EarlierPayment[] {
	const ids = new Set(known.flatMap(({ id }) => plainId(id) ?? []));
	return [...known, ...listed.filter(({ id }) => id === undefined || !ids.has(plainId(id)))];
}
