/**
 * What is known of a transfer before it is sent: both sides, earlier payments, and what follows from them. Pure.
 */
import { codeOf, currencyFault, decimalsFault } from "../../api/amount.js";
import type { BeneficiaryView } from "../../api/operations/beneficiary.js";
import type { LedgerView } from "../../api/operations/ledger.js";
import type { Transfer } from "../../api/operations/transfer.js";
import type { Fault } from "../../errors.js";
import { difference } from "../rules/decimal.js";
import type { EarlierTransactions } from "./earlier.js";

/** The result of a look-up, or why it failed. */
export type LookUp<T> = { found: T } | { unread: string };

/** Everything the preview is based on. */
export interface Facts {
	transfer: Transfer;
	from: LookUp<LedgerView>;
	/** Between ledgers: the credited ledger. */
	toLedger?: LookUp<LedgerView>;
	/** To a beneficiary: the beneficiary. */
	beneficiary?: LookUp<BeneficiaryView>;
	earlier: LookUp<EarlierTransactions>;
	/** Days within which an identical transfer counts as a duplicate. */
	days: number;
	now: Date;
}

/** What was found; undefined where it was not looked for, or could not be read. */
export const foundOf = <T>(look: LookUp<T> | undefined): T | undefined => (look && "found" in look ? look.found : undefined);

/** The amount's currency: the operator's, else the beneficiary account's (specification 2.8); between ledgers, that of either. */
export function currencyOf(facts: Facts): string | undefined {
	return facts.transfer.currency ?? accountCurrency(facts) ?? foundOf(facts.toLedger)?.currency;
}

/** The currency of the account that determines the amount's: the beneficiary's account; between ledgers, the debited one. */
export function accountCurrency({ transfer, beneficiary, from }: Facts): string | undefined {
	return transfer.kind === "beneficiary" ? foundOf(beneficiary)?.currency : foundOf(from)?.currency;
}

/** Faults that must stop the transfer before it is sent; see {@link amountFaults}. */
export function transferFaults(facts: Facts): Fault[] {
	const { kind, amount, currency } = facts.transfer;
	return amountFaults(kind, amount, currency, codeOf(currency === undefined ? currencyOf(facts) : accountCurrency(facts)));
}

/**
 * Reports an amount with more decimals than its currency has (ISO 4217), and a given currency that contradicts the known one.
 * @param given the currency given by the operator
 * @param known the currency of the debited ledger, or of the beneficiary's account
 */
export function amountFaults(kind: Transfer["kind"], amount: string, given: string | undefined, known: string | undefined): Fault[] {
	const [other, decimals] = [currencyFault(kind, given, known), decimalsFault(amount, given ?? known)];
	return [...(other ? [{ field: "currency", message: other }] : []), ...(decimals ? [{ field: "amount", message: decimals }] : [])];
}

/** The balance after the payment, if both values are readable and the ledger and the amount are, or may be, in the same currency. */
export function leftAfter(facts: Facts): string | undefined {
	const from = foundOf(facts.from);
	if (from?.available === undefined || (from.currency !== currencyOf(facts) && !isCurrencyOpen(facts))) return undefined;
	return difference(from.available, facts.transfer.amount);
}

/** Whether it is open if the amount is in the ledger's currency, because the service does not report that of the beneficiary's account. */
export function isCurrencyOpen(facts: Facts): boolean {
	return facts.transfer.kind === "beneficiary" && currencyOf(facts) === undefined && foundOf(facts.from)?.currency !== undefined;
}

/** The assumption to add to a conclusion; empty if there is none. */
export const assumptionText = (facts: Facts): string =>
	isCurrencyOpen(facts) ? `, if the account is in ${foundOf(facts.from)?.currency}` : "";
