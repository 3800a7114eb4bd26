/**
 * Ledgers, beneficiaries and transactions as they are answered, and amounts between text and minor units.
 */
import { decimalsOf, fromMinor, toMinor, withoutEndZeros } from "../../api/amount.js";
import { Decimal } from "../../api/json.js";
import { invalidFields } from "../message.js";
import type { Beneficiary, Ledger, LedgerTransaction } from "../state.js";

const places = (currency: string): number => decimalsOf(currency) ?? 2;
/** Minor units as the number literal to answer with. */
const decimalOf = (minor: string, currency: string): Decimal => new Decimal(fromMinor(BigInt(minor), places(currency)));

/**
 * An amount in the currency's minor units.
 * @throws HttpError 400, where it has more decimals than the currency (ISO 4217)
 */
export function minorOf(typed: string, currency: string): bigint {
	if (withoutEndZeros(typed.split(".")[1] ?? "").length > places(currency))
		throw invalidFields({ field: "amount", rejectedValue: new Decimal(typed), message: `has more decimals than ${currency}` });
	return toMinor(typed, places(currency));
}

export function ledgerRecord({ total, reserved, iban, ...ledger }: Ledger): unknown {
	const { currency } = ledger;
	return {
		...ledger,
		totalAmount: decimalOf(total, currency),
		availableAmount: decimalOf((BigInt(total) - BigInt(reserved)).toString(), currency),
		reservedAmount: decimalOf(reserved, currency),
		iban,
	};
}

/** Without the rails that reach it, which the service does not show. */
export const beneficiaryRecord = ({ instant: _, ...beneficiary }: Beneficiary): unknown => beneficiary;

/** A transaction as it is fetched and listed: the documented fields and no other. */
export function transactionRecord(transaction: LedgerTransaction): unknown {
	const { id, type, paymentType, status, amount, currency, reference, declineReason, fromLedgerId, toLedgerId } = transaction;
	return {
		...{ id, type, paymentType, status },
		creationDate: transaction.createdAt,
		amount: decimalOf(amount, currency),
		currency,
		information: { reference, declineReason, clearingDate: transaction.clearedAt },
		sender: { name: transaction.senderName, ledgerId: fromLedgerId },
		receiver: { name: transaction.receiverName, ledgerId: toLedgerId },
	};
}
