/**
 * Whether a transaction can be that of the payment which holds its id: a service may have answered with another payment's. Only what a
 * record tells counts; what is missing says nothing. Pure.
 */

import { sameId } from "../../../api/answer.js";
import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { comparable } from "../../rules/fingerprint.js";
import { tokenIn } from "../../rules/token.js";
import { isMarked, referenceOf, tellsOtherAmount } from "./similarity.js";

/** How a record differs from the payment that holds its id. */
export interface Difference {
	/** What differs, in the order in which it is told. */
	fields: readonly ("ledger" | "payee" | "amount" | "reference")[];
	/**
	 * Whether nothing but another payment explains it. A fee may be added to an amount, a rail may rewrite a reference, a deployment may
	 * tell the parties the wrong way round: each of these alone is also what a record of this very payment can look like.
	 */
	surely: boolean;
}

/** @returns undefined where nothing that is told speaks against it */
export function differenceOf(transfer: Transfer, seen: TransactionView): Difference | undefined {
	const ledger = isOther(transfer.ledgerFromId, seen.senderLedgerId);
	const payee = isOther(transfer.counterpartyId, transfer.kind === "ledger" ? seen.receiverLedgerId : seen.beneficiaryId);
	const amount = isOtherAmount(transfer, seen);
	const reference = !isMarked(transfer, seen) && referenceOf(transfer, seen) === "no";
	const fields = Object.entries({ ledger, payee, amount, reference }).flatMap(([name, differs]) => (differs ? [name] : []));
	if (fields.length === 0) return undefined;
	const swapped = sameId(transfer.counterpartyId, seen.senderLedgerId) || sameId(transfer.ledgerFromId, seen.receiverLedgerId);
	const surely = ((ledger || payee) && !swapped) || (amount && reference) || (reference && bearsAnotherToken(transfer, seen));
	return { fields: fields as Difference["fields"][number][], surely };
}

/** `amount and reference differ` */
export function differenceWords({ fields }: Difference): string {
	const [last, ...before] = [...fields].reverse();
	return `${before.length > 0 ? `${before.reverse().join(", ")} and ` : ""}${last} ${before.length > 0 ? "differ" : "differs"}`;
}

const isOther = (ours: string, theirs: string | undefined): boolean => theirs !== undefined && !sameId(ours, theirs);

/** In another currency than it was sent in, it may be the same money. Of a payment to a beneficiary only one that both name is known. */
function isOtherAmount(transfer: Transfer, seen: TransactionView): boolean {
	const { kind, currency } = transfer;
	if (!tellsOtherAmount(transfer, seen)) return false;
	if (currency === undefined || seen.currency === undefined) return kind === "ledger";
	return currency === seen.currency;
}

/** A token is one payment's alone. */
function bearsAnotherToken({ token }: Transfer, { reference }: TransactionView): boolean {
	const theirs = tokenIn(comparable(reference).toUpperCase());
	return token !== undefined && theirs !== undefined && theirs !== token;
}
