/**
 * How transactions end: by themselves once they are due, or by a person's word. Money moves here.
 */
import { type Desk, ledgerOf, time } from "../desk.js";
import { Refusal } from "../message.js";
import type { Ledger, Transaction } from "../state.js";
import { shown } from "./ledgers.js";

/** The transaction as it is fetched. */
export function transactionRecord(transaction: Transaction): unknown {
	const { amount, currency, reference, declineReason, clearedAt } = transaction;
	return {
		id: transaction.id,
		type: transaction.type,
		paymentType: transaction.paymentType,
		status: transaction.status,
		creationDate: transaction.createdAt,
		amount: shown(amount, currency),
		currency,
		information: {
			...(reference === undefined ? {} : { reference }),
			...(declineReason ? { declineReason } : {}),
			...(clearedAt ? { clearingDate: clearedAt } : {}),
		},
		sender: { name: transaction.senderName, ledgerId: transaction.fromLedgerId },
		receiver: {
			name: transaction.receiverName,
			...(transaction.toLedgerId && transaction.paymentType === "INTER_LEDGER" ? { ledgerId: transaction.toLedgerId } : {}),
			...(transaction.beneficiaryId ? { beneficiaryId: transaction.beneficiaryId } : {}),
		},
	};
}

/** Transactions that are not final, and the earliest time at which one of them is due: so that no call looks at all of them. */
interface Waiting {
	/** How many of the list were looked at. */
	seen: number;
	open: Transaction[];
	earliest: number;
}

const waiting = new WeakMap<readonly Transaction[], Waiting>();

/** Time passes: what is due becomes final. Returns whether anything did. */
export function settleDue(desk: Desk): boolean {
	const { transactions } = desk.state;
	const list = waiting.get(transactions) ?? { seen: 0, open: [], earliest: Number.POSITIVE_INFINITY };
	waiting.set(transactions, list);
	for (; list.seen < transactions.length; list.seen += 1) {
		const added = transactions[list.seen] as Transaction;
		list.open.push(added);
		list.earliest = Math.min(list.earliest, added.settles);
	}
	const now = time(desk);
	if (list.earliest > now) return false;
	let any = false;
	list.earliest = Number.POSITIVE_INFINITY;
	list.open = list.open.filter((transaction) => {
		if (transaction.status !== "PENDING") return false;
		if (transaction.settles <= now) {
			endByItself(desk, transaction);
			any = true;
			return false;
		}
		list.earliest = Math.min(list.earliest, transaction.settles);
		return true;
	});
	return any;
}

/** References that decide how a transaction ends, for whoever tests a batch: every other one is approved. */
const decisive = ["DECLINED", "ABORTED", "RELEASED", "REVERSED"];

function endByItself(desk: Desk, transaction: Transaction): void {
	const { reference = "" } = transaction;
	const outcome = decisive.includes(reference) ? reference : "APPROVED";
	// Only what was approved can be reversed.
	if (outcome === "REVERSED") finish(desk, transaction, "APPROVED");
	finish(desk, transaction, outcome, outcome === "APPROVED" ? undefined : "ASKED_FOR_BY_REFERENCE");
}

/** Ends a transaction: APPROVED moves the money, REVERSED brings it back, everything else lets go of what was held. @throws Refusal */
export function finish(desk: Desk, transaction: Transaction, status: string, reason?: string): void {
	const from = ledgerOf(desk, transaction.fromLedgerId);
	const to = transaction.toLedgerId ? ledgerOf(desk, transaction.toLedgerId) : undefined;
	const amount = BigInt(transaction.amount);
	const add = (ledger: Ledger | undefined, change: bigint): void => {
		if (ledger) ledger.total = (BigInt(ledger.total) + change).toString();
	};
	if (transaction.status === "PENDING" && status !== "REVERSED") {
		from.reserved = (BigInt(from.reserved) - amount).toString();
		if (status === "APPROVED") {
			add(from, -amount);
			add(to, amount);
		}
	} else if (transaction.status === "APPROVED" && status === "REVERSED") {
		if (to && BigInt(to.total) - BigInt(to.reserved) < amount)
			throw new Refusal(409, "INSUFFICIENT_FUNDS", "What was paid has been spent already");
		add(to, -amount);
		add(from, amount);
	} else if (transaction.status === "PENDING")
		throw new Refusal(409, "TRANSACTION_PENDING", "Only an approved transaction can be reversed");
	else throw new Refusal(409, "TRANSACTION_FINAL", `The transaction is ${transaction.status} already`);
	transaction.status = status;
	transaction.declineReason = reason;
	transaction.clearedAt = desk.now().toISOString();
}
