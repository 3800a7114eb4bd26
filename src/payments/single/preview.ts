/**
 * Makes the preview that a person confirms before money is sent. Pure.
 * Nothing is guessed: the preview says what could not be read and draws no conclusion from it.
 */

import { codeOf, inCurrency } from "../../api/amount.js";
import { sameId } from "../../api/answer.js";
import { maskedAccount } from "../../api/operations/account.js";
import type { LedgerView } from "../../api/operations/ledger.js";
import { duplicateLine, type EarlierPayment } from "../rules/likely-duplicate.js";
import { likelyDuplicates, paidBefore } from "./earlier.js";
import { accountCurrency, assumptionText, currencyOf, type Facts, foundOf, type LookUp, leftAfter } from "./known.js";
import { railForecast } from "./rail.js";

/** The preview in the form that the frame (`shell/`) shows. */
export interface TransferPreview {
	title: string;
	/** Amount and payee. */
	what: string;
	rows: readonly (readonly [string, string])[];
	/** The likely duplicate, on one line. */
	alert?: string;
	warnings: readonly string[];
	/** Likely duplicates in the service's list. */
	listed: readonly EarlierPayment[];
	amount: string;
	currency?: string;
}

type Row = readonly [string, string];

const isText = (part: string | false | undefined): part is string => typeof part === "string" && part !== "";

/** The preview of one transfer. */
export function previewOf(facts: Facts): TransferPreview {
	const { transfer } = facts;
	const currency = currencyOf(facts);
	const listed = listedAlike(facts);
	const what = `${inCurrency(transfer.amount, currency)} to ${payeeName(facts)}`;
	return {
		title: `Send ${what}`,
		what,
		alert: duplicateLine(what, listed),
		listed,
		rows: [
			["From", ledgerLine(facts.from, transfer.ledgerFromId)],
			...(transfer.kind === "ledger" ? [["To", ledgerLine(facts.toLedger, transfer.counterpartyId)] as const] : beneficiaryRows(facts)),
			["Amount", inCurrency(transfer.amount, currency ?? "(currency not known)")],
			...balanceRows(facts),
			["Rail", transfer.kind === "ledger" ? "inter-ledger" : beneficiaryRail(facts)],
			["Reference", transfer.reference ? `"${transfer.reference}"` : "none"],
		],
		warnings: [
			...lookUpWarnings(facts),
			...currencyWarnings(facts),
			...ledgerWarnings(facts),
			...beneficiaryWarnings(facts),
			...balanceWarnings(facts),
			...earlierWarnings(facts),
		],
		amount: transfer.amount,
		currency,
	};
}

/** The payee's name; the identifier if no name could be read. */
function payeeName({ transfer, toLedger, beneficiary }: Facts): string {
	const payee = foundOf(beneficiary);
	return foundOf(toLedger)?.name ?? payee?.name ?? payee?.friendlyName ?? `${transfer.kind} ${transfer.counterpartyId}`;
}

function ledgerLine(look: LookUp<LedgerView> | undefined, id: string): string {
	const ledger = foundOf(look);
	if (!ledger) return `${id} (could not be read)`;
	return [ledger.name ?? "ledger without a name", id, ledger.status].filter(isText).join(" · ");
}

function beneficiaryRows(facts: Facts): Row[] {
	const { counterpartyId } = facts.transfer;
	const beneficiary = foundOf(facts.beneficiary);
	if (!beneficiary) return [["To", `${counterpartyId} (could not be read)`]];
	const { name, friendlyName, status } = beneficiary;
	const shown =
		name && friendlyName && name !== friendlyName ? `${name} (${friendlyName})` : (name ?? friendlyName ?? "beneficiary without a name");
	return [
		["To", [shown, counterpartyId, status ?? "status unknown"].join(" · ")],
		["Account", maskedAccount(beneficiary.account) ?? "not given by the service"],
	];
}

function beneficiaryRail(facts: Facts): string {
	const beneficiary = foundOf(facts.beneficiary);
	const hosted = beneficiary && beneficiary.hostedLedgerId !== undefined;
	return railForecast(facts.transfer, hosted, currencyOf(facts));
}

function balanceRows(facts: Facts): Row[] {
	const from = foundOf(facts.from);
	const left = leftAfter(facts);
	return [
		["Available", from?.available === undefined ? "not known" : inCurrency(from.available, from.currency)],
		["Left after", left === undefined ? "not known" : `${inCurrency(left, from?.currency)}${assumptionText(facts)}`],
	];
}

function lookUpWarnings(facts: Facts): string[] {
	const looks: (readonly [string, LookUp<unknown> | undefined])[] = [
		["The ledger to debit", facts.from],
		["The ledger to credit", facts.toLedger],
		["The beneficiary", facts.beneficiary],
		["Earlier payments", facts.earlier],
	];
	return looks.flatMap(([what, look]) => (look && "unread" in look ? [`${what} could not be read: ${look.unread}`] : []));
}

function currencyWarnings(facts: Facts): string[] {
	const { kind, currency } = facts.transfer;
	if (currency === undefined || codeOf(accountCurrency(facts)) !== undefined) return [];
	const other = foundOf(facts.from)?.currency;
	const debited = other === undefined || other === currency ? "" : `; the ledger to debit holds ${other}`;
	const account = kind === "ledger" ? "ledger to debit" : `beneficiary's account${debited}`;
	return [`The currency ${currency} comes from --currency: the service does not give it for the ${account}`];
}

function ledgerWarnings(facts: Facts): string[] {
	const from = foundOf(facts.from);
	const to = foundOf(facts.toLedger);
	return [
		from?.status !== undefined && from.status !== "ACTIVE" && `The ledger to debit is ${from.status}, not ACTIVE`,
		to?.status !== undefined && to.status !== "ACTIVE" && `The ledger to credit is ${to.status}, not ACTIVE`,
		from?.currency !== undefined &&
			to?.currency !== undefined &&
			from.currency !== to.currency &&
			`The ledgers differ in currency: ${from.currency} is debited, ${to.currency} credited`,
	].filter(isText);
}

function beneficiaryWarnings(facts: Facts): string[] {
	const beneficiary = foundOf(facts.beneficiary);
	if (!beneficiary) return [];
	const from = foundOf(facts.from);
	return [
		beneficiary.status !== "VALID" && `The beneficiary is not VALID: ${beneficiary.status ?? "the service gives no status"}`,
		beneficiary.active === false && "The beneficiary is inactive",
		beneficiary.currency !== undefined &&
			from?.currency !== undefined &&
			beneficiary.currency !== from.currency &&
			`The amount is in ${beneficiary.currency}, the beneficiary account's currency; the ledger to debit holds ${from.currency}`,
		beneficiary.currency === undefined &&
			facts.transfer.currency === undefined &&
			from?.currency !== undefined &&
			`The amount is in the currency of the beneficiary's account, which the service does not give; the ledger to debit holds ${from.currency}`,
		beneficiary.endUserId !== undefined &&
			from?.endUserId !== undefined &&
			beneficiary.endUserId !== from.endUserId &&
			"The beneficiary belongs to another end-user than the ledger to debit",
		sameId(beneficiary.hostedLedgerId, facts.transfer.ledgerFromId) && "The beneficiary's account is the ledger that is debited",
	].filter(isText);
}

function balanceWarnings(facts: Facts): string[] {
	const left = leftAfter(facts);
	if (!left?.startsWith("-")) return [];
	return [
		`The available balance is not enough${assumptionText(facts)}: ${inCurrency(left.slice(1), foundOf(facts.from)?.currency)} is missing`,
	];
}

function earlierWarnings(facts: Facts): string[] {
	const earlier = foundOf(facts.earlier);
	if (!earlier) return [];
	const payee = foundOf(facts.beneficiary);
	const { transfer } = facts;
	const first = transfer.kind === "beneficiary" ? paidBefore(transfer, payee, earlier) : "yes";
	return [
		first === "never" && "This beneficiary was never paid before from this ledger",
		first === "unknown" &&
			`This beneficiary is not among the ledger's latest ${earlier.transactions.length} transactions; earlier ones were not checked`,
	].filter(isText);
}

/** Likely duplicates in the service's list of the ledger's payments, newest first. */
function listedAlike({ transfer, beneficiary, earlier, days, now }: Facts): EarlierPayment[] {
	const known = foundOf(earlier);
	if (known === undefined) return [];
	return likelyDuplicates(transfer, foundOf(beneficiary), known, days, now).map(({ id, createdAt, reference = "" }) => ({
		id,
		at: createdAt,
		otherReference: reference !== (transfer.reference ?? ""),
	}));
}
