/**
 * The answer of a command that sent a payment: data, text and outcome. Pure.
 */

import { purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { typed } from "../../api/answer.js";
import { viewTransaction } from "../../api/operations/transaction.js";
import type { SuggestedCommand } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { isFinal, outcomeOf, transactionRows } from "./after.js";

/** The service's answer, with what the tool adds to it. */
export interface Paid extends Received {
	/** The transaction's identifier; absent if a 202 carries none. */
	id?: string;
	/** The journal's number. */
	intent?: string;
	/** Accepted, waiting for the holder's strong customer authentication (202). */
	waiting: boolean;
	/** With --token: the reference as sent, including the token. */
	reference?: string;
	/** With --wait: the transaction as last read. */
	transaction?: Received;
}

/** The latest known status; a deployment may already report it in the answer to the creation. */
const status = (paid: Paid): string | undefined => viewTransaction(paid.transaction ?? paid).status;

/** `rejected` if the payment ended otherwise than APPROVED; `pending` if it is not final yet; `bug` if waiting found no status at all. */
export function paidOutcome(paid: Paid, waited: boolean): "rejected" | "pending" | "bug" | undefined {
	if (waited && paid.transaction !== undefined && !status(paid)) return "bug";
	return outcomeOf(status(paid), waited || paid.waiting);
}

/** Commands to suggest next. */
export function paidNext(paid: Paid, ledgerFromId: string): SuggestedCommand[] {
	if (paid.id === undefined) return [purser`pay list --ledger-id ${ledgerFromId}`];
	return isFinal(status(paid)) ? [purser`ledger show ${ledgerFromId}`] : [purser`pay show ${typed(paid.id, "TRANSACTION")} --wait`];
}

type Words = Pick<Style, "good" | "bad" | "warn" | "status" | "money" | "time" | "pairs">;

/** The payment for people. */
export function paidText(paid: Paid, style: Words): string {
	const rows = paid.transaction
		? transactionRows(paid.transaction, style)
		: ([
				["Transaction", paid.id ?? "not known yet"],
				["Reference", paid.reference && `"${paid.reference}"`],
			] as const);
	return [headline(paid, style), style.pairs([...rows, ["Intent", paid.intent]])].join("\n");
}

function headline(paid: Paid, style: Words): string {
	const word = status(paid);
	if (word === "APPROVED") return style.good("Payment approved");
	// "Ended as", not "failed": a reversed payment had been made, and the specification only says that the other statuses are final.
	if (isFinal(word)) return style.bad(`Payment ended as ${word}, not as APPROVED`);
	if (paid.waiting)
		return style.warn(
			"Payment accepted, waiting for strong customer authentication: no money moves before the account holder confirms it on their own device.",
		);
	return style.good("Payment accepted");
}
