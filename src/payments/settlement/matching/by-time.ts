/**
 * Transactions and transfers held against each other by their times.
 */
import type { TransactionView } from "../../../api/operations/transaction.js";
import { clockSkew } from "./similarity.js";
import { spanOf } from "./time-span.js";

/** A listed transaction that has an id. */
export type Identified = TransactionView & { id: string };

/** The earliest moment that a transaction's time may mean, in milliseconds; 0 where it has none that can be read. */
export const fromOf = (listed: TransactionView): number => spanOf(listed.createdAt)?.from ?? 0;

/**
 * Whether each transaction can be assigned to a different transfer by time: one from before every attempt was not made by this tool.
 * @param begun when each transfer began, RFC 3339 UTC
 * @param unnamed how many transactions may belong to transfers accepted without an id
 * @param settleAfter milliseconds within which a transfer that was made appears
 */
export function canAllMatch(transactions: readonly Identified[], begun: readonly string[], unnamed: number, settleAfter: number): boolean {
	const free = [...begun];
	let left = 0;
	for (const transaction of [...transactions].sort((one, other) => fromOf(one) - fromOf(other))) {
		const span = spanOf(transaction.createdAt);
		// Assigning the earliest matching transfer first is optimal: no other choice assigns more transactions.
		const place = free.findIndex(
			(time) => span === undefined || (span.to >= Date.parse(time) - clockSkew && span.from <= Date.parse(time) + settleAfter),
		);
		if (place < 0) left += 1;
		else free.splice(place, 1);
	}
	return left <= unnamed;
}
