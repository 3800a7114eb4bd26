/**
 * Corrects the id of a payment whose answer carried another payment's id: that answer belonged to a payment whose own answer was lost. It
 * is
 * noticed when the transaction is read again. The payment stays accepted, without an id, and the transaction is attributed to the
 * payment that it matches.
 */

import { otherRecord } from "../../api/answer.js";
import { type ServiceInUse, wasSentTo } from "../../api/operations/asked-of.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { isPaid, paidStates, type Transfer } from "../../api/operations/transfer.js";
import { isIdOf, plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { fingerprintOf } from "../rules/fingerprint.js";
import { overlappingTimes } from "./attempt-times.js";
import type { Listing } from "./lists/listing.js";
import { type Difference, differenceOf, differenceText } from "./matching/difference.js";
import { alike, isCounted, isTransfer, type Open } from "./matching/doubts.js";
import { payeeOf, transactionOf } from "./matching/look-ups.js";
import { type Similarity, type Sought, similarity, similarityToAny } from "./matching/similarity.js";
import { readingThrough } from "./matching/through.js";

/** Most transactions of one list that are read individually, unless a tenth is more. If more differ, the list itself is not believable. */
const maxDiffering = 100;
/** Most doubts whose beneficiary is looked up to find the payment that a transaction matches. */
const maxPayees = 20;

/** The dependencies of a correction. */
export interface CorrectionTools {
	journal: Journal;
	service: Reading;
	/** The service whose transactions are read. */
	place: ServiceInUse;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Record nothing. */
	dry: boolean;
}

/** A transaction that differs from the payment that holds, or held, its id. */
export interface Correction {
	/** The payment, as it was before. */
	holder: Open;
	id: string;
	difference: Difference;
	/** Whether the id was taken from the payment; if not, the difference may have another reason and is only reported. */
	taken: boolean;
	/** For people, as recorded in the journal. */
	reason: string;
}

/**
 * Compares a transaction with the payment that holds its id. Takes the id away if the transaction is surely another payment's, or if it
 * exactly matches another payment that is in doubt or has no id.
 * @param transaction the service's record, requested by this id
 * @returns undefined if no payment holds the id, or nothing differs
 */
export async function correctMistakenId(tools: CorrectionTools, id: string, transaction: TransactionView): Promise<Correction | undefined> {
	const { journal, place, dry } = tools;
	const holder = (await journal.holderRecords([id])).get(id);
	if (holder === undefined || !isTransfer(holder) || !wasSentTo(holder, place) || otherRecord(id, transaction.id) !== undefined)
		return undefined;
	const difference = differenceOf(holder.transfer, transaction);
	if (difference === undefined) return undefined;
	const [owner] = difference.surely ? [] : await findMatching(tools, holder, transaction);
	const taken = difference.surely || owner !== undefined;
	const match = owner === undefined ? "" : `, and it matches intent ${owner.intent}`;
	const reason = `transaction ${plainId(id)} is another payment: ${differenceText(difference)}${match}`;
	const correction = { holder, id, difference, taken, reason };
	if (!taken || dry) return correction;
	try {
		await journal.removeId(holder.intent, { id, evidence: { source: "transaction", reason } }, holder.attempt);
		return correction;
	} catch (error) {
		// Another process corrected it first.
		if (error instanceof PurserError && error.kind === "guard") return undefined;
		throw error;
	}
}

/** Payments other than `holder` that are in doubt, or accepted without an id, and match the record exactly. */
export async function findMatching(tools: CorrectionTools, holder: Open | undefined, transaction: TransactionView): Promise<Open[]> {
	const { journal, place } = tools;
	const named = transfersOf(transaction).map((transfer) => journal.list({ fingerprint: fingerprintOf(transfer), effect: "money" }));
	const duplicates = (await Promise.all(named)).flat().filter(({ state, id }) => isPaid(state) && id === undefined);
	const doubts = await journal.list({ states: ["in-doubt"], effect: "money" });
	const candidates = [...doubts, ...duplicates].filter(isTransfer).filter((one) => one.intent !== holder?.intent && wasSentTo(one, place));
	const found: Open[] = [];
	let payees = 0;
	for (const one of candidates) {
		const answer = await matchOf(tools, one, transaction);
		if (answer === "same") found.push(one);
		// The beneficiary's record may have the details that the transaction lacks.
		else if (answer === "possible" && one.transfer.kind === "beneficiary" && payees++ < maxPayees)
			if ((await matchOf(tools, one, transaction, await payeeOf(tools, one))) === "same") found.push(one);
	}
	return found;
}

/**
 * Whether a record is this payment without an id. Duplicates settled by counting may hold each other's ids, so the record may date from
 * the period of any of them.
 */
async function matchOf(
	{ journal, settleAfter }: CorrectionTools,
	one: Open,
	transaction: TransactionView,
	payee?: Sought["payee"],
): Promise<Similarity> {
	const sought = { transfer: one.transfer, payee, begun: beganAt(one) };
	const alone = similarity(sought, transaction, settleAfter);
	if (alone !== "possible") return alone;
	const counted = (await journal.list({ states: paidStates, ...alike(one) })).filter(isCounted);
	const times = overlappingTimes(sought.begun, counted.map(beganAt), settleAfter);
	return similarityToAny(sought, times, transaction, settleAfter) === "same" ? "same" : alone;
}

/** The transfers that a record may stand for, one for each possible kind. */
function transfersOf({ senderLedgerId, receiverLedgerId, beneficiaryId, amount, reference }: TransactionView): Transfer[] {
	if (senderLedgerId === undefined || amount === undefined || !/^-?\d+(\.\d+)?$/.test(amount)) return [];
	const rest = { ledgerFromId: senderLedgerId, amount: amount.replace(/^-/, ""), reference };
	return [
		...(receiverLedgerId === undefined ? [] : [{ ...rest, kind: "ledger" as const, counterpartyId: receiverLedgerId }]),
		...(beneficiaryId === undefined ? [] : [{ ...rest, kind: "beneficiary" as const, counterpartyId: beneficiaryId }]),
	];
}

/**
 * Corrects the ids of payments that a list shows differently from how they were sent. The list alone is not enough: each transaction is
 * read individually first. If too many differ, the list is not believable and nothing is corrected.
 * @returns the ids that were taken away
 */
export async function correctListed(tools: CorrectionTools, { listed }: Listing): Promise<Correction[]> {
	const byId = new Map(listed.flatMap((one) => (isIdOf("transaction", one.id, tools.place.ids ?? {}) ? [[one.id, one] as const] : [])));
	const held = await tools.journal.holderRecords([...byId.keys()]);
	const differing = [...held].filter(([id, { transfer }]) => transfer && differenceOf(transfer, byId.get(id) as TransactionView));
	if (differing.length > Math.max(maxDiffering, held.size / 10)) return [];
	const found: Correction[] = [];
	for (const [id, holder] of differing) {
		const transaction = await transactionOf(await readingThrough(tools, holder), id);
		const correction = transaction && (await correctMistakenId(tools, id, transaction));
		if (correction?.taken) found.push(correction);
	}
	return found;
}

/** Most duplicates that are read individually because the list does not confirm their ids; if there are more, counting is refused. */
const maxUnconfirmed = 20;

/**
 * Finds out whether an unclaimed listed transaction may belong to a duplicate that holds another payment's id. Counting trusts the ids that
 * duplicates hold, so the list, or the transaction itself, must confirm each of them.
 * @param duplicates duplicates with an id from the service's answer; an id that proves to be another payment's is taken away
 * @returns `why` counting must not be trusted, for people; undefined if it may
 */
export async function checkDuplicateIds(
	tools: CorrectionTools,
	duplicates: readonly Open[],
	listing: Listing,
): Promise<{ why?: string; corrections: Correction[] }> {
	const corrections: Correction[] = [];
	let requests = 0;
	for (const duplicate of duplicates) {
		const { intent, id = "", transfer } = duplicate;
		const [line] = listing.of(id);
		if (line !== undefined && differenceOf(transfer, line) === undefined) continue;
		const transaction = requests++ < maxUnconfirmed ? await transactionOf(await readingThrough(tools, duplicate), id) : undefined;
		if (transaction && otherRecord(id, transaction.id) === undefined && differenceOf(transfer, transaction) === undefined) continue;
		const correction = transaction && (await correctMistakenId(tools, id, transaction));
		if (correction?.taken) corrections.push(correction);
		const why = `intent ${intent} is identical and holds the id ${id}, which the service does not show as its own, so the listed payment may be that one; a person must check`;
		return { why, corrections };
	}
	return { corrections };
}

/**
 * Why a list that shows a doubt only under another payment's id does not prove its absence: the id may be the doubt's own.
 * @param claimed the plain ids of listed ones that other attempts hold
 */
export async function contestedReason(
	{ journal, settleAfter }: CorrectionTools,
	doubts: readonly Sought[],
	{ listed, claimed }: { listed: readonly TransactionView[]; claimed: Pick<ReadonlySet<string>, "has"> },
): Promise<string | undefined> {
	const possible = listed.filter(
		(one) => claimed.has(plainId(one.id ?? "")) && doubts.some((doubt) => similarity(doubt, one, settleAfter) !== "other"),
	);
	const held = possible.length === 0 ? undefined : await journal.holderRecords(possible.map(({ id }) => id as string));
	for (const one of possible) {
		const holder = held?.get(one.id as string);
		if (holder?.transfer === undefined || differenceOf(holder.transfer, one) === undefined) continue;
		return `transaction ${one.id} is listed differently from intent ${holder.intent}, which holds its id, and may be this payment; a person must check`;
	}
	return undefined;
}

/** Why a list that lacks a payment proves nothing: an id taken from a payment of that ledger has not been attributed to any other yet. */
export async function unattributedReason(journal: Journal, known: readonly IntentRecord[]): Promise<string | undefined> {
	const taken = known.flatMap(({ id, mistaken }) => (id === undefined && mistaken !== undefined ? [mistaken.id] : []));
	const holders = taken.length === 0 ? new Map<string, string>() : await journal.holders(taken);
	const open = taken.find((id) => !holders.has(id));
	return open === undefined
		? undefined
		: `the service gave the id ${open} to a payment of that time that it shows differently, and no other payment is known to match it; a person must check`;
}
