/**
 * The answer of a command that sent money: its form, its words, its end. Pure.
 */

import { purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { typed } from "../../api/answer.js";
import { viewTransaction } from "../../api/operations/transaction.js";
import type { SuggestedCommand } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { isFinal, outcomeOf, transactionRows } from "./after.js";

/** What the service answered, and what the tool knows beside it. */
export interface Paid extends Received {
	/** The transaction's identifier; absent where a 202 carries none. */
	id?: string;
	/** The journal's number. */
	intent?: string;
	/** Accepted, waiting for the holder's strong customer authentication (202). */
	waiting: boolean;
	/** With --token: the reference as it was sent, the token in it. */
	reference?: string;
	/** With --wait: the transaction as last seen. */
	transaction?: Received;
}

/** As last seen; a deployment may tell it with the creation already. */
const status = (paid: Paid): string | undefined => viewTransaction(paid.transaction ?? paid).status;

/** `rejected` for a payment that ended otherwise than APPROVED; `pending` while it waits, or was waited for in vain; `bug` where no status was told. */
export function paidOutcome(paid: Paid, waited: boolean): "rejected" | "pending" | "bug" | undefined {
	if (waited && paid.transaction !== undefined && !status(paid)) return "bug";
	return outcomeOf(status(paid), waited || paid.waiting);
}

/** What to type next. */
export function paidNext(paid: Paid, ledgerFromId: string): SuggestedCommand[] {
	if (paid.id === undefined) return [purser`pay list --ledger-id ${ledgerFromId} --sort-direction DESC`];
	return isFinal(status(paid)) ? [purser`ledger show ${ledgerFromId}`] : [purser`pay show ${typed(paid.id, "TRANSACTION")} --wait`];
}

type Words = Pick<Style, "good" | "bad" | "warn" | "status" | "money" | "time" | "pairs">;

/** The payment for people. */
export function paidText(paid: Paid, style: Words): string {
	const rows = paid.transaction
		? transactionRows(paid.transaction, style)
		: ([
				["Transaction", paid.id ?? "not told yet"],
				["Reference", paid.reference && `"${paid.reference}"`],
			] as const);
	return [headline(paid, style), style.pairs([...rows, ["Intent", paid.intent]])].join("\n");
}

function headline(paid: Paid, style: Words): string {
	const word = status(paid);
	if (word === "APPROVED") return style.good("Payment approved");
	// What was reversed had been made; of the others the specification says no more than that they are final.
	if (isFinal(word)) return style.bad(`Payment ended as ${word}, not as APPROVED`);
	if (paid.waiting)
		return style.warn(
			"Payment accepted, waiting for strong customer authentication: no money moves before the account holder confirms it on their own device.",
		);
	return style.good("Payment accepted");
}
