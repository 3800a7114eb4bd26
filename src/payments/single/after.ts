/**
 * How a transaction is shown to people, and whether it ended successfully. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { otherRecord, type Received, textAt } from "../../api/answer.js";
import { type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { finalTransactionStatuses } from "../../api/values.js";
import { PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";

/** Whether a status is final. An unknown or missing status is never final. */
export function isFinal(status: string | undefined): boolean {
	return status !== undefined && finalTransactionStatuses.includes(status);
}

/**
 * One poll of a transaction's status.
 * @throws PurserError bug, if the answer names another transaction, whose status says nothing about this one
 */
export function transactionPoll(id: string, record: Received): { done: boolean; data: Received } {
	const { id: named, status } = viewTransaction(record);
	const other = otherRecord(id, named);
	if (other === undefined) return { done: isFinal(status), data: record };
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

/** The rows that show a transaction to people. */
export function transactionRows(
	record: Received,
	style: Pick<Style, "status" | "money" | "time" | "bad">,
): (readonly [string, string | undefined])[] {
	const view = viewTransaction(record);
	return [
		["Transaction", view.id],
		["Status", isKnown(view.status) ? style.status(view.status) : `${style.status(view.status)} (not a status known to be final)`],
		["Declined because", view.declineReason && style.bad(view.declineReason)],
		["Amount", style.money(view.amount, view.currency)],
		["From", party(view.senderName, view.senderLedgerId)],
		["To", party(view.receiverName, view.receiverLedgerId ?? view.beneficiaryId)],
		["Rail", rail(view)],
		["Reference", view.reference && `"${view.reference}"`],
		["Created", style.time(view.createdAt)],
		["Cleared", style.time(textAt(record, "information.clearingDate"))],
	];
}

function isKnown(status: string | undefined): boolean {
	return status === "PENDING" || isFinal(status);
}

function party(name: string | undefined, id: string | undefined): string | undefined {
	return name && id ? `${name} · ${id}` : (name ?? id);
}

function rail({ type, rail: paymentType }: TransactionView): string | undefined {
	return type && paymentType && type !== paymentType ? `${paymentType} (${type})` : (paymentType ?? type);
}

/** The paths of a record that {@link transactionRows} shows. */
export const transactionPaths: readonly string[] = [
	"id",
	"transactionId",
	"status",
	"information.declineReason",
	"information.reference",
	"information.clearingDate",
	"reference",
	"amount",
	"currency",
	"sender.name",
	"sender.ledgerId",
	"receiver.name",
	"receiver.ledgerId",
	"receiver.beneficiaryId",
	"beneficiaryId",
	"paymentType",
	"type",
	"creationDate",
];
