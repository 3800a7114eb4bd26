/**
 * A transaction as it is fetched and listed: the documented fields, and what a fault makes of them.
 */
import type { LedgerTransaction } from "../state.js";
import { decimalOf } from "./ledgers.js";

/** What a fault changes in how transactions are shown. */
export interface TransactionForm {
	/** The receiver has the beneficiary's id, which is not documented. */
	payeeIds: boolean;
	/** Neither side has a ledger's id. */
	namesOnly: boolean;
	/** The reference as the rails brought it; undefined: lost. */
	reference(sent: string): string | undefined;
}

export function transactionRecord(transaction: LedgerTransaction, form: TransactionForm): unknown {
	const { amount, currency, declineReason, clearedAt, fromLedgerId, toLedgerId, beneficiaryId } = transaction;
	const reference = transaction.reference === undefined ? undefined : form.reference(transaction.reference);
	const ledger = (id: string | undefined) => (id === undefined || form.namesOnly ? {} : { ledgerId: id });
	return {
		id: transaction.id,
		type: transaction.type,
		paymentType: transaction.paymentType,
		status: transaction.status,
		creationDate: transaction.createdAt,
		amount: decimalOf(amount, currency),
		currency,
		information: {
			...(reference === undefined ? {} : { reference }),
			...(declineReason ? { declineReason } : {}),
			...(clearedAt ? { clearingDate: clearedAt } : {}),
		},
		sender: { name: transaction.senderName, ...ledger(fromLedgerId) },
		receiver: {
			name: transaction.receiverName,
			...ledger(toLedgerId),
			...(beneficiaryId !== undefined && form.payeeIds ? { beneficiaryId } : {}),
		},
	};
}
