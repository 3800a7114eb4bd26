/**
 * What a person is shown before money is asked for, and what is wrong with a transfer once both sides are known. Pure.
 * Nothing is invented: what could not be read is said to be unread, and no conclusion is drawn from it.
 */

import { codeOf, currencyFault, decimalsFault } from "../../api/amount.js";
import { sameId } from "../../api/answer.js";
import type { BeneficiaryView } from "../../api/operations/beneficiary.js";
import type { LedgerView } from "../../api/operations/ledger.js";
import type { Transfer } from "../../api/operations/transfer.js";
import type { Fault } from "../../errors.js";
import { difference } from "../rules/decimal.js";
import { inCurrency } from "../rules/money-text.js";
import { maskedAccount } from "./account.js";
import { type Earlier, likelyDuplicates, paidBefore } from "./earlier.js";
import { railForecast } from "./rail.js";

/** A look-up that succeeded, or why it did not. */
export type LookUp<T> = { found: T } | { unread: string };

/** Everything the preview is made of. */
export interface Facts {
	transfer: Transfer;
	from: LookUp<LedgerView>;
	/** Between ledgers: the one credited. */
	toLedger?: LookUp<LedgerView>;
	/** To a beneficiary: who. */
	beneficiary?: LookUp<BeneficiaryView>;
	earlier: LookUp<Earlier>;
	/** How many days back a same transfer is called a duplicate. */
	days: number;
	now: Date;
}

/** In the frame's form of a preview. */
export interface TransferPreview {
	title: string;
	rows: readonly (readonly [string, string])[];
	warnings: readonly string[];
	amount: string;
	currency?: string;
}

type Row = readonly [string, string];

const read = <T>(look: LookUp<T> | undefined): T | undefined => (look && "found" in look ? look.found : undefined);
const isText = (part: string | false | undefined): part is string => typeof part === "string" && part !== "";

/** The currency of the amount: what the operator says, else what is told: the beneficiary account's (specification 2.8), never the ledger's for it; between ledgers that of either. */
export function currencyOf(facts: Facts): string | undefined {
	return facts.transfer.currency ?? heldIn(facts) ?? read(facts.toLedger)?.currency;
}

/** What the service tells of where the amount's currency comes from: the beneficiary's account, between ledgers the debited one. */
function heldIn({ transfer, beneficiary, from }: Facts): string | undefined {
	return transfer.kind === "beneficiary" ? read(beneficiary)?.currency : read(from)?.currency;
}

/** What must stop the transfer before it is sent: see {@link amountFaults}. */
export function transferFaults(facts: Facts): Fault[] {
	const { kind, amount, currency } = facts.transfer;
	return amountFaults(kind, amount, currency, codeOf(currency === undefined ? currencyOf(facts) : heldIn(facts)));
}

/**
 * An amount finer than its currency (ISO 4217), and a currency that is said in spite of what is known.
 * @param said by the operator
 * @param known of the debited ledger, or of the beneficiary's account
 */
export function amountFaults(kind: Transfer["kind"], amount: string, said: string | undefined, known: string | undefined): Fault[] {
	const [other, decimals] = [currencyFault(kind, said, known), decimalsFault(amount, said ?? known)];
	return [...(other ? [{ field: "currency", message: other }] : []), ...(decimals ? [{ field: "amount", message: decimals }] : [])];
}

/** The preview of one transfer. */
export function previewOf(facts: Facts): TransferPreview {
	const { transfer } = facts;
	const currency = currencyOf(facts);
	return {
		title: `Send ${inCurrency(transfer.amount, currency)} to ${payeeName(facts)}`,
		rows: [
			["From", ledgerLine(facts.from, transfer.ledgerFromId)],
			...(transfer.kind === "ledger" ? [["To", ledgerLine(facts.toLedger, transfer.counterpartyId)] as const] : beneficiaryRows(facts)),
			["Amount", inCurrency(transfer.amount, currency ?? "(currency not known)")],
			...balanceRows(facts),
			["Rail", transfer.kind === "ledger" ? "inter-ledger" : beneficiaryRail(facts)],
			["Reference", transfer.reference ? `"${transfer.reference}"` : "none"],
		],
		warnings: [
			...unread(facts),
			...saidCurrency(facts),
			...ledgerWarnings(facts),
			...beneficiaryWarnings(facts),
			...balanceWarnings(facts),
			...earlierWarnings(facts),
		],
		amount: transfer.amount,
		currency,
	};
}

/** The name to ask about; the identifier where none could be read. */
function payeeName({ transfer, toLedger, beneficiary }: Facts): string {
	const payee = read(beneficiary);
	return read(toLedger)?.name ?? payee?.name ?? payee?.friendlyName ?? `${transfer.kind} ${transfer.counterpartyId}`;
}

function ledgerLine(look: LookUp<LedgerView> | undefined, id: string): string {
	const ledger = read(look);
	if (!ledger) return `${id} (could not be read)`;
	return [ledger.name ?? "ledger without a name", id, ledger.status].filter(isText).join(" · ");
}

function beneficiaryRows(facts: Facts): Row[] {
	const { counterpartyId } = facts.transfer;
	const beneficiary = read(facts.beneficiary);
	if (!beneficiary) return [["To", `${counterpartyId} (could not be read)`]];
	const { name, friendlyName, status } = beneficiary;
	const shown =
		name && friendlyName && name !== friendlyName ? `${name} (${friendlyName})` : (name ?? friendlyName ?? "beneficiary without a name");
	return [
		["To", [shown, counterpartyId, status ?? "status not told"].join(" · ")],
		["Account", maskedAccount(beneficiary.account) ?? "not told by the service"],
	];
}

function beneficiaryRail(facts: Facts): string {
	const beneficiary = read(facts.beneficiary);
	const hosted = beneficiary && beneficiary.hostedLedgerId !== undefined;
	return railForecast(facts.transfer, hosted, currencyOf(facts));
}

/** What is left, where the ledger and the amount are in one currency, or may be, and both readable. */
function leftAfter(facts: Facts): string | undefined {
	const from = read(facts.from);
	if (from?.available === undefined || (from.currency !== currencyOf(facts) && !mayBeLedgers(facts))) return undefined;
	return difference(from.available, facts.transfer.amount);
}

/** Whether the amount may be in the ledger's currency or in another: that of the beneficiary's account is not told. */
function mayBeLedgers(facts: Facts): boolean {
	return facts.transfer.kind === "beneficiary" && currencyOf(facts) === undefined && read(facts.from)?.currency !== undefined;
}

/** What a conclusion rests on that nobody has told. */
const supposed = (facts: Facts): string => (mayBeLedgers(facts) ? `, if the account is in ${read(facts.from)?.currency}` : "");

function balanceRows(facts: Facts): Row[] {
	const from = read(facts.from);
	const left = leftAfter(facts);
	return [
		["Available", from?.available === undefined ? "not known" : inCurrency(from.available, from.currency)],
		["Left after", left === undefined ? "not known" : `${inCurrency(left, from?.currency)}${supposed(facts)}`],
	];
}

function unread(facts: Facts): string[] {
	const looks: (readonly [string, LookUp<unknown> | undefined])[] = [
		["The ledger to debit", facts.from],
		["The ledger to credit", facts.toLedger],
		["The beneficiary", facts.beneficiary],
		["Earlier payments", facts.earlier],
	];
	return looks.flatMap(([what, look]) => (look && "unread" in look ? [`${what} could not be read: ${look.unread}`] : []));
}

function saidCurrency(facts: Facts): string[] {
	const { kind, currency } = facts.transfer;
	if (currency === undefined || codeOf(heldIn(facts)) !== undefined) return [];
	const other = read(facts.from)?.currency;
	const debited = other === undefined || other === currency ? "" : `; the ledger to debit holds ${other}`;
	const untold = kind === "ledger" ? "ledger to debit" : `beneficiary's account${debited}`;
	return [`That the amount is in ${currency} is what --currency says: the service does not tell it of the ${untold}`];
}

function ledgerWarnings(facts: Facts): string[] {
	const from = read(facts.from);
	const to = read(facts.toLedger);
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
	const beneficiary = read(facts.beneficiary);
	if (!beneficiary) return [];
	const from = read(facts.from);
	return [
		beneficiary.status !== "VALID" && `The beneficiary is not VALID: ${beneficiary.status ?? "the service tells no status"}`,
		beneficiary.active === false && "The beneficiary is inactive",
		beneficiary.currency !== undefined &&
			from?.currency !== undefined &&
			beneficiary.currency !== from.currency &&
			`The amount is in ${beneficiary.currency}, the beneficiary account's currency; the ledger to debit holds ${from.currency}`,
		beneficiary.currency === undefined &&
			facts.transfer.currency === undefined &&
			from?.currency !== undefined &&
			`The amount is in the currency of the beneficiary's account, which the service does not tell; the ledger to debit holds ${from.currency}`,
		beneficiary.endUserId !== undefined &&
			from?.endUserId !== undefined &&
			beneficiary.endUserId !== from.endUserId &&
			"The beneficiary belongs to another end-user than the ledger to debit",
		sameId(beneficiary.hostedLedgerId, facts.transfer.ledgerFromId) && "The beneficiary's account is the very ledger that is debited",
	].filter(isText);
}

function balanceWarnings(facts: Facts): string[] {
	const left = leftAfter(facts);
	if (!left?.startsWith("-")) return [];
	return [`The available balance is not enough${supposed(facts)}: ${inCurrency(left.slice(1), read(facts.from)?.currency)} is missing`];
}

function earlierWarnings(facts: Facts): string[] {
	const earlier = read(facts.earlier);
	if (!earlier) return [];
	const payee = read(facts.beneficiary);
	const { transfer, days } = facts;
	const first = transfer.kind === "beneficiary" ? paidBefore(transfer, payee, earlier) : "yes";
	const same = likelyDuplicates(transfer, payee, earlier, days, facts.now);
	return [
		first === "never" && "This beneficiary was never paid before from this ledger",
		first === "unknown" &&
			`This beneficiary is not among the ledger's latest ${earlier.transactions.length} transactions; earlier ones were not looked at`,
		same[0] && duplicateWarning(facts, same.length, same[0].id, same[0].createdAt, same[0].reference),
	].filter(isText);
}

function duplicateWarning(
	facts: Facts,
	count: number,
	id: string | undefined,
	at: string | undefined,
	reference: string | undefined,
): string {
	const alike = (reference ?? "") === (facts.transfer.reference ?? "") ? "same reference" : "another reference";
	const days = `${facts.days} day${facts.days === 1 ? "" : "s"}`;
	const which = [id, at, alike].filter(isText).join(", ");
	return count === 1
		? `Looks like a duplicate: the same amount went to the same party within ${days} (${which})`
		: `Looks like a duplicate: the same amount went to the same party ${count} times within ${days} (the latest: ${which})`;
}
