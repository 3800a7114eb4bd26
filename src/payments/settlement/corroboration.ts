/**
 * Whether the service's list can be believed where it shows nothing. It is checked by what we know: every payment that the service named in
 * its answers must stand in it, once, and agree in each field by which a transfer is recognised. A list in other units, of another ledger,
 * with references of its own or with another clock would not show a payment in doubt either, however complete it looks.
 */

import { sameId } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { finalTransactionStatuses } from "../../api/values.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { acceptedPayments, type CheckScope, type Covers, type KnownPayment, keyOf, knownOf, openTransfers } from "./lists/known.js";
import type { Listing } from "./lists/listing.js";
import type { StatusOf } from "./matching/look-ups.js";
import { bareReference, clockSkew, farthestSkew, referenceOf, tellsOtherAmount } from "./matching/similarity.js";
import { spanOf } from "./matching/time-span.js";

/** What the check of a list found. */
export interface Corroboration {
	/** Why it is known to be wrong or not complete, in words: it says nothing of what it does not show. */
	lacks?: string;
	/** Why it proves nothing by itself, although nothing speaks against it, in words. */
	unproven?: string;
}

/** Most payments that are not listed and are asked for one by one: where more are missing, a list is not complete, whatever became of them. */
const mostAsked = 20;

/** Holds the service's list against all that is known. */
export async function checkList(
	journal: Journal,
	listing: Listing,
	asked: CheckScope,
	statusOf: StatusOf,
): Promise<Corroboration & { /** Payments of the time that lost a mistaken id, and whose own is not known. */ mistaken: IntentRecord[] }> {
	const seen: Seen = { missing: [], taken: new Map(), unnamed: [], sure: false };
	const mistaken: IntentRecord[] = [];
	let lacks: string | undefined;
	for await (const page of acceptedPayments(journal, asked))
		for (const record of page) {
			if (record.id === undefined && record.mistaken !== undefined) mistaken.push(record);
			lacks ??= hold(seen, knownOf(record), listing, asked);
		}
	lacks ??= notListed(await stillMissing(seen.missing, listing, statusOf)) ?? (await doubled(journal, listing, seen));
	return lacks === undefined ? { unproven: seen.sure ? seen.doubtful : noneKnown, mistaken } : { lacks, mistaken };
}

/** What the check saw so far. */
interface Seen {
	/** Known payments without a line. */
	missing: KnownPayment[];
	/** The lines of known payments. */
	taken: Map<TransactionView, KnownPayment>;
	/** Accepted, but not under an id of the service's. */
	unnamed: Transfer[];
	/** A payment that the service named stands there as it was sent. */
	sure: boolean;
	/** What was told in a way that is no measure, in words. */
	doubtful?: string;
}

/** Holds the list against one payment. @returns why it is known to be wrong, in words */
function hold(seen: Seen, known: KnownPayment, listing: Listing, { covers, settleAfter }: CheckScope): string | undefined {
	const { id, intent, transfer } = known;
	if (id === undefined) {
		seen.unnamed.push(transfer);
		return undefined;
	}
	const [line, second] = listing.of(id);
	if (line === undefined)
		return isDue(known, covers, settleAfter) && seen.missing.push(known) > mostAsked ? notListed(seen.missing) : undefined;
	if (second !== undefined) return `the service lists transaction ${id} (intent ${intent}) twice`;
	const { other, open } = comparison(known, line);
	if (other !== undefined)
		return `the service lists transaction ${id} (intent ${intent}) with another ${other} than was sent, so it may list this payment otherwise too`;
	seen.taken.set(line, known);
	if (open !== undefined) seen.doubtful ??= `what it tells of the ${open} of transaction ${id} (intent ${intent}) is not what was sent`;
	else if (known.sure) seen.sure = true;
	return undefined;
}

const noneKnown =
	"no payment from this ledger is known to be made in the time of the list, with its clock, so nothing shows that the list can be believed";

function notListed(missing: readonly KnownPayment[]): string | undefined {
	const [first] = missing;
	if (first === undefined) return undefined;
	const others = missing.length > mostAsked ? `, and it is not the only one` : "";
	return `the service does not list transaction ${first.id} (intent ${first.intent}), which it made from this ledger in that time${others}`;
}

/** Whether a payment must stand in a list: not one of its first and last moments, nor one that may yet appear. */
export function isDue({ at, timed }: KnownPayment, { from, to }: Covers, settleAfter: number): boolean {
	return at - (timed ? clockSkew : farthestSkew) >= from && at <= to - settleAfter;
}

/** A payment that ended without success may be left out, where a list shows none that ended so. */
async function stillMissing(missing: readonly KnownPayment[], listing: Listing, statusOf: StatusOf): Promise<KnownPayment[]> {
	if (missing.length === 0) return [];
	const shown = listing.statuses ?? new Set(listing.listed.map(({ status }) => status));
	const gone: KnownPayment[] = [];
	for (const known of missing) {
		const status = await statusOf(known.id as string);
		if (status === undefined || !isUnsuccessful(status) || shown.has(status)) gone.push(known);
	}
	return gone;
}

/** Whether a status is final and no success. */
export function isUnsuccessful(status: string): boolean {
	return status !== "APPROVED" && finalTransactionStatuses.includes(status);
}

/**
 * How a line of a payment agrees with it. `other`: the field that is another one; `open`: the field that is told in a way that a service may
 * choose (an exchanged amount, a reference cut short), so that it is no measure.
 */
export function comparison({ transfer, at, timed, sure }: KnownPayment, listed: TransactionView): { other?: string; open?: string } {
	if (listed.senderLedgerId !== undefined && !sameId(listed.senderLedgerId, transfer.ledgerFromId)) return { other: "debited ledger" };
	const payee = transfer.kind === "ledger" ? listed.receiverLedgerId : listed.beneficiaryId;
	if (payee !== undefined && !sameId(payee, transfer.counterpartyId)) return { other: "payee" };
	const exchanged = isExchanged(transfer, listed);
	if (!exchanged && tellsOtherAmount(transfer, listed)) return { other: "amount" };
	if (!exchanged && transfer.currency !== undefined && listed.currency !== undefined && listed.currency !== transfer.currency)
		return { other: "currency" };
	const span = spanOf(listed.createdAt);
	const [before, after] = timed && sure ? [clockSkew, clockSkew] : [farthestSkew, farthestSkew];
	if (span !== undefined && (span.to < at - before || span.from > at + after)) return { other: "time" };
	const reference = referenceOf(transfer, listed);
	if (reference === "no") return { other: "reference" };
	if (exchanged) return { open: "amount" };
	// What is not told of a payment is not told of a doubt either, whose line may be it then.
	return { open: reference === "unknown" && bareReference(listed.reference) !== "" ? "reference" : undefined };
}

/** What goes to a beneficiary may be listed with what left the ledger, in the ledger's currency. */
function isExchanged(transfer: Transfer, listed: TransactionView): boolean {
	if (transfer.kind !== "beneficiary" || listed.currency === undefined || listed.currency === transfer.currency) return false;
	return tellsOtherAmount(transfer, listed);
}

/** Whether payments stand there more than once under ids of their own: then how many are listed says nothing of how many were made. */
async function doubled(journal: Journal, listing: Listing, { taken, unnamed }: Seen): Promise<string | undefined> {
	if (taken.size === 0 || taken.size === listing.listed.length) return undefined;
	const times = new Map<string, { from: number; known: KnownPayment }[]>();
	for (const [line, known] of taken) {
		const key = keyWithPayee(line);
		const from = spanOf(line.createdAt)?.from;
		const those = times.get(key) ?? [];
		times.set(key, those);
		if (from !== undefined && those.length < mostAlike) those.push({ from, known });
	}
	const open = new Set([...(await openTransfers(journal)), ...unnamed].map(transferKey));
	const extra = listing.listed.flatMap((line) => {
		const from = spanOf(line.createdAt)?.from;
		const alike = taken.has(line) || from === undefined ? undefined : times.get(keyWithPayee(line));
		const near = alike?.find((one) => Math.abs(one.from - (from as number)) <= clockSkew && !open.has(transferKey(one.known.transfer)));
		return near && line.id !== undefined ? [{ id: line.id, known: near.known }] : [];
	});
	if (extra.length === 0) return undefined;
	const held = await journal.holders(extra.map(({ id }) => id.toLowerCase()));
	const unheld = extra.find(({ id }) => !held.has(id.toLowerCase()));
	return unheld && `the service lists the payment of intent ${unheld.known.intent} twice, as ${unheld.known.id} and as ${unheld.id}`;
}

/** Payments alike of which the times are kept: more of one minute are no measure of what is listed twice. */
const mostAlike = 50;

const transferKey = ({ counterpartyId, amount, reference }: Transfer): string => keyOf(counterpartyId, amount, reference);

function keyWithPayee({ receiverLedgerId, beneficiaryId, receiverName, amount, reference }: TransactionView): string {
	return keyOf(receiverLedgerId ?? beneficiaryId ?? receiverName, amount, reference);
}
