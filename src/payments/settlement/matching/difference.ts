/**
 * Decides whether a transaction can belong to the payment that holds its id: the service may have answered with another payment's id. Only
 * fields that the record has count; missing ones prove nothing. Pure.
 */

import { sameId } from "../../../api/answer.js";
import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { comparable } from "../../rules/fingerprint.js";
import { tokenIn } from "../../rules/token.js";
import { hasOurToken, referenceOf, showsOtherAmount } from "./similarity.js";

/** How a record differs from the payment that holds its id. */
export interface Difference {
	/** The fields that differ, in display order. */
	fields: readonly ("ledger" | "payee" | "amount" | "reference")[];
	/**
	 * Whether only another payment explains the difference. A fee added to the amount, a reference rewritten by a rail, or swapped parties
	 * can each occur in a record of this very payment.
	 */
	surely: boolean;
}

/** @returns undefined if no field contradicts the payment */
export function differenceOf(transfer: Transfer, transaction: TransactionView): Difference | undefined {
	const ledger = isOther(transfer.ledgerFromId, transaction.senderLedgerId);
	const payee = isOther(transfer.counterpartyId, transfer.kind === "ledger" ? transaction.receiverLedgerId : transaction.beneficiaryId);
	const amount = isOtherAmount(transfer, transaction);
	const reference = !hasOurToken(transfer, transaction) && referenceOf(transfer, transaction) === "no";
	const fields = Object.entries({ ledger, payee, amount, reference }).flatMap(([name, differs]) => (differs ? [name] : []));
	if (fields.length === 0) return undefined;
	const swapped =
		sameId(transfer.counterpartyId, transaction.senderLedgerId) || sameId(transfer.ledgerFromId, transaction.receiverLedgerId);
	const surely = ((ledger || payee) && !swapped) || (amount && reference) || (reference && hasOtherToken(transfer, transaction));
	return { fields: fields as Difference["fields"][number][], surely };
}

/** `amount and reference differ` */
export function differenceText({ fields }: Difference): string {
	const [last, ...before] = [...fields].reverse();
	return `${before.length > 0 ? `${before.reverse().join(", ")} and ` : ""}${last} ${before.length > 0 ? "differ" : "differs"}`;
}

const isOther = (ours: string, theirs: string | undefined): boolean => theirs !== undefined && !sameId(ours, theirs);

/**
 * A different amount in another currency may be the same money. For a beneficiary amounts are compared only if both currencies are known.
 */
function isOtherAmount(transfer: Transfer, transaction: TransactionView): boolean {
	const { kind, currency } = transfer;
	if (!showsOtherAmount(transfer, transaction)) return false;
	if (currency === undefined || transaction.currency === undefined) return kind === "ledger";
	return currency === transaction.currency;
}

/** Whether the reference has a token of a different payment; tokens are unique. */
function hasOtherToken({ token }: Transfer, { reference }: TransactionView): boolean {
	const theirs = tokenIn(comparable(reference).toUpperCase());
	return token !== undefined && theirs !== undefined && theirs !== token;
}
