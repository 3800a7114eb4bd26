/**
 * Looks up what a preview shows. A failed look-up does not stop the payment; the preview says what could not be read.
 */

import { codeOf, currencyFault, decimalsFault } from "../../api/amount.js";
import { otherRecord, type Received } from "../../api/answer.js";
import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getLedger, type LedgerView, viewLedger } from "../../api/operations/ledger.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { listTransactions, viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Called, NameOf } from "../../ports/resolver.js";
import type { Reading } from "../../ports/service.js";
import { canProceed } from "../rules/failed-look.js";

/** Most earlier transactions read before a payment. */
const maxEarlier = 300;

/**
 * Checks, for a payment without a preview, that the amount's decimals fit its currency (ISO 4217) and that the currency given by the
 * operator is the account's. If the account's currency cannot be read, the given one counts; without either nothing is refused and the
 * service decides. An amount without decimals fits every currency, so it needs no look-up.
 * @param needed look the currency up in any case, because a limit names one
 */
export async function checkDecimals(service: Reading, transfer: Transfer, needed = false): Promise<string | undefined> {
	const { kind, amount, currency: given } = transfer;
	if (!needed && given === undefined && !amount.includes(".")) return undefined;
	const known = await lookUpCurrency(service, transfer);
	refuse(amountFaults(kind, amount, given, known));
	return given ?? known;
}

/**
 * The currency of the amount: that of the beneficiary's account (specification 2.8), whatever the debited ledger holds; between ledgers,
 * that of the debited one. A missing credential is ignored here, because the payment itself reports it.
 */
async function lookUpCurrency(service: Reading, { kind, ledgerFromId, counterpartyId }: Transfer): Promise<string | undefined> {
	try {
		const lookup = kind === "beneficiary" ? await lookUpBeneficiary(service, counterpartyId) : await lookUpLedger(service, ledgerFromId);
		return "found" in lookup ? codeOf(lookup.found.currency) : undefined;
	} catch (cause) {
		if (cause instanceof PurserError && cause.kind === "auth") return undefined;
		throw cause;
	}
}

export function refuse(faults: readonly Fault[]): void {
	if (faults.length === 0) return;
	const other = faults.some(({ field }) => field === "currency");
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: other
			? "The payment's currency is not the one given with --currency; nothing was sent"
			: "The amount does not fit its currency; nothing was sent",
		fix: other ? "Correct the amount and --currency, then run the command again." : "Correct the amount and run the command again.",
		details: [...faults],
	});
}

export async function gatherFacts(service: Reading, transfer: Transfer, options: Asked): Promise<Facts> {
	const toLedger = transfer.kind === "ledger" ? lookUpLedger(service, transfer.counterpartyId) : undefined;
	const beneficiary = transfer.kind === "beneficiary" ? lookUpBeneficiary(service, transfer.counterpartyId) : undefined;
	const [from, to, payeeLookup, earlier] = await Promise.all([
		lookUpLedger(service, transfer.ledgerFromId),
		toLedger,
		beneficiary,
		latest(service, transfer.ledgerFromId),
	]);
	const owners = [from, to, payeeLookup].map((lookup) => ["corporate", foundOf<{ endUserId?: string }>(lookup)?.endUserId] as const);
	const nameOf = await options.names?.(owners);
	return {
		transfer,
		from,
		toLedger: to,
		beneficiary: payeeLookup,
		earlier,
		companyOf: (record) => nameOf?.("corporate", record?.endUserId),
		days: options.duplicateDays,
		now: options.now,
	};
}

export interface Asked {
	/** Days within which an identical transfer counts as a duplicate. */
	duplicateDays: number;
	now: Date;
	names?(wanted: readonly Called[]): Promise<NameOf>;
}

/** Looks up a ledger. @throws PurserError unless {@link canProceed} */
export function lookUpLedger(service: Pick<Reading, "get">, ledgerId: string) {
	return attempt(ledgerId, async () => viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received));
}

/** Looks up a beneficiary. Its record may lack the account's currency; for an account hosted at the service, that of its ledger is used. */
export async function lookUpBeneficiary(service: Pick<Reading, "get">, beneficiaryId: string): Promise<Lookup<BeneficiaryView>> {
	const lookup = await attempt(beneficiaryId, async () =>
		viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received),
	);
	if (!("found" in lookup) || lookup.found.currency !== undefined || lookup.found.hostedLedgerId === undefined) return lookup;
	const hosted = await lookUpLedger(service, lookup.found.hostedLedgerId);
	return "found" in hosted ? { found: { ...lookup.found, currency: hosted.found.currency } } : lookup;
}

/** @param id the requested record's; an answer that names another record is rejected */
async function attempt<T extends { id?: string }>(id: string, lookup: () => Promise<T>): Promise<Lookup<T>> {
	try {
		const found = await lookup();
		const other = otherRecord(id, found.id);
		return other === undefined ? { found } : { unread: `the service answered with another one, ${other}` };
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message };
	}
}

async function latest(service: Reading, ledgerId: string): Promise<Lookup<EarlierTransactions>> {
	try {
		const { records, complete } = await service.list(listTransactions, { query: { ledgerId, sortDirection: "DESC" } }, maxEarlier);
		return { found: { transactions: records.map(viewTransaction), complete } };
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message };
	}
}

export interface EarlierTransactions {
	transactions: readonly TransactionView[];
	/** False if the list was cut short, so that absence proves nothing. */
	complete: boolean;
}

export type Lookup<T> = { found: T } | { unread: string };

export interface Facts {
	transfer: Transfer;
	from: Lookup<LedgerView>;
	toLedger?: Lookup<LedgerView>;
	beneficiary?: Lookup<BeneficiaryView>;
	earlier: Lookup<EarlierTransactions>;
	companyOf?(record: { endUserId?: string } | undefined): string | undefined;
	days: number;
	now: Date;
}

/** What was found; undefined where it was not looked for, or could not be read. */
export const foundOf = <T>(lookup: Lookup<T> | undefined): T | undefined => (lookup && "found" in lookup ? lookup.found : undefined);

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

/** Reports an amount with more decimals than its currency has (ISO 4217), and a given currency that contradicts the known one. */
export function amountFaults(kind: Transfer["kind"], amount: string, given: string | undefined, known: string | undefined): Fault[] {
	const [other, decimals] = [currencyFault(kind, given, known), decimalsFault(amount, given ?? known)];
	return [...(other ? [{ field: "currency", message: other }] : []), ...(decimals ? [{ field: "amount", message: decimals }] : [])];
}
