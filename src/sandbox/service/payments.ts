/**
 * Payments: who may pay, from where to where, by which rail; and how they end, by themselves once they are due, or by `simulate transaction`.
 */
import type { Decimal } from "../../api/json.js";
import { type Backend, byId, findBeneficiary, findCorporate, findLedger, termsAccepted, timeOf } from "../backend.js";
import { HttpError } from "../message.js";
import type { Corporate, Ledger, LedgerTransaction } from "../state.js";
import { transactionChange } from "../webhooks.js";
import { minorOf } from "./ledgers.js";
import { validate } from "./validation.js";

type Body = Record<string, unknown>;

/** Create an inter-ledger transaction. @throws HttpError */
export function payLedger(backend: Backend, body: Body): LedgerTransaction {
	validate("interLedger", body);
	const from = findLedger(backend, body.ledgerFromId as string);
	const to = findLedger(backend, body.ledgerToId as string);
	if (from.id === to.id) throw sameLedger("ledgerToId");
	const payer = allowedPayer(backend, from);
	if (to.status !== "ACTIVE") throw new HttpError(400, "LEDGER_NOT_ACTIVE", `The ledger ${to.id} is ${to.status}`);
	if (to.currency !== from.currency)
		throw new HttpError(400, "CURRENCY_MISMATCH", `${from.currency} cannot be paid to a ledger in ${to.currency}`);
	return begin(backend, from, body, {
		type: "INTER_LEDGER",
		paymentType: "INTER_LEDGER",
		toLedgerId: to.id,
		receiverName: nameOf(backend, to),
		senderName: legalName(payer),
	});
}

/** Create a transaction to a beneficiary: the service chooses the rail (specification 4, rules 2 and 3). @throws HttpError */
export function payBeneficiary(backend: Backend, body: Body): LedgerTransaction {
	validate("beneficiary", body);
	const from = findLedger(backend, body.ledgerFromId as string);
	const payer = allowedPayer(backend, from);
	const to = findBeneficiary(backend, body.beneficiaryId as string);
	if (to.endUserId !== from.endUserId) throw new HttpError(404, "BENEFICIARY_NOT_FOUND", "The beneficiary belongs to another end-user");
	if (to.status !== "VALID" || !to.active) throw new HttpError(400, "BENEFICIARY_NOT_VALID", `The beneficiary is ${to.status}`);
	if (to.currency !== from.currency) throw new HttpError(400, "CURRENCY_MISMATCH", `The beneficiary's account is in ${to.currency}`);
	const host = to.linkcyLedgerId === undefined ? undefined : findLedger(backend, to.linkcyLedgerId);
	if (host?.id === from.id) throw sameLedger("beneficiaryId");
	if (host && host.status !== "ACTIVE") throw new HttpError(400, "LEDGER_NOT_ACTIVE", `The beneficiary's account is ${host.status}`);
	const paymentType =
		host && body.allowInterLedger !== false
			? "INTER_LEDGER"
			: body.allowFastPayment !== false && to.instant
				? instantRail(to.currency)
				: standardRail(to.currency);
	return begin(backend, from, body, {
		type: "BENEFICIARY",
		paymentType,
		beneficiaryId: to.id,
		// Money for an account hosted here arrives there by every rail.
		toLedgerId: host?.id,
		receiverName: to.name,
		senderName: legalName(payer),
	});
}

const sameLedger = (field: string): HttpError =>
	new HttpError(400, "SAME_LEDGER", "The money would come back to where it is", [{ field, message: "must not lead to ledgerFromId" }]);

const instantRail = (currency: string): string => (currency === "EUR" ? "SEPA_INSTANT" : currency === "GBP" ? "FASTER_PAYMENTS" : "SWIFT");
const standardRail = (currency: string): string => (currency === "EUR" ? "SEPA_CREDIT_TRANSFER" : currency === "GBP" ? "BACS" : "SWIFT");

const legalName = (corporate: Corporate): string => String(corporate.fields.corporateName);

function nameOf(backend: Backend, ledger: Ledger): string {
	const owner = byId(backend.state.corporates, ledger.endUserId);
	return owner ? legalName(owner) : ledger.friendlyName;
}

/** Accepted terms and a validated KYB come before any financial service (specification 1, 3). @throws HttpError */
function allowedPayer(backend: Backend, from: Ledger): Corporate {
	const payer = findCorporate(backend, from.endUserId);
	if (!termsAccepted(backend, payer))
		throw new HttpError(403, "TERMS_NOT_ACCEPTED", "The corporate has not accepted the latest terms and conditions");
	if (payer.kyb.status !== "VALIDATED") throw new HttpError(403, "KYB_NOT_VALIDATED", `The KYB is ${payer.kyb.status}`);
	if (from.status !== "ACTIVE") throw new HttpError(400, "LEDGER_NOT_ACTIVE", `The ledger ${from.id} is ${from.status}`);
	return payer;
}

function begin(
	backend: Backend,
	from: Ledger,
	body: Body,
	route: Pick<LedgerTransaction, "type" | "paymentType" | "toLedgerId" | "beneficiaryId" | "senderName" | "receiverName">,
): LedgerTransaction {
	const typed = (body.amount as Decimal).text;
	const amount = minorOf(typed, from.currency);
	if (BigInt(from.total) - BigInt(from.reserved) < amount)
		throw new HttpError(400, "INSUFFICIENT_FUNDS", "The available balance does not cover the amount");
	from.reserved = (BigInt(from.reserved) + amount).toString();
	const quick = route.paymentType !== "SEPA_CREDIT_TRANSFER" && route.paymentType !== "SWIFT" && route.paymentType !== "BACS";
	const transaction: LedgerTransaction = {
		id: backend.random.uuid(),
		...route,
		status: "PENDING",
		amount: amount.toString(),
		currency: from.currency,
		reference: (body.reference as string | null | undefined) ?? undefined,
		createdAt: backend.now().toISOString(),
		settles: timeOf(backend) + Math.round(backend.options.settlementTakes / (quick ? 3 : 1)),
		fromLedgerId: from.id,
	};
	backend.state.transactions.push(transaction);
	backend.webhooks.add(transactionChange(transaction));
	return transaction;
}

/** Ends each transaction that is due. @returns whether any was */
export function settleDue(backend: Backend): boolean {
	const now = timeOf(backend);
	const due = backend.state.transactions.filter(({ status, settles }) => status === "PENDING" && settles <= now);
	for (const transaction of due) endDue(backend, transaction);
	return due.length > 0;
}

/** References that decide how a transaction ends, for tests of batches; all others are approved. */
const outcomeReferences = ["DECLINED", "ABORTED", "RELEASED", "REVERSED"];

function endDue(backend: Backend, transaction: LedgerTransaction): void {
	const { reference = "" } = transaction;
	const outcome = outcomeReferences.includes(reference) ? reference : "APPROVED";
	// Only what was approved can be reversed.
	if (outcome === "REVERSED") endTransaction(backend, transaction, "APPROVED");
	endTransaction(backend, transaction, outcome, outcome === "APPROVED" ? undefined : "ASKED_FOR_BY_REFERENCE");
}

/** Ends a transaction: APPROVED moves the money, REVERSED brings it back, all else releases what was held. @throws HttpError */
export function endTransaction(backend: Backend, transaction: LedgerTransaction, status: string, reason?: string): void {
	const from = findLedger(backend, transaction.fromLedgerId);
	const to = transaction.toLedgerId ? findLedger(backend, transaction.toLedgerId) : undefined;
	const amount = BigInt(transaction.amount);
	const add = (ledger: Ledger | undefined, change: bigint): void => {
		if (ledger) ledger.total = (BigInt(ledger.total) + change).toString();
	};
	if (transaction.status === "PENDING" && status !== "REVERSED") {
		from.reserved = (BigInt(from.reserved) - amount).toString();
		if (status === "APPROVED") {
			add(from, -amount);
			add(to, amount);
		}
	} else if (transaction.status === "APPROVED" && status === "REVERSED") {
		if (to && BigInt(to.total) - BigInt(to.reserved) < amount)
			throw new HttpError(409, "INSUFFICIENT_FUNDS", "What was paid has been spent already");
		add(to, -amount);
		add(from, amount);
	} else if (transaction.status === "PENDING")
		throw new HttpError(409, "TRANSACTION_PENDING", "Only an approved transaction can be reversed");
	else throw new HttpError(409, "TRANSACTION_FINAL", `The transaction is ${transaction.status} already`);
	transaction.status = status;
	transaction.declineReason = reason;
	transaction.clearedAt = backend.now().toISOString();
	backend.webhooks.add(transactionChange(transaction));
}
