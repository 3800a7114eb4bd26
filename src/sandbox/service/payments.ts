/**
 * Payments: who may pay, from where to where, by which rail; the money is held until it moves.
 */
import type { Decimal } from "../../api/json.js";
import { beneficiaryOf, corporateOf, type Desk, ledgerOf, termsAccepted, time } from "../desk.js";
import { having } from "../lookup.js";
import { Refusal } from "../message.js";
import type { Corporate, Ledger, Transaction } from "../state.js";
import { minorOf } from "./ledgers.js";
import { mustFit } from "./rules.js";

type Body = Record<string, unknown>;

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
		id: desk.random.uuid(),
		...route,
		status: "PENDING",
		amount: amount.toString(),
		currency: from.currency,
		reference: (body.reference as string | null | undefined) ?? undefined,
		createdAt: desk.now().toISOString(),
		settles: time(desk) + Math.round(desk.options.settlementTakes / (quick ? 3 : 1)),
		fromLedgerId: from.id,
	};
	desk.state.transactions.push(transaction);
	return transaction;
}
