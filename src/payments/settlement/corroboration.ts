/**
 * Decides whether the absence of a payment from the service's list can be believed. The list is checked against known payments: every
 * payment
 * that the service confirmed with an id must appear in it exactly once and agree in each field that identifies a transfer. A list with
 * other units, of another ledger, with rewritten references or with another clock would not show a payment in doubt either,
 * however complete it looks.
 */

import { sameId } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { finalTransactionStatuses } from "../../api/values.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { acceptedPayments, type CheckScope, type Covers, type KnownPayment, keyOf, knownOf, openTransfers } from "./lists/known.js";
import type { Listing } from "./lists/listing.js";
import type { StatusOf } from "./matching/look-ups.js";
import { bareReference, clockSkew, farthestSkew, referenceOf, showsOtherAmount } from "./matching/similarity.js";
import { spanOf } from "./matching/time-span.js";

/** The result of checking a list. */
export interface Corroboration {
	/** Why it is known to be wrong or incomplete, for people; what it does not show then means nothing. */
	lacks?: string;
	/** Why it proves nothing by itself although no fault was found, for people. */
	unproven?: string;
}

/** Most missing payments that are read individually; if more are missing, the list is incomplete whatever their status. */
const maxMissing = 20;

/** Checks the service's list against all known payments. */
export async function checkList(
	journal: Journal,
	listing: Listing,
	scope: CheckScope,
	statusOf: StatusOf,
): Promise<
	Corroboration & { /** Payments of that period that lost a mistaken id and whose own id is not known. */ mistaken: IntentRecord[] }
> {
	const state: CheckState = { missing: [], taken: new Map(), unnamed: [], sure: false };
	const mistaken: IntentRecord[] = [];
	let lacks: string | undefined;
	for await (const page of acceptedPayments(journal, scope))
		for (const record of page) {
			if (record.id === undefined && record.mistaken !== undefined) mistaken.push(record);
			lacks ??= checkPayment(state, knownOf(record), listing, scope);
		}
	lacks ??= notListedText(await stillMissing(state.missing, listing, statusOf)) ?? (await listedTwice(journal, listing, state));
	return lacks === undefined ? { unproven: state.sure ? state.doubtful : noKnownPayment, mistaken } : { lacks, mistaken };
}

/** The state of the check. */
interface CheckState {
	/** Known payments without a line. */
	missing: KnownPayment[];
	/** The lines of known payments. */
	taken: Map<TransactionView, KnownPayment>;
	/** Accepted payments without an id from the service. */
	unnamed: Transfer[];
	/** At least one payment confirmed by the service is listed exactly as it was sent. */
	sure: boolean;
	/** A difference that neither confirms nor refutes the list, for people. */
	doubtful?: string;
}

/** Checks the list against one payment. @returns why the list is known to be wrong, for people */
function checkPayment(state: CheckState, known: KnownPayment, listing: Listing, { covers, settleAfter }: CheckScope): string | undefined {
	const { id, intent, transfer } = known;
	if (id === undefined) {
		state.unnamed.push(transfer);
		return undefined;
	}
	const [line, second] = listing.of(id);
	if (line === undefined)
		return isDue(known, covers, settleAfter) && state.missing.push(known) > maxMissing ? notListedText(state.missing) : undefined;
	if (second !== undefined) return `the service lists transaction ${id} (intent ${intent}) twice`;
	const { other, open } = comparison(known, line);
	if (other !== undefined)
		return `the service lists transaction ${id} (intent ${intent}) with a different ${other} than was sent, so it may list this payment differently too`;
	state.taken.set(line, known);
	if (open !== undefined) state.doubtful ??= `the ${open} of transaction ${id} (intent ${intent}) in the list is not what was sent`;
	else if (known.sure) state.sure = true;
	return undefined;
}

const noKnownPayment =
	"no payment from this ledger is known to be made in the time of the list, so nothing shows that the list is reliable";

function notListedText(missing: readonly KnownPayment[]): string | undefined {
	const [first] = missing;
	if (first === undefined) return undefined;
	const others = missing.length > maxMissing ? `, and it is not the only one` : "";
	return `the service does not list transaction ${first.id} (intent ${first.intent}), which it made from this ledger in that time${others}`;
}

/** Whether a payment must be listed: it is not at the very start or end of the covered time, and no longer too recent to appear. */
export function isDue({ at, timed }: KnownPayment, { from, to }: Covers, settleAfter: number): boolean {
	return at - (timed ? clockSkew : farthestSkew) >= from && at <= to - settleAfter;
}

/** The payments that are really missing: a list may omit unsuccessful payments, if it shows none with that status. */
async function stillMissing(missing: readonly KnownPayment[], listing: Listing, statusOf: StatusOf): Promise<KnownPayment[]> {
	if (missing.length === 0) return [];
	const shown = listing.statuses ?? new Set(listing.listed.map(({ status }) => status));
	const reallyMissing: KnownPayment[] = [];
	for (const known of missing) {
		const status = await statusOf(known.id as string);
		if (status === undefined || !isUnsuccessful(status) || shown.has(status)) reallyMissing.push(known);
	}
	return reallyMissing;
}

/** Whether a status is final but not successful. */
export function isUnsuccessful(status: string): boolean {
	return status !== "APPROVED" && finalTransactionStatuses.includes(status);
}

/**
 * Compares a listed line with its payment. `other`: the field that contradicts it; `open`: a field that differs in a way that services may
 * choose (an exchanged amount, a shortened reference), which proves nothing either way.
 */
export function comparison({ transfer, at, timed, sure }: KnownPayment, listed: TransactionView): { other?: string; open?: string } {
	if (listed.senderLedgerId !== undefined && !sameId(listed.senderLedgerId, transfer.ledgerFromId)) return { other: "debited ledger" };
	const payee = transfer.kind === "ledger" ? listed.receiverLedgerId : listed.beneficiaryId;
	if (payee !== undefined && !sameId(payee, transfer.counterpartyId)) return { other: "payee" };
	const exchanged = isExchanged(transfer, listed);
	if (!exchanged && showsOtherAmount(transfer, listed)) return { other: "amount" };
	if (!exchanged && transfer.currency !== undefined && listed.currency !== undefined && listed.currency !== transfer.currency)
		return { other: "currency" };
	const span = spanOf(listed.createdAt);
	const [before, after] = timed && sure ? [clockSkew, clockSkew] : [farthestSkew, farthestSkew];
	if (span !== undefined && (span.to < at - before || span.from > at + after)) return { other: "time" };
	const reference = referenceOf(transfer, listed);
	if (reference === "no") return { other: "reference" };
	if (exchanged) return { open: "amount" };
	// A reference that the list omits is no difference: it omits the doubt's too, and matching allows for that.
	return { open: reference === "unknown" && bareReference(listed.reference) !== "" ? "reference" : undefined };
}

/** Whether a payment to a beneficiary is listed with the amount debited, in the ledger's currency. */
function isExchanged(transfer: Transfer, listed: TransactionView): boolean {
	if (transfer.kind !== "beneficiary" || listed.currency === undefined || listed.currency === transfer.currency) return false;
	return showsOtherAmount(transfer, listed);
}

/** Whether a payment is listed twice under different ids; the number of lines then says nothing about the number of payments. */
async function listedTwice(journal: Journal, listing: Listing, { taken, unnamed }: CheckState): Promise<string | undefined> {
	if (taken.size === 0 || taken.size === listing.listed.length) return undefined;
	const times = new Map<string, { from: number; known: KnownPayment }[]>();
	for (const [line, known] of taken) {
		const key = keyWithPayee(line);
		const from = spanOf(line.createdAt)?.from;
		const stored = times.get(key) ?? [];
		times.set(key, stored);
		if (from !== undefined && stored.length < maxTimesPerKey) stored.push({ from, known });
	}
	const open = new Set([...(await openTransfers(journal)), ...unnamed].map(transferKey));
	const extra = listing.listed.flatMap((line) => {
		const from = spanOf(line.createdAt)?.from;
		const sameKey = taken.has(line) || from === undefined ? undefined : times.get(keyWithPayee(line));
		const near = sameKey?.find((one) => Math.abs(one.from - (from as number)) <= clockSkew && !open.has(transferKey(one.known.transfer)));
		return near && line.id !== undefined ? [{ id: line.id, known: near.known }] : [];
	});
	if (extra.length === 0) return undefined;
	const held = await journal.holders(extra.map(({ id }) => plainId(id)));
	const unheld = extra.find(({ id }) => !held.has(plainId(id)));
	return unheld && `the service lists the payment of intent ${unheld.known.intent} twice, as ${unheld.known.id} and as ${unheld.id}`;
}

/** Most duplicates whose times are stored for each key, to bound the comparison. */
const maxTimesPerKey = 50;

const transferKey = ({ counterpartyId, amount, reference }: Transfer): string => keyOf(counterpartyId, amount, reference);

function keyWithPayee({ receiverLedgerId, beneficiaryId, receiverName, amount, reference }: TransactionView): string {
	return keyOf(receiverLedgerId ?? beneficiaryId ?? receiverName, amount, reference);
}
