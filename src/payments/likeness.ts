/**
 * Whether a transaction that the service or a statement lists is a transfer of ours. A deployment may leave out any field:
 * what is missing makes it possible, never sure, and what is possible never lets a transfer count as not created.
 */
import type { BeneficiaryView } from "../api/beneficiary.js";
import type { TransactionView } from "../api/transaction.js";
import type { Transfer } from "../context.js";
import { sameAmount } from "./decimal.js";
import { comparable } from "./fingerprint.js";

export type Likeness = "same" | "possible" | "other";

type Answer = "yes" | "unknown" | "no";

/** A transfer with the time its attempt began, and the payee's record where it could be read. */
export interface Sought {
	transfer: Transfer;
	/** RFC 3339 UTC. */
	begun: string;
	payee?: Pick<BeneficiaryView, "name" | "friendlyName" | "hostedLedgerId">;
}

/** Milliseconds that the service's clock may be behind ours. */
export const clockSkew = 10 * 60_000;

/** @param settleAfter milliseconds within which a transfer that was made appears */
export function likeness(sought: Sought, listed: TransactionView, settleAfter: number): Likeness {
	const { transfer } = sought;
	const token = byToken(transfer, listed);
	const answers: Answer[] = [
		sameOr(transfer.ledgerFromId, listed.senderLedgerId),
		amountOf(transfer, listed),
		token ?? referenceOf(transfer, listed),
		counterpartyOf(sought, listed),
		timeOf(sought.begun, listed.createdAt, settleAfter),
	];
	if (answers.includes("no")) return "other";
	// A token is ours alone: with it, and with the amount, nothing else need be told.
	if (token === "yes" && answers[1] === "yes") return "same";
	return answers.includes("unknown") ? "possible" : "same";
}

function sameOr(ours: string, theirs: string | undefined): Answer {
	if (theirs === undefined) return "unknown";
	return ours.toLowerCase() === theirs.toLowerCase() ? "yes" : "no";
}

function byToken({ token }: Transfer, { reference }: TransactionView): Answer | undefined {
	if (token === undefined) return undefined;
	if (reference === undefined) return "unknown";
	return reference.toUpperCase().includes(token) ? "yes" : "no";
}

/** Debits may be listed as negative, and a payment into another currency with what left the ledger. */
function amountOf(transfer: Transfer, { amount, currency }: TransactionView): Answer {
	if (amount === undefined || !/^-?\d+(\.\d+)?$/.test(amount)) return "unknown";
	if (sameAmount(amount.replace(/^-/, ""), transfer.amount))
		return transfer.currency !== undefined && currency !== undefined && currency !== transfer.currency ? "unknown" : "yes";
	const exchanged =
		transfer.currency === undefined ? transfer.kind === "beneficiary" : currency !== undefined && currency !== transfer.currency;
	return exchanged ? "unknown" : "no";
}

/** A service may change the case, cut a reference short or add to it, or put one where there was none. */
function referenceOf(transfer: Transfer, listed: TransactionView): Answer {
	const ours = bare(transfer.reference);
	const theirs = bare(listed.reference);
	if (ours === theirs) return "yes";
	if (ours === "" || theirs === "") return "unknown";
	return ours.includes(theirs) || theirs.includes(ours) ? "unknown" : "no";
}

function bare(reference: string | undefined): string {
	return comparable(reference).toUpperCase();
}

function counterpartyOf({ transfer, payee }: Sought, listed: TransactionView): Answer {
	if (transfer.kind === "ledger") return sameOr(transfer.counterpartyId, listed.receiverLedgerId);
	if (listed.beneficiaryId !== undefined) return sameOr(transfer.counterpartyId, listed.beneficiaryId);
	if (payee?.hostedLedgerId !== undefined && listed.receiverLedgerId !== undefined)
		return sameOr(payee.hostedLedgerId, listed.receiverLedgerId);
	const names = [payee?.name, payee?.friendlyName].filter((name) => name !== undefined).map(folded);
	if (names.length === 0 || listed.receiverName === undefined) return "unknown";
	if (names.includes(folded(listed.receiverName))) return "yes";
	// A bank may write a name in its own way; with our reference on it, it may still be ours.
	return transfer.reference !== undefined && bare(transfer.reference) !== "" && bare(transfer.reference) === bare(listed.reference)
		? "unknown"
		: "no";
}

function folded(name: string): string {
	return name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}

function timeOf(begun: string, createdAt: string | undefined, settleAfter: number): Answer {
	const span = spanOf(createdAt);
	if (span === undefined) return "unknown";
	const began = Date.parse(begun);
	if (span.to < began - clockSkew) return "no";
	// What appears only after the settling time is looked at by a person.
	return span.from > began + settleAfter ? "unknown" : "yes";
}

/** The moments a time may mean, in milliseconds: a statement's date alone is a whole day, in any time zone. */
export function spanOf(time: string | undefined): { from: number; to: number } | undefined {
	const at = Date.parse(time ?? "");
	if (!(at > 0)) return undefined;
	if (!/^\d{4}-\d{2}-\d{2}$/.test(time as string)) return { from: at, to: at };
	return { from: at - 14 * 3_600_000, to: at + 36 * 3_600_000 };
}
