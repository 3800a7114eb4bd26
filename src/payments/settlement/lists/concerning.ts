/**
 * Selects the transactions of a ledger that matter for settling, so that a list of a million needs little memory: those that an attempt in
 * the journal holds, by which the list is checked, and those that may be one of the payments in doubt.
 */

import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { Journal } from "../../../ports/journal.js";
import { canonicalAmount, isDecimal } from "../../rules/decimal.js";
import { groupBy } from "../../rules/group-by.js";
import { bareReference, hasOurToken, referenceOf } from "../matching/similarity.js";
import type { IdSet } from "./id-set.js";
import { lineKey } from "./known.js";

/** Selects the transactions of a page to store. */
export type LineFilter = (page: readonly TransactionView[]) => Promise<readonly TransactionView[]>;

/**
 * Selects every transaction that an attempt holds, and every one that may be one of the transfers. A line is dropped only if it names
 * another
 * ledger or payee, or differs from every transfer in both amount and reference. A shortened or extended reference does not differ.
 * @param transfers of one ledger
 * @param known keys of known payments ({@link lineKey}); their duplicates are selected too, so that the check of the list sees them
 */
export function relevantLines(journal: Pick<Journal, "holders">, transfers: readonly Transfer[], known?: Pick<IdSet, "has">): LineFilter {
	const isPossible = possibleMatch(transfers);
	const isRepeated = (view: TransactionView): boolean => known?.has(lineKey(view)) === true;
	return async (page) => {
		const held = await journal.holders(page.flatMap(({ id }) => plainId(id) ?? []));
		return page.filter((view) => (view.id !== undefined && held.has(plainId(view.id))) || isPossible(view) || isRepeated(view));
	};
}

/** Most references of one payee that a line is compared with; if there are more, all of the payee's lines are selected. */
const maxCompared = 200;

/** Runs for each line of a list, so it looks into sets first and compares at most the distinct references of one payee. */
function possibleMatch(transfers: readonly Transfer[]): (view: TransactionView) => boolean {
	const ledgers = new Set(transfers.map(({ ledgerFromId }) => plainId(ledgerFromId)));
	const amounts = new Set(transfers.map(({ amount }) => canonicalAmount(amount)));
	const references = referencesOf(transfers);
	const currencies = new Set(transfers.map(({ currency }) => currency));
	const ofKind = (kind: Transfer["kind"]): Set<string> =>
		new Set(transfers.filter((one) => one.kind === kind).map(({ counterpartyId }) => plainId(counterpartyId)));
	const [toLedgers, toBeneficiaries] = [ofKind("ledger"), ofKind("beneficiary")];
	return (view) => {
		const { senderLedgerId, receiverLedgerId, beneficiaryId, amount, currency } = view;
		if (senderLedgerId !== undefined && !ledgers.has(plainId(senderLedgerId))) return false;
		const ledgerPaid = toLedgers.size > 0 && (receiverLedgerId === undefined || toLedgers.has(plainId(receiverLedgerId)));
		const payeePaid = toBeneficiaries.size > 0 && (beneficiaryId === undefined || toBeneficiaries.has(plainId(beneficiaryId)));
		if (!ledgerPaid && !payeePaid) return false;
		if (amount === undefined || !isDecimal(amount) || amounts.has(canonicalAmount(amount.replace(/^-/, "")))) return true;
		if (references(view)) return true;
		// The amount may have been exchanged: to a beneficiary, whose currency the line need not show, or if the line shows another
		// currency.
		return payeePaid || (currency !== undefined && [...currencies].some((one) => one !== undefined && one !== currency));
	};
}

/** Makes the test whether a line's reference may be that of a transfer to the ledger that the line credits, if it names one. */
function referencesOf(transfers: readonly Transfer[]): (view: TransactionView) => boolean {
	const different = [...new Map(transfers.map((one) => [`${plainId(one.counterpartyId)} ${bareReference(one.reference)}`, one])).values()];
	const ofLedger = groupBy(different, ({ counterpartyId }) => plainId(counterpartyId));
	const bare = new Set(different.map(({ reference }) => bareReference(reference)));
	return (view) => {
		if (bare.has(bareReference(view.reference))) return true;
		const comparedWith = view.receiverLedgerId === undefined ? different : (ofLedger.get(plainId(view.receiverLedgerId)) ?? []);
		return comparedWith.length > maxCompared || comparedWith.some((one) => hasOurToken(one, view) || referenceOf(one, view) !== "no");
	};
}
