/**
 * How transactions end: by themselves once they are due, or by `simulate transaction`. Money moves here.
 */
import { type Backend, findLedger, timeOf } from "../backend.js";
import { HttpError } from "../message.js";
import type { Ledger, LedgerTransaction } from "../state.js";
import { transactionChange } from "../webhooks/changes.js";

/** Transactions that are not final, and the earliest time at which one of them is due, so that no request has to read all transactions. */
interface Pending {
	/** How many of the list were read. */
	read: number;
	open: LedgerTransaction[];
	earliest: number;
}

const pending = new WeakMap<readonly LedgerTransaction[], Pending>();

/** Ends each transaction that is due. @returns whether any was */
export function settleDue(backend: Backend): boolean {
	const { transactions } = backend.state;
	const list = pending.get(transactions) ?? { read: 0, open: [], earliest: Number.POSITIVE_INFINITY };
	pending.set(transactions, list);
	for (; list.read < transactions.length; list.read += 1) {
		const added = transactions[list.read] as LedgerTransaction;
		list.open.push(added);
		list.earliest = Math.min(list.earliest, added.settles);
	}
	const now = timeOf(backend);
	if (list.earliest > now) return false;
	let any = false;
	list.earliest = Number.POSITIVE_INFINITY;
	list.open = list.open.filter((transaction) => {
		if (transaction.status !== "PENDING") return false;
		if (transaction.settles <= now) {
			endDue(backend, transaction);
			any = true;
			return false;
		}
		list.earliest = Math.min(list.earliest, transaction.settles);
		return true;
	});
	return any;
}

/** References that decide how a transaction ends, for tests of batches; all others are approved. */
const outcomeReferences = ["DECLINED", "ABORTED", "RELEASED", "REVERSED"];

function endDue(backend: Backend, transaction: LedgerTransaction): void {
	const { reference = "" } = transaction;
	const outcome = outcomeReferences.includes(reference) ? reference : "APPROVED";
	// Only what was approved can be reversed.
	if (outcome === "REVERSED") endTransaction(backend, transaction, "APPROVED");
	endTransaction(backend, transaction, outcome, outcome === "APPROVED" ? undefined : "ASKED_FOR_BY_REFERENCE");
}

/** Ends a transaction: APPROVED moves the money, REVERSED brings it back, all else releases what was held. @throws HttpError */
export function endTransaction(backend: Backend, transaction: LedgerTransaction, status: string, reason?: string): void {
	const from = findLedger(backend, transaction.fromLedgerId);
	const to = transaction.toLedgerId ? findLedger(backend, transaction.toLedgerId) : undefined;
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
			throw new HttpError(409, "INSUFFICIENT_FUNDS", "What was paid has been spent already");
		add(to, -amount);
		add(from, amount);
	} else if (transaction.status === "PENDING")
		throw new HttpError(409, "TRANSACTION_PENDING", "Only an approved transaction can be reversed");
	else throw new HttpError(409, "TRANSACTION_FINAL", `The transaction is ${transaction.status} already`);
	transaction.status = status;
	transaction.declineReason = reason;
	transaction.clearedAt = backend.now().toISOString();
	backend.webhooks.add(transactionChange(transaction));
}
