/**
 * Makes the preview that a person confirms before money is sent. Pure.
 * Nothing is guessed: the preview says what could not be read and draws no conclusion from it.
 */

import { codeOf, inCurrency } from "../../api/amount.js";
import { sameId } from "../../api/answer.js";
import { type BeneficiaryView, maskedAccount } from "../../api/operations/beneficiary.js";
import type { LedgerView } from "../../api/operations/ledger.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { isFailed } from "../../api/values.js";
import type { Reading } from "../../ports/service.js";
import { difference, sameAmount } from "../rules/decimal.js";
import type { EarlierPayment } from "../rules/duplicates.js";
import { type Asked, accountCurrency, currencyOf, type Facts, foundOf, gatherFacts, refuseAmount } from "./facts.js";

/** As the frame (`cli/`) shows it. */
export interface TransferPreview {
	title: string;
	rows: readonly (readonly [string, string])[];
	warnings: readonly string[];
	listed: readonly EarlierPayment[];
	amount: string;
	currency?: string;
}

export async function previewTransfer(service: Reading, transfer: Transfer, options: Asked): Promise<TransferPreview> {
	const facts = await gatherFacts(service, transfer, options);
	refuseAmount(transfer, codeOf(transfer.currency === undefined ? currencyOf(facts) : accountCurrency(facts)));
	return previewOf(facts);
}

const isText = (part: string | false | undefined): part is string => typeof part === "string" && part !== "";

export function previewOf(facts: Facts): TransferPreview {
	const { kind, amount, counterpartyId, ledgerFromId, reference } = facts.transfer;
	const [from, to, payee] = [foundOf(facts.from), foundOf(facts.toLedger), foundOf(facts.beneficiary)];
	const currency = currencyOf(facts);
	// The amount may be in the ledger's currency, where the service does not tell that of the beneficiary's account.
	const isOpen = kind === "beneficiary" && currency === undefined && from?.currency !== undefined;
	const assumption = isOpen ? `, if the account is in ${from.currency}` : "";
	const isComparable = from?.available !== undefined && (from.currency === currency || isOpen);
	const left = isComparable ? difference(from.available as string, amount) : undefined;
	const name = (to && nameOf(facts, to)) ?? payee?.name ?? payee?.friendlyName ?? `${kind} ${counterpartyId}`;
	const hosted = payee && payee.hostedLedgerId !== undefined;
	const lacking =
		left?.startsWith("-") && `The available balance is not enough${assumption}: ${inCurrency(left.slice(1), from?.currency)} is missing`;
	return {
		title: `Send ${inCurrency(amount, currency)} to ${name}`,
		listed: listedDuplicates(facts),
		rows: [
			["From", ledgerLine(facts, from, ledgerFromId)],
			...(kind === "ledger" ? [["To", ledgerLine(facts, to, counterpartyId)] as const] : payeeRows(payee, counterpartyId)),
			["Amount", inCurrency(amount, currency ?? "(currency not known)")],
			["Available", from?.available === undefined ? "not known" : inCurrency(from.available, from.currency)],
			["Left after", left === undefined ? "not known" : `${inCurrency(left, from?.currency)}${assumption}`],
			["Rail", kind === "ledger" ? "inter-ledger" : railForecast(facts.transfer, hosted, currency)],
			["Reference", reference ? `"${reference}"` : "none"],
		],
		warnings: [...unreadWarnings(facts), ...warningsOf(facts), lacking, earlierWarning(facts)].filter(isText),
		amount,
		currency,
	};
}

/** `Main account of Example Bakery SAS`. */
function nameOf({ companyOf }: Facts, ledger: LedgerView): string | undefined {
	const company = companyOf?.(ledger);
	return ledger.name === undefined || company === undefined ? ledger.name : `${ledger.name} of ${company}`;
}

function ledgerLine(facts: Facts, ledger: LedgerView | undefined, id: string): string {
	if (!ledger) return `${id} (could not be read)`;
	return [nameOf(facts, ledger) ?? "ledger without a name", id, ledger.status].filter(isText).join(" · ");
}

function payeeRows(payee: BeneficiaryView | undefined, id: string): (readonly [string, string])[] {
	if (!payee) return [["To", `${id} (could not be read)`]];
	const { name, friendlyName, status = "status unknown" } = payee;
	const both = name && friendlyName && name !== friendlyName ? `${name} (${friendlyName})` : (name ?? friendlyName);
	return [
		["To", [both ?? "beneficiary without a name", id, status].join(" · ")],
		["Account", maskedAccount(payee.account) ?? "not given by the service"],
	];
}

function unreadWarnings({ from, toLedger, beneficiary, earlier }: Facts): string[] {
	const lookups = {
		"The ledger to debit": from,
		"The ledger to credit": toLedger,
		"The beneficiary": beneficiary,
		"Earlier payments": earlier,
	};
	return Object.entries(lookups).flatMap(([what, one]) => (one && "unread" in one ? [`${what} could not be read: ${one.unread}`] : []));
}

function warningsOf(facts: Facts): (string | false | undefined)[] {
	const { kind, currency, ledgerFromId } = facts.transfer;
	const [from, to, payee] = [foundOf(facts.from), foundOf(facts.toLedger), foundOf(facts.beneficiary)];
	const holds = from?.currency && `the ledger to debit holds ${from.currency}`;
	const account = kind === "ledger" ? "ledger to debit" : `beneficiary's account${holds && from.currency !== currency ? `; ${holds}` : ""}`;
	const isStated = currency !== undefined && codeOf(accountCurrency(facts)) === undefined;
	const isOther = (one: string | undefined, other: string | undefined): boolean =>
		one !== undefined && other !== undefined && one !== other;
	return [
		isStated && `The currency ${currency} comes from --currency: the service does not give it for the ${account}`,
		from?.status !== undefined && from.status !== "ACTIVE" && `The ledger to debit is ${from.status}, not ACTIVE`,
		to?.status !== undefined && to.status !== "ACTIVE" && `The ledger to credit is ${to.status}, not ACTIVE`,
		isOther(from?.currency, to?.currency) && `The ledgers differ in currency: ${from?.currency} is debited, ${to?.currency} credited`,
		...(payee === undefined
			? []
			: [
					payee.status !== "VALID" && `The beneficiary is not VALID: ${payee.status ?? "the service gives no status"}`,
					payee.active === false && "The beneficiary is inactive",
					isOther(payee.currency, from?.currency) && `The amount is in ${payee.currency}, the beneficiary account's currency; ${holds}`,
					payee.currency === undefined &&
						currency === undefined &&
						holds &&
						`The amount is in the currency of the beneficiary's account, which the service does not give; ${holds}`,
					isOther(payee.endUserId, from?.endUserId) &&
						`The payee belongs to ${facts.companyOf?.(payee) ?? "another company"}, not to ${facts.companyOf?.(from) ?? "that of the ledger to debit"}`,
					sameId(payee.hostedLedgerId, ledgerFromId) && "The beneficiary's account is the ledger that is debited",
				]),
	];
}

/** Whether the payee was ever paid from this ledger, as far as the list was read. */
function earlierWarning(facts: Facts): string | undefined {
	const known = foundOf(facts.earlier);
	if (!known || facts.transfer.kind === "ledger" || paymentsToSamePayee(facts).length > 0) return undefined;
	if (known.complete) return "This beneficiary was never paid before from this ledger";
	return `This beneficiary is not among the ledger's latest ${known.transactions.length} transactions; earlier ones were not checked`;
}

/**
 * Transactions that look like this transfer, newest first: same ledgers or beneficiary, same amount, not failed, created within the duplicate
 * days. One without a readable time is included: a needless warning is better than a missing one.
 */
function listedDuplicates(facts: Facts): EarlierPayment[] {
	const { transfer, days, now } = facts;
	const since = now.getTime() - days * 86_400_000;
	const isRecent = ({ createdAt = "", amount = "" }: TransactionView): boolean =>
		!(Date.parse(createdAt) < since) && sameAmount(amount, transfer.amount);
	return paymentsToSamePayee(facts)
		.filter(isRecent)
		.map(({ id, createdAt, reference = "" }) => ({ id, at: createdAt, otherReference: reference !== (transfer.reference ?? "") }));
}

function paymentsToSamePayee({ transfer, beneficiary, earlier }: Facts): TransactionView[] {
	const payee = foundOf(beneficiary);
	return (foundOf(earlier)?.transactions ?? []).filter((one) => {
		if (isFailed(one.status)) return false;
		if (one.senderLedgerId !== undefined && !sameId(one.senderLedgerId, transfer.ledgerFromId)) return false;
		if (transfer.kind === "ledger") return sameId(one.receiverLedgerId, transfer.counterpartyId);
		if (one.beneficiaryId !== undefined) return sameId(one.beneficiaryId, transfer.counterpartyId);
		// If the deployment does not report the beneficiary, match by the hosted account or by name.
		if (payee?.hostedLedgerId !== undefined && sameId(one.receiverLedgerId, payee.hostedLedgerId)) return true;
		return payee?.name !== undefined && one.receiverName === payee.name;
	});
}

/** What the journal knows, and what only the service's list shows. */
export function joined(known: readonly EarlierPayment[], listed: readonly EarlierPayment[]): EarlierPayment[] {
	const ids = new Set(known.flatMap(({ id }) => plainId(id) ?? []));
	return [...known, ...listed.filter(({ id }) => id === undefined || !ids.has(plainId(id)))];
}

const instantNames: Readonly<Record<string, string>> = { EUR: " (SEPA instant)", GBP: " (UK Faster Payments)" };

/**
 * The forecast, for people.
 * @param switches of a transaction to a beneficiary (specification 2.8); a missing one is on
 */
function railForecast(switches: Transfer, hosted: boolean | undefined, currency = ""): string {
	const standard = currency === "EUR" ? "standard SEPA" : "the standard rail";
	const instant = `instant where possible${instantNames[currency] ?? ""}, else ${standard}`;
	const outside = switches.allowFastPayment === false ? `${standard}, no instant rail (switched off)` : instant;
	if (hosted === false) return outside;
	if (switches.allowInterLedger === false) return `${outside}; never inter-ledger (switched off)`;
	return hosted
		? "inter-ledger (the account is hosted at the service)"
		: `inter-ledger if the account is hosted at the service, else ${outside}`;
}
