/**
 * Whether a transaction that the service or a statement lists is a transfer of ours. A deployment may leave out any field:
 * what is missing makes it possible, never sure, and what is possible never lets a transfer count as not created.
 */

import type { BeneficiaryView } from "../../../api/operations/beneficiary.js";
import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { canonicalAmount, isDecimal } from "../../rules/decimal.js";
import { comparable } from "../../rules/fingerprint.js";
import { type Span, spanOf } from "./time-span.js";

export type Similarity = "same" | "possible" | "other";

export type Agreement = "yes" | "unknown" | "no";

/** A transfer with the time its attempt began, and the payee's record where it could be read. */
export interface Sought {
	transfer: Transfer;
	/** RFC 3339 UTC. */
	begun: string;
	payee?: Pick<BeneficiaryView, "name" | "friendlyName" | "hostedLedgerId" | "currency">;
}

type Untimed = Omit<Sought, "begun">;

/** Milliseconds that the service's clock may be behind ours. */
export const clockSkew = 10 * 60_000;
/** Milliseconds that ours may have been ahead, unnoticed, when it was sent: a clock set to another time zone, or by hand. */
export const farthestSkew = 24 * 3_600_000;

/** @param settleAfter milliseconds within which a transfer that was made appears */
export function similarity(sought: Sought, listed: TransactionView, settleAfter: number): Similarity {
	const found = similarityToAny(sought, [Date.parse(sought.begun)], listed, settleAfter);
	return found === "near" ? "other" : found;
}

/**
 * The same of several transfers that differ in their time alone. `near`: it is none of them by one property, its reference, its amount or
 * its date; a list may tell that one wrongly, so a person looks. Another ledger or payee that is told is never near.
 * @param begun when each began, in milliseconds, the oldest first
 */
export function similarityToAny(
	sought: Untimed,
	begun: readonly number[],
	listed: TransactionView,
	settleAfter: number,
): Similarity | "near" {
	const { transfer } = sought;
	// What is quickly answered first: most of a list is another payment by its payee, its amount or its time.
	const ledger = sameOr(transfer.ledgerFromId, listed.senderLedgerId);
	if (ledger === "no") return "other";
	const payee = counterpartyOf(sought, listed);
	if (payee === "no") return "other";
	const amount = amountOf(sought, listed);
	const time = timeOf(begun, formOf(listed).span, settleAfter);
	if (amount === "no" && time === "no") return "other";
	const marked = isMarked(transfer, listed);
	const reference = marked ? "yes" : referenceOf(transfer, listed);
	// Either may be told in another way; both at once, and no reference in common, is another payment.
	if (reference !== "yes" && tellsOtherAmount(transfer, listed) && isOtherName(sought, listed)) return "other";
	const off = [amount, time, reference].filter((answer) => answer === "no").length;
	if (off > 0) return off === 1 ? "near" : "other";
	// A token is ours alone: with it, and with the amount, nothing else need be told.
	if (marked && amount === "yes") return "same";
	return [ledger, payee, amount, time, reference].includes("unknown") ? "possible" : "same";
}

/** Whether a line tells the payee by an id, which no other payee has, and not by a name alone. */
export function tellsPayee({ kind }: Transfer, { receiverLedgerId, beneficiaryId }: TransactionView): boolean {
	return receiverLedgerId !== undefined || (kind === "beneficiary" && beneficiaryId !== undefined);
}

/** What is read of a line once, however many doubts it is held against. */
interface Form {
	bare: string;
	plain: string;
	token: string;
	/** Without its sign and needless zeros; undefined where it cannot be read. */
	amount?: string;
	span?: Span;
}

const forms = new WeakMap<TransactionView, Form>();

function formOf(listed: TransactionView): Form {
	const known = forms.get(listed);
	if (known) return known;
	const { reference, amount, createdAt } = listed;
	const form = {
		bare: bareReference(reference),
		plain: plain(comparable(reference)),
		token: (reference ?? "").toUpperCase(),
		amount: amount === undefined || !isDecimal(amount) ? undefined : canonicalAmount(amount.replace(/^-/, "")),
		span: spanOf(createdAt),
	};
	forms.set(listed, form);
	return form;
}

function sameOr(ours: string, theirs: string | undefined): Agreement {
	if (theirs === undefined) return "unknown";
	return ours === theirs || ours.toLowerCase() === theirs.toLowerCase() ? "yes" : "no";
}

/**
 * Whether our token stands in it: then it is ours by more than counting, for somebody else's payment alike has none. Where it does not,
 * that says nothing by itself: the reference may have been cut short.
 */
export function isMarked({ token }: Transfer, listed: TransactionView): boolean {
	return token !== undefined && formOf(listed).token.includes(token);
}

/** Debits may be listed as negative, and a payment into another currency with what left the ledger. */
function amountOf(sought: Untimed, listed: TransactionView): Agreement {
	const { transfer } = sought;
	const { currency } = listed;
	if (formOf(listed).amount === undefined) return "unknown";
	if (tellsOtherAmount(transfer, listed)) return mayBeExchanged(sought, currency) ? "unknown" : "no";
	return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency ? "unknown" : "yes";
}

/** Whether an amount is told that is another one than was sent; a sign and needless zeros do not count. */
export function tellsOtherAmount(transfer: Transfer, listed: TransactionView): boolean {
	const { amount } = formOf(listed);
	return amount !== undefined && amount !== writtenOf(transfer).amount;
}

/**
 * Whether another amount may be what left the ledger. The amount is in the currency of the beneficiary's account (specification 2.8), and
 * that on record may be the ledger's, taken for it where the service told none: only what the account's own record says counts here.
 */
function mayBeExchanged({ transfer, payee }: Untimed, currency: string | undefined): boolean {
	if (transfer.kind === "beneficiary") return payee?.currency === undefined || currency !== payee.currency;
	return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency;
}

/**
 * A service may change the case, cut a reference short or add to it, or put one where there was none; a rail may write an accented
 * letter in its own way (É as E, ?, a point or nothing) and change or leave out points, commas and spaces.
 */
export function referenceOf(transfer: Transfer, listed: TransactionView): Agreement {
	const ours = writtenOf(transfer);
	const theirs = formOf(listed);
	if (ours.bare === theirs.bare) return "yes";
	if (ours.bare === "" || theirs.bare === "") return "unknown";
	return ours.bare.includes(theirs.bare) || theirs.bare.includes(ours.bare) || mayBeWritten(ours, theirs.plain) ? "unknown" : "no";
}

/** A reference in the form in which two are compared. */
export function bareReference(reference: string | undefined): string {
	return comparable(reference).toUpperCase();
}

/** Our amount without needless zeros, our reference, and the parts of it that a rail leaves alone. */
interface Written {
	amount: string;
	bare: string;
	plain: string;
	parts: readonly string[];
}

const writing = new WeakMap<Transfer, Written>();

function writtenOf(transfer: Transfer): Written {
	const known = writing.get(transfer);
	if (known) return known;
	const text = comparable(transfer.reference);
	const written = {
		amount: canonicalAmount(transfer.amount),
		bare: bareReference(transfer.reference),
		plain: plain(text),
		parts: text.split(/[^\p{ASCII}]+/u).map(plain),
	};
	writing.set(transfer, written);
	return written;
}

/** Whether one may be the other as a rail wrote it: without accents, or with what a rail leaves alone of ours standing in it, in order. */
function mayBeWritten({ plain: whole, parts }: Written, written: string): boolean {
	if (whole.includes(written) || written.includes(whole)) return true;
	let from = 0;
	for (const part of parts) {
		const place = written.indexOf(part, from);
		if (place < 0) return false;
		from = place + part.length;
	}
	return true;
}

/** The letters and digits that every rail carries. */
function plain(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/[^A-Za-z0-9]/g, "")
		.toUpperCase();
}

function counterpartyOf({ transfer, payee }: Untimed, listed: TransactionView): Agreement {
	if (transfer.kind === "ledger") return sameOr(transfer.counterpartyId, listed.receiverLedgerId);
	if (listed.beneficiaryId !== undefined) return sameOr(transfer.counterpartyId, listed.beneficiaryId);
	if (payee?.hostedLedgerId !== undefined && listed.receiverLedgerId !== undefined)
		return sameOr(payee.hostedLedgerId, listed.receiverLedgerId);
	const names = namesOf(payee);
	if (names.length === 0 || listed.receiverName === undefined) return "unknown";
	// A bank may write a name in its own way: another name alone never proves that it is another payee.
	return names.includes(folded(listed.receiverName)) ? "yes" : "unknown";
}

function isOtherName({ transfer, payee }: Untimed, { beneficiaryId, receiverName }: TransactionView): boolean {
	if (transfer.kind === "ledger" || beneficiaryId !== undefined || receiverName === undefined) return false;
	const names = namesOf(payee);
	return names.length > 0 && !names.includes(folded(receiverName));
}

function namesOf(payee: Sought["payee"]): string[] {
	return [payee?.name, payee?.friendlyName].filter((name) => name !== undefined).map(folded);
}

function folded(name: string): string {
	return name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** @param begun in milliseconds, the oldest first */
function timeOf(begun: readonly number[], span: Span | undefined, settleAfter: number): Agreement {
	if (span === undefined) return "unknown";
	if (span.to < (begun[0] as number) - farthestSkew) return "no";
	// The latest that began before it.
	let [low, high] = [0, begun.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((begun[middle] as number) - clockSkew <= span.to) low = middle + 1;
		else high = middle;
	}
	// What is from before each, or appears only after the settling time, is looked at by a person: our clock may have been wrong.
	return low > 0 && span.from <= (begun[low - 1] as number) + settleAfter ? "yes" : "unknown";
}
