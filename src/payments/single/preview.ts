/**
 * Makes the preview that a person confirms before money is sent. Pure.
 * Nothing is guessed: the preview says what could not be read and draws no conclusion from it.
 */

import { codeOf, inCurrency } from "../../api/amount.js";
import { sameId } from "../../api/answer.js";
import type { BeneficiaryView } from "../../api/operations/beneficiary.js";
import { maskedAccount } from "../../api/operations/beneficiary.js";
import type { LedgerView } from "../../api/operations/ledger.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { Reading } from "../../ports/service.js";
import { sameAmount } from "../rules/decimal.js";
import { alreadyPaid, type EarlierPayment } from "../rules/duplicates.js";
import {
	type Asked,
	accountCurrency,
	assumptionText,
	currencyOf,
	type EarlierTransactions,
	type Facts,
	foundOf,
	gatherFacts,
	type Lookup,
	leftAfter,
	refuse,
	transferFaults,
} from "./facts.js";

/** The preview in the form that the frame (`cli/`) shows. */
export interface TransferPreview {
	title: string;
	rows: readonly (readonly [string, string])[];
	already?: { at?: string; as: string };
	warnings: readonly string[];
	listed: readonly EarlierPayment[];
	amount: string;
	currency?: string;
}

/**
 * Looks up both sides of a transfer and makes its preview.
 * @throws PurserError validation, if the amount does not fit its currency; auth (401) or interrupted
 */
export async function previewTransfer(service: Reading, transfer: Transfer, options: Asked): Promise<TransferPreview> {
	const facts = await gatherFacts(service, transfer, options);
	refuse(transferFaults(facts));
	return previewOf(facts);
}

type Row = readonly [string, string];

const isText = (part: string | false | undefined): part is string => typeof part === "string" && part !== "";

export function previewOf(facts: Facts): TransferPreview {
	const { transfer } = facts;
	const currency = currencyOf(facts);
	const listed = listedDuplicates(facts);
	return {
		title: `Send ${inCurrency(transfer.amount, currency)} to ${payeeName(facts)}`,
		already: alreadyPaid(listed),
		listed,
		rows: [
			["From", ledgerLine(facts, facts.from, transfer.ledgerFromId)],
			...(transfer.kind === "ledger"
				? [["To", ledgerLine(facts, facts.toLedger, transfer.counterpartyId)] as const]
				: beneficiaryRows(facts)),
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

function payeeName(facts: Facts): string {
	const { transfer, toLedger, beneficiary } = facts;
	const [payee, ledger] = [foundOf(beneficiary), foundOf(toLedger)];
	return (ledger && nameOf(facts, ledger)) ?? payee?.name ?? payee?.friendlyName ?? `${transfer.kind} ${transfer.counterpartyId}`;
}

/** `Main account of Example Bakery SAS`. */
function nameOf({ companyOf }: Facts, ledger: LedgerView): string | undefined {
	const company = companyOf?.(ledger);
	return ledger.name === undefined || company === undefined ? ledger.name : `${ledger.name} of ${company}`;
}

function ledgerLine(facts: Facts, lookup: Lookup<LedgerView> | undefined, id: string): string {
	const ledger = foundOf(lookup);
	if (!ledger) return `${id} (could not be read)`;
	return [nameOf(facts, ledger) ?? "ledger without a name", id, ledger.status].filter(isText).join(" · ");
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
	const lookups: (readonly [string, Lookup<unknown> | undefined])[] = [
		["The ledger to debit", facts.from],
		["The ledger to credit", facts.toLedger],
		["The beneficiary", facts.beneficiary],
		["Earlier payments", facts.earlier],
	];
	return lookups.flatMap(([what, lookup]) => (lookup && "unread" in lookup ? [`${what} could not be read: ${lookup.unread}`] : []));
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
			`The payee belongs to ${facts.companyOf?.(beneficiary) ?? "another company"}, not to ${facts.companyOf?.(from) ?? "that of the ledger to debit"}`,
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

function listedDuplicates({ transfer, beneficiary, earlier, days, now }: Facts): EarlierPayment[] {
	const known = foundOf(earlier);
	if (known === undefined) return [];
	return likelyDuplicates(transfer, foundOf(beneficiary), known, days, now).map(({ id, createdAt, reference = "" }) => ({
		id,
		at: createdAt,
		otherReference: reference !== (transfer.reference ?? ""),
	}));
}

/** Final statuses in which the payee does not have the money. */
const unsuccessfulStatuses = new Set(["DECLINED", "ABORTED", "RELEASED", "REVERSED"]);

function paymentsToSamePayee(transfer: Transfer, payee: BeneficiaryView | undefined, earlier: EarlierTransactions): TransactionView[] {
	return earlier.transactions.filter((one) => {
		if (one.status !== undefined && unsuccessfulStatuses.has(one.status)) return false;
		if (one.senderLedgerId !== undefined && !sameId(one.senderLedgerId, transfer.ledgerFromId)) return false;
		if (transfer.kind === "ledger") return sameId(one.receiverLedgerId, transfer.counterpartyId);
		if (one.beneficiaryId !== undefined) return sameId(one.beneficiaryId, transfer.counterpartyId);
		// If the deployment does not report the beneficiary, match by the hosted account or by name.
		if (payee?.hostedLedgerId !== undefined && sameId(one.receiverLedgerId, payee.hostedLedgerId)) return true;
		return payee?.name !== undefined && one.receiverName === payee.name;
	});
}

/**
 * Transactions that look like this transfer: same ledgers or beneficiary, same amount, not failed, created within `days` before `now`.
 * A transaction without a readable time is included: a needless warning is better than a missing one.
 */
export function likelyDuplicates(
	transfer: Transfer,
	payee: BeneficiaryView | undefined,
	earlier: EarlierTransactions,
	days: number,
	now: Date,
): TransactionView[] {
	const since = now.getTime() - days * 86_400_000;
	return paymentsToSamePayee(transfer, payee, earlier).filter((one) => {
		const created = Date.parse(one.createdAt ?? "");
		return !(created < since) && one.amount !== undefined && sameAmount(one.amount, transfer.amount);
	});
}

/** Whether the counterparty was ever paid from this ledger; `unknown` if an incomplete list does not show it. */
export function paidBefore(
	transfer: Transfer,
	payee: BeneficiaryView | undefined,
	earlier: EarlierTransactions,
): "yes" | "never" | "unknown" {
	if (paymentsToSamePayee(transfer, payee, earlier).length > 0) return "yes";
	return earlier.complete ? "never" : "unknown";
}

export function joined(known: readonly EarlierPayment[], listed: readonly EarlierPayment[]): EarlierPayment[] {
	const ids = new Set(known.flatMap(({ id }) => plainId(id) ?? []));
	return [...known, ...listed.filter(({ id }) => id === undefined || !ids.has(plainId(id)))];
}

const instantNames: Readonly<Record<string, string>> = { EUR: "SEPA instant", GBP: "UK Faster Payments" };
const standardNames: Readonly<Record<string, string>> = { EUR: "standard SEPA" };

/**
 * The forecast, for people.
 * @param switches of a transaction to a beneficiary (specification 2.8); a missing one is on
 * @param hosted whether the beneficiary's account is a ledger at the service; undefined if that could not be read
 */
export function railForecast(
	switches: Pick<Transfer, "allowFastPayment" | "allowInterLedger">,
	hosted: boolean | undefined,
	currency: string | undefined,
): string {
	const outside = externalRail(switches.allowFastPayment !== false, currency);
	if (hosted === false) return outside;
	if (switches.allowInterLedger === false) return `${outside}; never inter-ledger (switched off)`;
	return hosted
		? "inter-ledger (the account is hosted at the service)"
		: `inter-ledger if the account is hosted at the service, else ${outside}`;
}

function externalRail(fast: boolean, currency: string | undefined): string {
	const standard = standardNames[currency ?? ""] ?? "the standard rail";
	if (!fast) return `${standard}, no instant rail (switched off)`;
	const instant = instantNames[currency ?? ""];
	return `instant where possible${instant ? ` (${instant})` : ""}, else ${standard}`;
}
