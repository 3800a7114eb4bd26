/**
 * How a transaction is shown to people, and whether it ended successfully. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { otherRecord, type Received, textAt, typed } from "../../api/answer.js";
import { type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { finalTransactionStatuses } from "../../api/values.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import type { Style } from "../../ports/style.js";

/** Whether a status is final. An unknown or missing status is never final. */
export function isFinal(status: string | undefined): boolean {
	return status !== undefined && finalTransactionStatuses.includes(status);
}

/** The record of the transaction that was asked for. */
export function ownTransaction(id: string, record: Received): Received {
	const other = otherRecord(id, viewTransaction(record).id);
	if (other === undefined) return record;
	throw new PurserError("bug", {
		code: "ANSWER_UNREADABLE",
		message: `The service was asked for transaction ${id} and answered with another one, ${other}`,
		why: "The answer is not about the requested transaction",
		fix: advice`Try again: ${purser`pay show ${id}`}; if it happens again, check the operation's path: ${purser`api list`}`,
		answer: record,
	});
}

/** `rejected` for a final status other than success; `pending` if the status is not final after waiting. */
export function outcomeOf(status: string | undefined, waited: boolean): "rejected" | "pending" | undefined {
	if (isFinal(status)) return status === "APPROVED" ? undefined : "rejected";
	return waited ? "pending" : undefined;
}

export function transactionRows(
	record: Received,
	style: Pick<Style, "status" | "money" | "time" | "bad" | "called">,
): (readonly [string, string | undefined])[] {
	const view = viewTransaction(record);
	const isKnown = view.status === "PENDING" || isFinal(view.status);
	return [
		["Transaction", view.id],
		["Status", `${style.status(view.status)}${isKnown ? "" : " (not a status known to be final)"}`],
		["Declined because", view.declineReason && style.bad(view.declineReason)],
		["Amount", style.money(view.amount, view.currency)],
		["From", party(style.called("ledger", view.senderLedgerId) ?? view.senderName, view.senderLedgerId)],
		["To", party(style.called("ledger", view.receiverLedgerId) ?? view.receiverName, view.receiverLedgerId ?? view.beneficiaryId)],
		["Rail", rail(view)],
		["Reference", view.reference && `"${view.reference}"`],
		["Created", style.time(view.createdAt)],
		["Cleared", style.time(textAt(record, "information.clearingDate"))],
	];
}

function party(name: string | undefined, id: string | undefined): string | undefined {
	return name && id ? `${name} · ${id}` : (name ?? id);
}

function rail({ type, rail: paymentType }: TransactionView): string | undefined {
	return type && paymentType && type !== paymentType ? `${paymentType} (${type})` : (paymentType ?? type);
}

export interface Paid extends Received {
	/** The transaction's identifier; absent if a 202 carries none. */
	id?: string;
	intent?: string;
	/** Accepted, waiting for the holder's strong customer authentication (202). */
	waiting: boolean;
	transaction?: Received;
}

/** The latest known status; a deployment may already report it in the answer to the creation. */
const status = (paid: Paid): string | undefined => viewTransaction(paid.transaction ?? paid).status;

/** `rejected` if the payment ended otherwise than APPROVED; `pending` if it is not final yet; `bug` if waiting found no status at all. */
export function paidOutcome(paid: Paid, waited: boolean): "rejected" | "pending" | "bug" | undefined {
	if (waited && paid.transaction !== undefined && !status(paid)) return "bug";
	return outcomeOf(status(paid), waited || paid.waiting);
}

/** Commands to suggest next. @param ledger the debited one, by its name or id */
export function paidNext(paid: Paid, ledger: string): SuggestedCommand[] {
	if (paid.id === undefined) return [purser`pay list --ledger-id ${ledger}`];
	return isFinal(status(paid)) ? [purser`ledger show ${ledger}`] : [purser`pay show ${typed(paid.id, "TRANSACTION")} --wait`];
}

type Words = Pick<Style, "good" | "bad" | "warn" | "status" | "money" | "time" | "pairs" | "called">;

export function paidText(paid: Paid, style: Words): string {
	const rows = paid.transaction ? transactionRows(paid.transaction, style) : ([["Transaction", paid.id ?? "not known yet"]] as const);
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
