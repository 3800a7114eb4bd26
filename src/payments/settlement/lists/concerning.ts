/**
 * Which of a ledger's transactions matter to doubts, so that a list of a million is walked in little memory: those that an attempt
 * of the journal holds, by which the list is judged, and those that may be one of the payments in doubt.
 */

import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import type { Journal } from "../../../ports/journal.js";
import { canonicalAmount, isDecimal } from "../../rules/decimal.js";
import { groupBy } from "../../rules/group-by.js";
import { bareReference, isMarked, referenceOf } from "../matching/similarity.js";
import type { IdSet } from "./id-set.js";
import { lineKey } from "./known.js";

/** Which of these transactions are kept of a long list. What an attempt holds always is. */
export type Sieve = (page: readonly TransactionView[]) => Promise<readonly TransactionView[]>;

/**
 * Keeps what an attempt holds, whatever it says, and what one of the transfers may have become. Left out is only what the line
 * itself tells to be of another ledger or of another payee, or what differs from every transfer in amount and in reference both. A reference that was cut short, or added to, is no other one.
 * @param transfers of one ledger; `known`: what a payment that is known to be made looks like, where the list is to be judged by those
 */
export function concerning(journal: Pick<Journal, "holders">, transfers: readonly Transfer[], known?: Pick<IdSet, "has">): Sieve {
	const may = mayBeOneOf(transfers);
	const repeats = (view: TransactionView): boolean => known?.has(lineKey(view)) === true;
	return async (page) => {
		const held = await journal.holders(page.flatMap(({ id }) => id?.toLowerCase() ?? []));
		return page.filter((view) => (view.id !== undefined && held.has(view.id.toLowerCase())) || may(view) || repeats(view));
	};
}

/** References of one payee that a line is compared with one by one; where there are more, its lines are all kept. */
const mostCompared = 200;

/** Cheap, since it is asked of each line of a list, and so it asks sets first: of one payee the different references at most. */
function mayBeOneOf(transfers: readonly Transfer[]): (view: TransactionView) => boolean {
	const ledgers = new Set(transfers.map(({ ledgerFromId }) => ledgerFromId.toLowerCase()));
	const amounts = new Set(transfers.map(({ amount }) => canonicalAmount(amount)));
	const references = referencesOf(transfers);
	const currencies = new Set(transfers.map(({ currency }) => currency));
	const ofKind = (kind: Transfer["kind"]): Set<string> =>
		new Set(transfers.filter((one) => one.kind === kind).map(({ counterpartyId }) => counterpartyId.toLowerCase()));
	const [toLedgers, toBeneficiaries] = [ofKind("ledger"), ofKind("beneficiary")];
	return (view) => {
		const { senderLedgerId, receiverLedgerId, beneficiaryId, amount, currency } = view;
		if (senderLedgerId !== undefined && !ledgers.has(senderLedgerId.toLowerCase())) return false;
		const ledgerPaid = toLedgers.size > 0 && (receiverLedgerId === undefined || toLedgers.has(receiverLedgerId.toLowerCase()));
		const payeePaid = toBeneficiaries.size > 0 && (beneficiaryId === undefined || toBeneficiaries.has(beneficiaryId.toLowerCase()));
		if (!ledgerPaid && !payeePaid) return false;
		if (amount === undefined || !isDecimal(amount) || amounts.has(canonicalAmount(amount.replace(/^-/, "")))) return true;
		if (references(view)) return true;
		// What left may have been exchanged: into a beneficiary's currency, which the line need not tell, or where it tells another one.
		return payeePaid || (currency !== undefined && [...currencies].some((one) => one !== undefined && one !== currency));
	};
}

/** Whether a line's reference may be that of a transfer to the ledger which it credits, as far as it tells that. */
function referencesOf(transfers: readonly Transfer[]): (view: TransactionView) => boolean {
	const different = [
		...new Map(transfers.map((one) => [`${one.counterpartyId.toLowerCase()} ${bareReference(one.reference)}`, one])).values(),
	];
	const ofLedger = groupBy(different, ({ counterpartyId }) => counterpartyId.toLowerCase());
	const bare = new Set(different.map(({ reference }) => bareReference(reference)));
	return (view) => {
		if (bare.has(bareReference(view.reference))) return true;
		const those = view.receiverLedgerId === undefined ? different : (ofLedger.get(view.receiverLedgerId.toLowerCase()) ?? []);
		return those.length > mostCompared || those.some((one) => isMarked(one, view) || referenceOf(one, view) !== "no");
	};
}
