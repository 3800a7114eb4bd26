/**
 * Correcting the id of a payment that was accepted with another one's: the answer to one was given to the other, whose own was lost. It is
 * found when the transaction is seen again. The payment stays accepted, without an id, and the transaction goes to whom it fits.
 */

import { isUuid, otherRecord } from "../../api/answer.js";
import { type ServiceInUse, wasSentTo } from "../../api/operations/asked-of.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { fingerprintOf } from "../rules/fingerprint.js";
import { timesAround } from "./attempt-times.js";
import type { Listing } from "./lists/listing.js";
import { isCounted, isTransfer, type Open } from "./matching/doubts.js";
import { payeeOf, transactionOf } from "./matching/look-ups.js";
import { type Similarity, type Sought, similarity, similarityToAny } from "./matching/similarity.js";
import { type Difference, differenceOf, differenceWords } from "./matching/whose.js";

/** Transactions of one list that are asked for by themselves, or a tenth: where more look like another payment's, the list is another one. */
const mostAsked = 100;
/** Most doubts whose beneficiary is looked up to see whom one transaction fits. */
const mostPayees = 20;

/** What is looked at, and whether anything is recorded. */
export interface Correcting {
	journal: Journal;
	service: Pick<Reading, "get">;
	/** The service that is looked at. */
	place: ServiceInUse;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Nothing is recorded. */
	dry: boolean;
}

/** A transaction that is not as the payment that holds, or held, its id. */
export interface Correction {
	/** The payment, as it was before. */
	holder: Open;
	id: string;
	difference: Difference;
	/** Whether the payment holds it no more; else what differs may have another reason, and it is told alone. */
	taken: boolean;
	/** In words, as they stand on record. */
	reason: string;
}

/**
 * Holds a transaction against the payment that holds its id, and takes the id away where it is surely another's, or where it is exactly
 * what another payment without an answer, or without an id, would be.
 * @param seen the service's own record of this id, asked for by it
 * @returns undefined where nobody holds it, or nothing differs
 */
export async function corrected(tools: Correcting, id: string, seen: TransactionView): Promise<Correction | undefined> {
	const { journal, place, dry } = tools;
	const holder = (await journal.holderRecords([id])).get(id);
	if (holder === undefined || !isTransfer(holder) || !wasSentTo(holder, place) || otherRecord(id, seen.id) !== undefined) return undefined;
	const difference = differenceOf(holder.transfer, seen);
	if (difference === undefined) return undefined;
	const [owner] = difference.surely ? [] : await fitting(tools, holder, seen);
	const taken = difference.surely || owner !== undefined;
	const fits = owner === undefined ? "" : `, and it is exactly intent ${owner.intent}`;
	const reason = `transaction ${id.toLowerCase()} is another payment: ${differenceWords(difference)}${fits}`;
	const correction = { holder, id, difference, taken, reason };
	if (!taken || dry) return correction;
	try {
		await journal.removeId(holder.intent, { id, evidence: { source: "transaction", reason } }, holder.attempt);
		return correction;
	} catch (error) {
		// Another purser was first.
		if (error instanceof PurserError && error.kind === "guard") return undefined;
		throw error;
	}
}

const isPaid = (state: IntentRecord["state"]): boolean => state === "accepted" || state === "waiting";

/** Payments other than `holder` that are in doubt, or accepted without an id, and are in everything what the record tells. */
export async function fitting(tools: Correcting, holder: Open | undefined, seen: TransactionView): Promise<Open[]> {
	const { journal, place } = tools;
	const named = transfersOf(seen).map((transfer) => journal.list({ fingerprint: fingerprintOf(transfer), effect: "money" }));
	const alike = (await Promise.all(named)).flat().filter(({ state, id }) => isPaid(state) && id === undefined);
	const doubts = await journal.list({ states: ["in-doubt"], effect: "money" });
	const here = [...doubts, ...alike].filter(isTransfer).filter((one) => one.intent !== holder?.intent && wasSentTo(one, place));
	const found: Open[] = [];
	let payees = 0;
	for (const one of here) {
		const answer = await isIt(tools, one, seen);
		if (answer === "same") found.push(one);
		// The beneficiary's record may say what this one does not.
		else if (answer === "possible" && one.transfer.kind === "beneficiary" && payees++ < mostPayees)
			if ((await isIt(tools, one, seen, await payeeOf(tools, one))) === "same") found.push(one);
	}
	return found;
}

/**
 * Whether a record is a payment without an id. Which of those alike that were counted has whose id nobody knows, so the record may be of the
 * time of any of them.
 */
async function isIt({ journal, settleAfter }: Correcting, one: Open, seen: TransactionView, payee?: Sought["payee"]): Promise<Similarity> {
	const sought = { transfer: one.transfer, payee, begun: beganAt(one) };
	const alone = similarity(sought, seen, settleAfter);
	if (alone !== "possible") return alone;
	const counted = (await journal.list({ states: ["accepted", "waiting"], fingerprint: one.fingerprint })).filter(isCounted);
	const times = timesAround(sought.begun, counted.map(beganAt), settleAfter);
	return similarityToAny(sought, times, seen, settleAfter) === "same" ? "same" : alone;
}

/** The transfers that a record tells of, one for each kind it can be. */
function transfersOf({ senderLedgerId, receiverLedgerId, beneficiaryId, amount, reference }: TransactionView): Transfer[] {
	if (senderLedgerId === undefined || amount === undefined || !/^-?\d+(\.\d+)?$/.test(amount)) return [];
	const rest = { ledgerFromId: senderLedgerId, amount: amount.replace(/^-/, ""), reference };
	return [
		...(receiverLedgerId === undefined ? [] : [{ ...rest, kind: "ledger" as const, counterpartyId: receiverLedgerId }]),
		...(beneficiaryId === undefined ? [] : [{ ...rest, kind: "beneficiary" as const, counterpartyId: beneficiaryId }]),
	];
}

/**
 * Corrects the ids of payments that a list shows otherwise than they were sent. The list alone takes nothing away: each is asked for by
 * itself, and where very many differ, the list is not to be believed and none is.
 * @returns what was taken from whom
 */
export async function correctListed(tools: Correcting, { listed }: Listing): Promise<Correction[]> {
	const byId = new Map(listed.flatMap((one) => (isUuid(one.id) ? [[one.id as string, one] as const] : [])));
	const held = await tools.journal.holderRecords([...byId.keys()]);
	const differing = [...held].filter(([id, { transfer }]) => transfer && differenceOf(transfer, byId.get(id) as TransactionView));
	if (differing.length > Math.max(mostAsked, held.size / 10)) return [];
	const found: Correction[] = [];
	for (const [id] of differing) {
		const seen = await transactionOf(tools.service, id);
		const correction = seen && (await corrected(tools, id, seen));
		if (correction?.taken) found.push(correction);
	}
	return found;
}

/** Payments alike whose ids are not listed as theirs, and that are asked for one by one; where more are not, nothing is counted. */
const mostUnsure = 20;

/**
 * Why what is listed unclaimed may be the own transaction of a payment that holds another one's id. Counting takes what others hold for theirs:
 * so of each payment alike the list, or the transaction itself, must show that it is.
 * @param alike payments that the service answered with an id; what is found to be another's is taken from them
 */
export async function unsure(
	tools: Correcting,
	alike: readonly Open[],
	listing: Listing,
): Promise<{ why?: string; corrections: Correction[] }> {
	const corrections: Correction[] = [];
	let requests = 0;
	for (const { intent, id = "", transfer } of alike) {
		const [line] = listing.of(id);
		if (line !== undefined && differenceOf(transfer, line) === undefined) continue;
		const seen = requests++ < mostUnsure ? await transactionOf(tools.service, id) : undefined;
		if (seen && otherRecord(id, seen.id) === undefined && differenceOf(transfer, seen) === undefined) continue;
		const correction = seen && (await corrected(tools, id, seen));
		if (correction?.taken) corrections.push(correction);
		const why = `intent ${intent} is alike and holds the id ${id}, which the service does not show to be its own, so what is listed may be that one; a person must look`;
		return { why, corrections };
	}
	return { corrections };
}

/**
 * Why a list that shows a doubt under another payment's id alone proves no absence: the id may be the doubt's.
 * @param claimed of what is listed, the ids that others hold, in lower case
 */
export async function contested(
	{ journal, settleAfter }: Correcting,
	doubts: readonly Sought[],
	{ listed, claimed }: { listed: readonly TransactionView[]; claimed: Pick<ReadonlySet<string>, "has"> },
): Promise<string | undefined> {
	const maybe = listed.filter(
		(one) => claimed.has(one.id?.toLowerCase() ?? "") && doubts.some((doubt) => similarity(doubt, one, settleAfter) !== "other"),
	);
	const held = maybe.length === 0 ? undefined : await journal.holderRecords(maybe.map(({ id }) => id as string));
	for (const one of maybe) {
		const holder = held?.get(one.id as string);
		if (holder?.transfer === undefined || differenceOf(holder.transfer, one) === undefined) continue;
		return `transaction ${one.id} is listed otherwise than intent ${holder.intent} was sent, which holds its id, and may be this payment; a person must look`;
	}
	return undefined;
}

/** Why a list that lacks a payment proves nothing: an id that was taken from a payment of that ledger belongs to nobody. */
export async function unexplained(journal: Journal, known: readonly IntentRecord[]): Promise<string | undefined> {
	const taken = known.flatMap(({ id, mistaken }) => (id === undefined && mistaken !== undefined ? [mistaken.id] : []));
	const holders = taken.length === 0 ? new Map<string, string>() : await journal.holders(taken);
	const open = taken.find((id) => !holders.has(id));
	return open === undefined
		? undefined
		: `the service gave the id ${open} to a payment of that time that it shows otherwise, and no other payment is known to be it; a person must look`;
}
