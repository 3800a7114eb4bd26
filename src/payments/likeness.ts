/**
 * Whether a transaction that the service or a statement lists is a transfer of ours. A deployment may leave out any field:
 * what is missing makes it possible, never sure, and what is possible never lets a transfer count as not created.
 */
import type { BeneficiaryView } from "../api/beneficiary.js";
import type { TransactionView } from "../api/transaction.js";
import type { Transfer } from "../ports/journal.js";
import { isDecimal, sameAmount } from "./decimal.js";
import { comparable } from "./fingerprint.js";

export type Likeness = "same" | "possible" | "other";

type Answer = "yes" | "unknown" | "no";

/** A transfer with the time its attempt began, and the payee's record where it could be read. */
export interface Sought {
	transfer: Transfer;
	/** RFC 3339 UTC. */
	begun: string;
	payee?: Pick<BeneficiaryView, "name" | "friendlyName" | "hostedLedgerId" | "currency">;
}

/** Milliseconds that the service's clock may be behind ours. */
export const clockSkew = 10 * 60_000;
/** Milliseconds that ours may have been ahead, unnoticed, when it was sent: a clock set to another time zone, or by hand. */
export const farthestSkew = 24 * 3_600_000;

/** @param settleAfter milliseconds within which a transfer that was made appears */
export function likeness(sought: Sought, listed: TransactionView, settleAfter: number): Likeness {
	const { transfer } = sought;
	// What is quickly answered first: most of a list is another payment by its amount or its time.
	const ledger = sameOr(transfer.ledgerFromId, listed.senderLedgerId);
	const amount = amountOf(sought, listed);
	if (ledger === "no" || amount === "no") return "other";
	const time = timeOf(sought.begun, listed.createdAt, settleAfter);
	if (time === "no") return "other";
	const marked = isMarked(transfer, listed);
	const reference = marked ? "yes" : referenceOf(transfer, listed);
	const answers: Answer[] = [ledger, amount, time, reference, counterpartyOf(sought, listed)];
	if (answers.includes("no")) return "other";
	// Either may be told in another way; both at once, and no reference in common, is another payment.
	if (reference !== "yes" && isOtherAmount(transfer, listed) && isOtherName(sought, listed)) return "other";
	// A token is ours alone: with it, and with the amount, nothing else need be told.
	if (marked && amount === "yes") return "same";
	return answers.includes("unknown") ? "possible" : "same";
}

/**
 * Whether a line speaks for the list that it stands in: it is a payment of ours, known to be made, by more than what nobody told. In a list
 * without references any line of its day may be a payment to a beneficiary, whose amount may have been exchanged.
 */
export function isWitness(made: Sought, listed: TransactionView, settleAfter: number): boolean {
	const reference = bare(made.transfer.reference);
	const told = !isOtherAmount(made.transfer, listed) || (reference !== "" && reference === bare(listed.reference));
	return told && likeness(made, listed, settleAfter) !== "other";
}

function sameOr(ours: string, theirs: string | undefined): Answer {
	if (theirs === undefined) return "unknown";
	return ours.toLowerCase() === theirs.toLowerCase() ? "yes" : "no";
}

/** Whether our token stands in it. Where it does not, that says nothing by itself: the reference may have been cut short. */
function isMarked({ token }: Transfer, { reference }: TransactionView): boolean {
	return token !== undefined && (reference ?? "").toUpperCase().includes(token);
}

/** Debits may be listed as negative, and a payment into another currency with what left the ledger. */
function amountOf(sought: Sought, listed: TransactionView): Answer {
	const { transfer } = sought;
	const { amount, currency } = listed;
	if (amount === undefined || !isDecimal(amount)) return "unknown";
	if (isOtherAmount(transfer, listed)) return mayBeExchanged(sought, currency) ? "unknown" : "no";
	return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency ? "unknown" : "yes";
}

function isOtherAmount(transfer: Transfer, { amount }: TransactionView): boolean {
	return amount !== undefined && isDecimal(amount) && !sameAmount(amount.replace(/^-/, ""), transfer.amount);
}

/**
 * Whether another amount may be what left the ledger. The amount is in the currency of the beneficiary's account (specification 2.8), and
 * that on record may be the ledger's, taken for it where the service told none: only what the account's own record says counts here.
 */
function mayBeExchanged({ transfer, payee }: Sought, currency: string | undefined): boolean {
	if (transfer.kind === "beneficiary") return payee?.currency === undefined || currency !== payee.currency;
	return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency;
}

/**
 * A service may change the case, cut a reference short or add to it, or put one where there was none; a rail may write an accented
 * letter in its own way (É as E, ?, a point or nothing) and change or leave out points, commas and spaces.
 */
export function referenceOf(transfer: Transfer, listed: TransactionView): Answer {
	const ours = bare(transfer.reference);
	const theirs = bare(listed.reference);
	if (ours === theirs) return "yes";
	if (ours === "" || theirs === "") return "unknown";
	return ours.includes(theirs) || theirs.includes(ours) || mayBeWritten(transfer.reference, listed.reference) ? "unknown" : "no";
}

function bare(reference: string | undefined): string {
	return comparable(reference).toUpperCase();
}

/** Whether one may be the other as a rail wrote it: without accents, or with what a rail leaves alone of ours standing in it, in order. */
function mayBeWritten(ours: string | undefined, theirs: string | undefined): boolean {
	const [whole, written] = [plain(comparable(ours)), plain(comparable(theirs))];
	if (whole.includes(written) || written.includes(whole)) return true;
	let from = 0;
	for (const part of comparable(ours).split(/[^\p{ASCII}]+/u)) {
		const place = written.indexOf(plain(part), from);
		if (place < 0) return false;
		from = place + plain(part).length;
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

function counterpartyOf({ transfer, payee }: Sought, listed: TransactionView): Answer {
	if (transfer.kind === "ledger") return sameOr(transfer.counterpartyId, listed.receiverLedgerId);
	if (listed.beneficiaryId !== undefined) return sameOr(transfer.counterpartyId, listed.beneficiaryId);
	if (payee?.hostedLedgerId !== undefined && listed.receiverLedgerId !== undefined)
		return sameOr(payee.hostedLedgerId, listed.receiverLedgerId);
	const names = namesOf(payee);
	if (names.length === 0 || listed.receiverName === undefined) return "unknown";
	// A bank may write a name in its own way: another name alone never proves that it is another payee.
	return names.includes(folded(listed.receiverName)) ? "yes" : "unknown";
}

function isOtherName({ transfer, payee }: Sought, { beneficiaryId, receiverName }: TransactionView): boolean {
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

function timeOf(begun: string, createdAt: string | undefined, settleAfter: number): Answer {
	const span = spanOf(createdAt);
	if (span === undefined) return "unknown";
	const began = Date.parse(begun);
	if (span.to < began - farthestSkew) return "no";
	// What is from before it, or appears only after the settling time, is looked at by a person: our clock may have been wrong.
	return span.to < began - clockSkew || span.from > began + settleAfter ? "unknown" : "yes";
}

const hour = 3_600_000;
/** A date, a time of day, an offset; the last two may be missing. */
const readable = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/i;

/**
 * The moments a time may mean, in milliseconds: a date alone is a whole day, and without an offset it is in any time zone, which is
 * never this machine's by itself. Undefined where it is not of that form: other forms mean different days to different people.
 */
export function spanOf(time: string | undefined): { from: number; to: number } | undefined {
	const [, date, clock, utc, hours, minutes] = readable.exec(time ?? "") ?? [];
	const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
	const at = Date.parse(`${date}T${clock ?? "00:00"}${offset}`);
	if (!(at > 0)) return undefined;
	if (utc !== undefined || hours !== undefined) return { from: at, to: at };
	return { from: at - 14 * hour, to: at + (clock === undefined ? 36 : 12) * hour };
}

/** The latest day that is over before a moment, and the earliest that begins after it, in every time zone: YYYY-MM-DD, as a statement has it. */
export const dayBefore = (at: number): string => new Date(at - 36 * hour).toISOString().slice(0, 10);
export const dayAfter = (at: number): string => new Date(at + 38 * hour - 1).toISOString().slice(0, 10);
