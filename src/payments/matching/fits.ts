/**
 * Whether a line may be one of our payments. Every decision uses this one idea of "the same": a wider one would let a line settle the wrong
 * doubt. A deployment may omit or change any field, so what is missing makes a fit possible, and only what contradicts rules it out. Pure.
 */

import { sameId } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { type Span, spanOf } from "../../api/text/duration.js";
import { plainId } from "../../api/text/ids.js";
import type { IntentState } from "../../ports/intent.js";
import { canonicalAmount, isDecimal } from "../rules/decimal.js";

/** How many milliseconds before the attempt a line may be dated: the service's clock and ours agree only so far. */
export const clockTolerance = 10 * 60_000;

export interface Payee {
	/** The ledger that hosts the account, where the service names one. */
	hostedLedgerId?: string;
	/** Those of its names that no other beneficiary has in the company's whole list; empty where that list is not known. */
	alone: readonly string[];
	/** What the account is in, ISO 4217. */
	currency?: string;
}

/** One attempt of ours that may own a line. An intent that was sent twice is two payments. */
export interface Payment {
	intent: string;
	attempt: number;
	state: IntentState;
	transfer: Transfer;
	/** When the attempt began, in milliseconds: by the service's clock where `timed`. */
	begun: number;
	/** Whether it is known how this machine's clock differed from the service's. */
	timed: boolean;
	/** Where that is not known: whether this machine's clock is right by now, and `begun` is taken by it. */
	isLikely?: boolean;
	/** The id of the service that it holds, plain. */
	id?: string;
	/** Ids that it held before it was reopened, plain: only a person gives one of them to a payment. */
	formerIds?: readonly string[];
	/** Lines that a person declared to be other payments, plain ids. */
	notThis?: readonly string[];
	payee?: Payee;
}

export interface Line extends TransactionView {
	span?: Span;
	/** Without sign and insignificant zeros; undefined if it cannot be read. */
	value?: string;
	letters: string;
}

/** How one field of a line compares with the payment's. `missing` also stands for cut, not unique and not comparable. */
export type Agreement = "same" | "missing" | "different";

export type Fit = "surely" | "possibly" | "no";

export type Comparison = { fit: Fit } & Record<"ledger" | "party" | "amount" | "reference" | "time", Agreement>;

/** A line as it is compared. @param offset minutes by which times without a zone are ahead of UTC, where that is known */
export function lineOf(view: TransactionView, offset?: number): Line {
	return {
		...view,
		span: spanOf(view.createdAt, offset),
		value: isDecimal(view.amount ?? "") ? unsigned(view.amount) : undefined,
		letters: lettersOf(view.reference),
	};
}

/** An amount as it is compared: without sign and insignificant zeros. */
export const unsigned = (amount = ""): string => canonicalAmount(amount.replace(/^-/, ""));

/** @param settleAfter milliseconds within which a payment that was made is listed */
export function compare(payment: Payment, line: Line, settleAfter: number): Comparison {
	const ledger = agreementOf(payment.transfer.ledgerFromId, line.senderLedgerId);
	const reference = referenceAgreement(payment.transfer.reference, line);
	const isDistinguished = reference === "same" && line.letters !== "";
	const party = partyAgreement(payment, line, isDistinguished);
	const amount = amountAgreement(payment, line, party === "same" && isDistinguished);
	const fields = { ledger, party, amount, reference, time: timeAgreement(payment, line, settleAfter) };
	const all = Object.values(fields);
	// What never left this machine was not made: a line is none of it.
	const isNone = isDeclared(payment, line) || payment.state === "not-sent" || all.includes("different");
	return { fit: isNone ? "no" : all.includes("missing") ? "possibly" : "surely", ...fields };
}

export const isDeclared = ({ notThis }: Payment, { id }: Line): boolean => id !== undefined && notThis?.includes(plainId(id)) === true;

export const holds = ({ id }: Payment, line: Line): boolean => id !== undefined && id === plainId(line.id);

/** Whether the payment holds the line's id, or held it before it was reopened. */
export const isBound = (payment: Payment, line: Line): boolean =>
	holds(payment, line) || (line.id !== undefined && payment.formerIds?.includes(plainId(line.id)) === true);

/** The key of everything that was sent, which the currency is not: payments with one key cannot be told apart by what a list shows. */
export function sentKey({ transfer: { kind, ledgerFromId, counterpartyId, amount, reference } }: Payment): string {
	return JSON.stringify([kind, plainId(ledgerFromId), plainId(counterpartyId), canonicalAmount(amount), asSent(reference)]);
}

const otherCharacters = /[^\p{L}\p{N}]/gu;

/** The letters and digits of a reference, in upper case and without accents. */
export const lettersOf = (reference: string | undefined): string =>
	(reference ?? "").normalize("NFKD").replace(otherCharacters, "").toUpperCase();

/** A reference letter by letter, however its accents are encoded. */
export const asSent = (reference = ""): string => reference.normalize("NFC");

export const folded = (name: string): string => name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();

function agreementOf(ours: string | undefined, theirs: string | undefined): Agreement {
	if (ours === undefined || theirs === undefined) return "missing";
	return sameId(ours, theirs) ? "same" : "different";
}

/** @param isDistinguished whether the reference agrees and is not empty: a name alone is not enough */
function partyAgreement({ transfer, payee }: Payment, line: Line, isDistinguished: boolean): Agreement {
	const { beneficiaryId, receiverLedgerId, receiverName } = line;
	if (transfer.kind === "ledger") {
		const agreement = agreementOf(transfer.counterpartyId, receiverLedgerId);
		// A line that names a beneficiary is rather a payment to that beneficiary, whom the ledger hosts.
		return beneficiaryId !== undefined && agreement === "same" ? "missing" : agreement;
	}
	if (beneficiaryId !== undefined) return agreementOf(transfer.counterpartyId, beneficiaryId);
	// Where the service detects that the account is a ledger of its own, the line names that ledger (specification 4, rule 2).
	if (receiverLedgerId !== undefined) return agreementOf(payee?.hostedLedgerId, receiverLedgerId);
	// Banks spell names in many ways, so another name does not contradict.
	return isDistinguished && receiverName !== undefined && payee?.alone.includes(folded(receiverName)) ? "same" : "missing";
}

/** What a payment's amount is in, where that is known: what the beneficiary's account is in goes before what a person stated. */
export const currencyOf = ({ transfer, payee }: Payment): string | undefined => payee?.currency ?? transfer.currency;

/** @param recognised whether party and reference agree, so that another amount may be the one after an exchange */
function amountAgreement(payment: Payment, { value, currency }: Line, recognised: boolean): Agreement {
	if (value === undefined) return "missing";
	const { transfer, payee } = payment;
	const ours = currencyOf(payment);
	if (ours !== undefined && currency !== undefined && ours !== currency) return "missing";
	if (value === canonicalAmount(transfer.amount)) return "same";
	// The amount is in the currency of the beneficiary's account (specification 2.8), which the service may not tell.
	return transfer.kind === "beneficiary" && payee?.currency === undefined && recognised ? "missing" : "different";
}

function referenceAgreement(reference: string | undefined, line: Line): Agreement {
	const ours = lettersOf(reference);
	if (ours === line.letters) return "same";
	if (ours === "" || line.letters === "" || ours.startsWith(line.letters)) return "missing";
	return mayBeRewritten(reference ?? "", line.letters) ? "missing" : "different";
}

/** Most letters that one accented letter becomes: ß is written SS, Ö is written OE. */
const longestRewriting = 2;

const accented = /[^\p{ASCII}]/u;

/** Whether a rail may have written our accented letters in another way, or left them out, and perhaps cut the end. */
function mayBeRewritten(reference: string, written: string): boolean {
	const [first = "", ...parts] = asSent(reference).split(accented).map(lettersOf);
	if (parts.length === 0 || !written.startsWith(first)) return false;
	let rest = written.slice(first.length);
	for (const [at, part] of parts.entries()) {
		const skipped = [0, 1, longestRewriting].find((length) => rest.startsWith(part, length) && (part !== "" || rest.length >= length));
		if (skipped === undefined) return [0, 1, longestRewriting].some((length) => part.startsWith(rest.slice(length)));
		rest = rest.slice(skipped + part.length);
		if (part === "" && at === parts.length - 1) return rest.length <= longestRewriting;
	}
	return rest === "";
}

function timeAgreement({ begun, timed, isLikely = false }: Payment, { span }: Line, settleAfter: number): Agreement {
	if (span === undefined) return "missing";
	if (timed && span.to < begun - clockTolerance) return "different";
	const within = span.from >= begun - clockTolerance && span.to <= begun + settleAfter;
	const isMoment = span.from === span.to;
	return (timed || isLikely) && isMoment && within ? "same" : "missing";
}
