/**
 * Decides whether a transaction listed by the service or a statement is one of our transfers. A deployment may omit any field: a missing
 * field makes a match possible instead of certain, and a possible match never lets a transfer count as not created.
 */

import { sameId } from "../../../api/answer.js";
import type { BeneficiaryView } from "../../../api/operations/beneficiary.js";
import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { canonicalAmount, isDecimal } from "../../rules/decimal.js";
import { comparable } from "../../rules/fingerprint.js";
import { type Span, spanOf } from "./time-span.js";

export type Similarity = "same" | "possible" | "other";

export type Agreement = "yes" | "unknown" | "no";

/** A transfer with the time its attempt began, and the payee's record if it could be read. */
export interface Sought {
	transfer: Transfer;
	/** RFC 3339 UTC. */
	begun: string;
	payee?: Pick<BeneficiaryView, "name" | "friendlyName" | "hostedLedgerId" | "currency">;
}

type Untimed = Omit<Sought, "begun">;

/** How many milliseconds the service's clock may be behind ours. */
export const clockSkew = 10 * 60_000;
/** How many milliseconds our clock may have been ahead unnoticed, because it was set by hand or to another time zone. */
export const farthestSkew = 24 * 3_600_000;

/** @param settleAfter milliseconds within which a transfer that was made appears */
export function similarity(sought: Sought, listed: TransactionView, settleAfter: number): Similarity {
	const found = similarityToAny(sought, [Date.parse(sought.begun)], listed, settleAfter);
	return found === "near" ? "other" : found;
}

/**
 * Compares a transaction with several transfers that differ only in time. `near`: it differs from them in exactly one of reference, amount
 * and date; a list may report that one wrongly, so a person must look. A different ledger or payee is never near.
 * @param begun when each began, in milliseconds, oldest first
 */
export function similarityToAny(
	sought: Untimed,
	begun: readonly number[],
	listed: TransactionView,
	settleAfter: number,
): Similarity | "near" {
	const { transfer } = sought;
	// The cheap comparisons first: most lines differ in payee, amount or time.
	const ledger = agreementOf(transfer.ledgerFromId, listed.senderLedgerId);
	if (ledger === "no") return "other";
	const payee = counterpartyOf(sought, listed);
	if (payee === "no") return "other";
	const amount = amountOf(sought, listed);
	const time = timeOf(begun, normalizedLine(listed).span, settleAfter);
	if (amount === "no" && time === "no") return "other";
	const hasToken = hasOurToken(transfer, listed);
	const reference = hasToken ? "yes" : referenceOf(transfer, listed);
	// Amount or name alone may be reported differently. If both differ and the reference does not match, it is another payment.
	if (reference !== "yes" && showsOtherAmount(transfer, listed) && isOtherName(sought, listed)) return "other";
	const differing = [amount, time, reference].filter((answer) => answer === "no").length;
	if (differing > 0) return differing === 1 ? "near" : "other";
	// The token is unique, so token and amount are enough even if other fields are missing.
	if (hasToken && amount === "yes") return "same";
	return [ledger, payee, amount, time, reference].includes("unknown") ? "possible" : "same";
}

/** Whether a line identifies the payee by an id and not only by name. */
export function identifiesPayee({ kind }: Transfer, { receiverLedgerId, beneficiaryId }: TransactionView): boolean {
	return receiverLedgerId !== undefined || (kind === "beneficiary" && beneficiaryId !== undefined);
}

/** The normalized fields of a line, computed once however many doubts it is compared with. */
interface NormalizedLine {
	bare: string;
	plain: string;
	token: string;
	/** Without sign and insignificant zeros; undefined if it cannot be read. */
	amount?: string;
	span?: Span;
}

const normalizedLines = new WeakMap<TransactionView, NormalizedLine>();

function normalizedLine(listed: TransactionView): NormalizedLine {
	const known = normalizedLines.get(listed);
	if (known) return known;
	const { reference, amount, createdAt } = listed;
	const form = {
		bare: bareReference(reference),
		plain: plain(comparable(reference)),
		token: (reference ?? "").toUpperCase(),
		amount: amount === undefined || !isDecimal(amount) ? undefined : canonicalAmount(amount.replace(/^-/, "")),
		span: spanOf(createdAt),
	};
	normalizedLines.set(listed, form);
	return form;
}

function agreementOf(ours: string, theirs: string | undefined): Agreement {
	if (theirs === undefined) return "unknown";
	return ours === theirs || sameId(ours, theirs) ? "yes" : "no";
}

/**
 * Whether the line's reference contains our token, which identifies the transfer with certainty. A missing token proves nothing, because
 * the reference may have been cut short.
 */
export function hasOurToken({ token }: Transfer, listed: TransactionView): boolean {
	return token !== undefined && normalizedLine(listed).token.includes(token);
}

/** Debits may be listed as negative, and a payment in another currency with the amount debited. */
function amountOf(sought: Untimed, listed: TransactionView): Agreement {
	const { transfer } = sought;
	const { currency } = listed;
	if (normalizedLine(listed).amount === undefined) return "unknown";
	if (showsOtherAmount(transfer, listed)) return mayBeExchanged(sought, currency) ? "unknown" : "no";
	return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency ? "unknown" : "yes";
}

/** Whether the line shows an amount other than the one sent; sign and insignificant zeros are ignored. */
export function showsOtherAmount(transfer: Transfer, listed: TransactionView): boolean {
	const { amount } = normalizedLine(listed);
	return amount !== undefined && amount !== normalizedTransfer(transfer).amount;
}

/**
 * Whether a different amount may be the debited amount after an exchange. The payment's amount is in the currency of the beneficiary's
 * account (specification 2.8). The recorded currency may be the ledger's, assumed because the service reported none, so only the
 * currency in the account's own record counts here.
 */
function mayBeExchanged({ transfer, payee }: Untimed, currency: string | undefined): boolean {
	if (transfer.kind === "beneficiary") return payee?.currency === undefined || currency !== payee.currency;
	return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency;
}

/**
 * Compares references. A service may change the case, shorten or extend a reference, or add a missing one. A rail may transliterate
 * accented
 * letters (É as E, ?, a point or nothing) and change or drop points, commas and spaces. Such changes give `unknown`.
 */
export function referenceOf(transfer: Transfer, listed: TransactionView): Agreement {
	const ours = normalizedTransfer(transfer);
	const theirs = normalizedLine(listed);
	if (ours.bare === theirs.bare) return "yes";
	if (ours.bare === "" || theirs.bare === "") return "unknown";
	return ours.bare.includes(theirs.bare) || theirs.bare.includes(ours.bare) || mayBeWritten(ours, theirs.plain) ? "unknown" : "no";
}

/** Normalizes a reference for comparison, ignoring case. */
export function bareReference(reference: string | undefined): string {
	return comparable(reference).toUpperCase();
}

/** The normalized amount and reference of a transfer; `parts` are the pieces of the reference that a rail leaves unchanged. */
interface NormalizedTransfer {
	amount: string;
	bare: string;
	plain: string;
	parts: readonly string[];
}

const normalizedTransfers = new WeakMap<Transfer, NormalizedTransfer>();

function normalizedTransfer(transfer: Transfer): NormalizedTransfer {
	const known = normalizedTransfers.get(transfer);
	if (known) return known;
	const text = comparable(transfer.reference);
	const written = {
		amount: canonicalAmount(transfer.amount),
		bare: bareReference(transfer.reference),
		plain: plain(text),
		parts: text.split(/[^\p{ASCII}]+/u).map(plain),
	};
	normalizedTransfers.set(transfer, written);
	return written;
}

/** Whether a reference may be ours as a rail rewrote it: without accents, or containing the unchanged parts of ours in order. */
function mayBeWritten({ plain: whole, parts }: NormalizedTransfer, written: string): boolean {
	if (whole.includes(written) || written.includes(whole)) return true;
	let from = 0;
	for (const part of parts) {
		const place = written.indexOf(part, from);
		if (place < 0) return false;
		from = place + part.length;
	}
	return true;
}

/** Reduces a text to the letters and digits that every rail supports. */
function plain(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/[^A-Za-z0-9]/g, "")
		.toUpperCase();
}

function counterpartyOf({ transfer, payee }: Untimed, listed: TransactionView): Agreement {
	if (transfer.kind === "ledger") return agreementOf(transfer.counterpartyId, listed.receiverLedgerId);
	if (listed.beneficiaryId !== undefined) return agreementOf(transfer.counterpartyId, listed.beneficiaryId);
	if (payee?.hostedLedgerId !== undefined && listed.receiverLedgerId !== undefined)
		return agreementOf(payee.hostedLedgerId, listed.receiverLedgerId);
	const names = namesOf(payee);
	if (names.length === 0 || listed.receiverName === undefined) return "unknown";
	// Banks may spell names differently, so a different name alone never proves a different payee.
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

/** @param begun in milliseconds, oldest first */
function timeOf(begun: readonly number[], span: Span | undefined, settleAfter: number): Agreement {
	if (span === undefined) return "unknown";
	if (span.to < (begun[0] as number) - farthestSkew) return "no";
	// Binary search for the latest transfer that began before the transaction.
	let [low, high] = [0, begun.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((begun[middle] as number) - clockSkew <= span.to) low = middle + 1;
		else high = middle;
	}
	// A transaction before all of them, or after the settling time, is `unknown` because our clock may have been wrong; a person must look.
	return low > 0 && span.from <= (begun[low - 1] as number) + settleAfter ? "yes" : "unknown";
}
