/**
 * Ledgers, beneficiaries and transactions: exact balances, the choice of a rail, statuses that move over time.
 */
import { decimalsOf, fromMinor, toMinor } from "../api/amount.js";
import { Decimal } from "../api/json.js";
import { beneficiaryOf, corporateOf, type Desk, ledgerOf, termsAccepted, time } from "./desk.js";
import { having } from "./lookup.js";
import { invalid, Refusal } from "./message.js";
import { mustFit } from "./rules.js";
import type { Beneficiary, Corporate, Ledger, Transaction } from "./state.js";

type Body = Record<string, unknown>;

const places = (currency: string): number => decimalsOf(currency) ?? 2;
const shown = (minor: string, currency: string): Decimal => new Decimal(fromMinor(BigInt(minor), places(currency)));

/** The ledger as it is fetched. */
export function ledgerRecord(ledger: Ledger): unknown {
	const { total, reserved, currency } = ledger;
	return {
		id: ledger.id,
		endUserId: ledger.endUserId,
		friendlyName: ledger.friendlyName,
		status: ledger.status,
		currency,
		totalAmount: shown(total, currency),
		availableAmount: shown((BigInt(total) - BigInt(reserved)).toString(), currency),
		reservedAmount: shown(reserved, currency),
		iban: ledger.iban,
	};
}

/** The beneficiary as it is fetched; which rails reach it stays the service's knowledge. */
export function beneficiaryRecord({ instant: _, ...beneficiary }: Beneficiary): unknown {
	return beneficiary;
}

/** The transaction as it is fetched. */
export function transactionRecord(transaction: Transaction): unknown {
	const { amount, currency, reference, declineReason, clearedAt } = transaction;
	return {
		id: transaction.id,
		type: transaction.type,
		paymentType: transaction.paymentType,
		status: transaction.status,
		creationDate: transaction.createdAt,
		amount: shown(amount, currency),
		currency,
		information: {
			...(reference === undefined ? {} : { reference }),
			...(declineReason ? { declineReason } : {}),
			...(clearedAt ? { clearingDate: clearedAt } : {}),
		},
		sender: { name: transaction.senderName, ledgerId: transaction.fromLedgerId },
		receiver: {
			name: transaction.receiverName,
			...(transaction.toLedgerId && transaction.paymentType === "INTER_LEDGER" ? { ledgerId: transaction.toLedgerId } : {}),
			...(transaction.beneficiaryId ? { beneficiaryId: transaction.beneficiaryId } : {}),
		},
	};
}

/** Create an inter-ledger transaction. @throws Refusal */
export function payLedger(desk: Desk, body: Body): Transaction {
	mustFit("interLedger", body);
	const from = ledgerOf(desk, body.ledgerFromId as string);
	const to = ledgerOf(desk, body.ledgerToId as string);
	if (from.id === to.id) throw sameLedger("ledgerToId");
	const payer = allowedPayer(desk, from);
	if (to.status !== "ACTIVE") throw new Refusal(400, "LEDGER_NOT_ACTIVE", `The ledger ${to.id} is ${to.status}`);
	if (to.currency !== from.currency)
		throw new Refusal(400, "CURRENCY_MISMATCH", `${from.currency} cannot be paid to a ledger in ${to.currency}`);
	return begin(desk, from, body, {
		type: "INTER_LEDGER",
		paymentType: "INTER_LEDGER",
		toLedgerId: to.id,
		receiverName: nameOf(desk, to),
		senderName: legalName(payer),
	});
}

/** Create a transaction to a beneficiary: the service chooses the rail (specification 4, rules 2 and 3). @throws Refusal */
export function payBeneficiary(desk: Desk, body: Body): Transaction {
	mustFit("beneficiary", body);
	const from = ledgerOf(desk, body.ledgerFromId as string);
	const payer = allowedPayer(desk, from);
	const to = beneficiaryOf(desk, body.beneficiaryId as string);
	if (to.endUserId !== from.endUserId) throw new Refusal(404, "BENEFICIARY_NOT_FOUND", "The beneficiary belongs to another end-user");
	if (to.status !== "VALID" || !to.active) throw new Refusal(400, "BENEFICIARY_NOT_VALID", `The beneficiary is ${to.status}`);
	if (to.currency !== from.currency) throw new Refusal(400, "CURRENCY_MISMATCH", `The beneficiary's account is in ${to.currency}`);
	const host = to.linkcyLedgerId === undefined ? undefined : ledgerOf(desk, to.linkcyLedgerId);
	if (host?.id === from.id) throw sameLedger("beneficiaryId");
	if (host && host.status !== "ACTIVE") throw new Refusal(400, "LEDGER_NOT_ACTIVE", `The beneficiary's account is ${host.status}`);
	const paymentType =
		host && body.allowInterLedger !== false
			? "INTER_LEDGER"
			: body.allowFastPayment !== false && to.instant
				? instantRail(to.currency)
				: standardRail(to.currency);
	return begin(desk, from, body, {
		type: "BENEFICIARY",
		paymentType,
		beneficiaryId: to.id,
		// Money for an account hosted here arrives there by every rail.
		toLedgerId: host?.id,
		receiverName: to.name,
		senderName: legalName(payer),
	});
}

const sameLedger = (field: string): Refusal =>
	new Refusal(400, "SAME_LEDGER", "The money would come back to where it is", [{ field, message: "must not lead to ledgerFromId" }]);

const instantRail = (currency: string): string => (currency === "EUR" ? "SEPA_INSTANT" : currency === "GBP" ? "FASTER_PAYMENTS" : "SWIFT");
const standardRail = (currency: string): string => (currency === "EUR" ? "SEPA_CREDIT_TRANSFER" : currency === "GBP" ? "BACS" : "SWIFT");

const legalName = (corporate: Corporate): string => String(corporate.fields.corporateName);

function nameOf(desk: Desk, ledger: Ledger): string {
	const [owner] = having(desk.state.corporates, "id", ledger.endUserId);
	return owner ? legalName(owner) : ledger.friendlyName;
}

/** Accepted terms and a validated KYB come before any financial service (specification 1, 3). @throws Refusal */
function allowedPayer(desk: Desk, from: Ledger): Corporate {
	const payer = corporateOf(desk, from.endUserId);
	if (!termsAccepted(desk, payer))
		throw new Refusal(403, "TERMS_NOT_ACCEPTED", "The corporate has not accepted the latest terms and conditions");
	if (payer.kyb.status !== "VALIDATED") throw new Refusal(403, "KYB_NOT_VALIDATED", `The KYB is ${payer.kyb.status}`);
	if (from.status !== "ACTIVE") throw new Refusal(400, "LEDGER_NOT_ACTIVE", `The ledger ${from.id} is ${from.status}`);
	return payer;
}

function begin(
	desk: Desk,
	from: Ledger,
	body: Body,
	route: Pick<Transaction, "type" | "paymentType" | "toLedgerId" | "beneficiaryId" | "senderName" | "receiverName">,
): Transaction {
	const typed = (body.amount as Decimal).text;
	const amount = minorOf(typed, from.currency);
	if (BigInt(from.total) - BigInt(from.reserved) < amount)
		throw new Refusal(400, "INSUFFICIENT_FUNDS", "The available balance does not cover the amount");
	from.reserved = (BigInt(from.reserved) + amount).toString();
	const quick = route.paymentType !== "SEPA_CREDIT_TRANSFER" && route.paymentType !== "SWIFT" && route.paymentType !== "BACS";
	const transaction: Transaction = {
		id: desk.chance.uuid(),
		...route,
		status: "PENDING",
		amount: amount.toString(),
		currency: from.currency,
		reference: body.reference as string | undefined,
		createdAt: desk.now().toISOString(),
		settles: time(desk) + Math.round(desk.options.settlementTakes / (quick ? 3 : 1)),
		fromLedgerId: from.id,
	};
	desk.state.transactions.push(transaction);
	return transaction;
}

/**
 * An amount in the currency's minor units.
 * @throws Refusal 400, where it has more decimals than the currency (ISO 4217)
 */
export function minorOf(typed: string, currency: string): bigint {
	if ((typed.split(".")[1]?.replace(/0+$/, "").length ?? 0) > places(currency))
		throw invalid({ field: "amount", rejectedValue: new Decimal(typed), message: `has more decimals than ${currency}` });
	return toMinor(typed, places(currency));
}

/** Transactions that are not final, and the earliest time at which one of them is due: so that no call looks at all of them. */
interface Waiting {
	/** How many of the list were looked at. */
	seen: number;
	open: Transaction[];
	earliest: number;
}

const waiting = new WeakMap<readonly Transaction[], Waiting>();

/** Time passes: what is due becomes final. Returns whether anything did. */
export function settleDue(desk: Desk): boolean {
	const { transactions } = desk.state;
	const list = waiting.get(transactions) ?? { seen: 0, open: [], earliest: Number.POSITIVE_INFINITY };
	waiting.set(transactions, list);
	for (; list.seen < transactions.length; list.seen += 1) {
		const added = transactions[list.seen] as Transaction;
		list.open.push(added);
		list.earliest = Math.min(list.earliest, added.settles);
	}
	const now = time(desk);
	if (list.earliest > now) return false;
	let any = false;
	list.earliest = Number.POSITIVE_INFINITY;
	list.open = list.open.filter((transaction) => {
		if (transaction.status !== "PENDING") return false;
		if (transaction.settles <= now) {
			endByItself(desk, transaction);
			any = true;
			return false;
		}
		list.earliest = Math.min(list.earliest, transaction.settles);
		return true;
	});
	return any;
}

/** References that decide how a transaction ends, for whoever tests a batch: every other one is approved. */
const decisive = ["DECLINED", "ABORTED", "RELEASED", "REVERSED"];

function endByItself(desk: Desk, transaction: Transaction): void {
	const { reference = "" } = transaction;
	const outcome = decisive.includes(reference) ? reference : "APPROVED";
	// Only what was approved can be reversed.
	if (outcome === "REVERSED") finish(desk, transaction, "APPROVED");
	finish(desk, transaction, outcome, outcome === "APPROVED" ? undefined : "ASKED_FOR_BY_REFERENCE");
}

/** Ends a transaction: APPROVED moves the money, REVERSED brings it back, everything else lets go of what was held. @throws Refusal */
export function finish(desk: Desk, transaction: Transaction, status: string, reason?: string): void {
	const from = ledgerOf(desk, transaction.fromLedgerId);
	const to = transaction.toLedgerId ? ledgerOf(desk, transaction.toLedgerId) : undefined;
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
			throw new Refusal(409, "INSUFFICIENT_FUNDS", "What was paid has been spent already");
		add(to, -amount);
		add(from, amount);
	} else if (transaction.status === "PENDING")
		throw new Refusal(409, "TRANSACTION_PENDING", "Only an approved transaction can be reversed");
	else throw new Refusal(409, "TRANSACTION_FINAL", `The transaction is ${transaction.status} already`);
	transaction.status = status;
	transaction.declineReason = reason;
	transaction.clearedAt = desk.now().toISOString();
}
