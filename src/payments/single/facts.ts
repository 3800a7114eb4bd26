/**
 * Looks up what a preview shows. A failed look-up does not stop the payment; the preview says what could not be read.
 */

import { codeOf, currencyFault, decimalsFault } from "../../api/amount.js";
import { otherRecord, type Received } from "../../api/answer.js";
import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getLedger, type LedgerView, viewLedger } from "../../api/operations/ledger.js";
import { listTransactions, type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { PurserError } from "../../errors.js";
import type { Called, NameOf } from "../../ports/resolver.js";
import type { Reading } from "../../ports/service.js";
import { canProceed } from "../rules/failed-look.js";

const maxEarlier = 300;

/**
 * Checks, for a payment without a preview, that the amount's decimals fit its currency (ISO 4217) and that the currency given by the
 * operator is the account's. If the account's currency cannot be read, the given one counts; without either nothing is refused and the
 * service decides. An amount without decimals fits every currency, so it needs no look-up.
 * @param needed look the currency up in any case, because a limit names one
 */
export async function checkDecimals(service: Reading, transfer: Transfer, needed = false): Promise<string | undefined> {
	if (!needed && transfer.currency === undefined && !transfer.amount.includes(".")) return undefined;
	const known = await lookUpCurrency(service, transfer).catch((cause: unknown) => {
		// A missing credential is reported by the payment itself.
		if (cause instanceof PurserError && cause.kind === "auth") return undefined;
		throw cause;
	});
	refuseAmount(transfer, known);
	return transfer.currency ?? known;
}

/**
 * The currency of the amount: that of the beneficiary's account (specification 2.8), whatever the debited ledger holds; between ledgers,
 * that of the debited one.
 */
async function lookUpCurrency(service: Reading, { kind, ledgerFromId, counterpartyId }: Transfer): Promise<string | undefined> {
	const lookup = kind === "beneficiary" ? await lookUpBeneficiary(service, counterpartyId) : await lookUpLedger(service, ledgerFromId);
	return codeOf(foundOf<{ currency?: string }>(lookup)?.currency);
}

/** Refuses an amount with more decimals than its currency has (ISO 4217), and a given currency that contradicts the known one. */
export function refuseAmount({ kind, amount, currency }: Transfer, known: string | undefined): void {
	const [other, decimals] = [currencyFault(kind, currency, known), decimalsFault(amount, currency ?? known)];
	if (other === undefined && decimals === undefined) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: other
			? "The payment's currency is not the one given with --currency; nothing was sent"
			: "The amount does not fit its currency; nothing was sent",
		fix: other ? "Correct the amount and --currency, then run the command again." : "Correct the amount and run the command again.",
		details: [...(other ? [{ field: "currency", message: other }] : []), ...(decimals ? [{ field: "amount", message: decimals }] : [])],
	});
}

export async function gatherFacts(service: Reading, transfer: Transfer, { names, ...times }: Asked): Promise<Facts> {
	const { kind, ledgerFromId, counterpartyId } = transfer;
	const [from, toLedger, beneficiary, earlier] = await Promise.all([
		lookUpLedger(service, ledgerFromId),
		kind === "ledger" ? lookUpLedger(service, counterpartyId) : undefined,
		kind === "beneficiary" ? lookUpBeneficiary(service, counterpartyId) : undefined,
		latest(service, ledgerFromId),
	]);
	const owners = [from, toLedger, beneficiary].map((lookup) => ["corporate", foundOf<{ endUserId?: string }>(lookup)?.endUserId] as const);
	const nameOf = await names(owners);
	return { transfer, from, toLedger, beneficiary, earlier, companyOf: (record) => nameOf("corporate", record?.endUserId), ...times };
}

interface Times {
	/** Days within which an identical transfer counts as a duplicate. */
	days: number;
	now: Date;
}

export interface Asked extends Times {
	names(wanted: readonly Called[]): Promise<NameOf>;
}

export function lookUpLedger(service: Pick<Reading, "get">, ledgerId: string) {
	return own(ledgerId, async () => viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received));
}

/** Looks up a beneficiary. Its record may lack the account's currency; for an account hosted at the service, that of its ledger is used. */
export async function lookUpBeneficiary(service: Pick<Reading, "get">, beneficiaryId: string): Promise<Lookup<BeneficiaryView>> {
	const read = async () => viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received);
	const lookup = await own(beneficiaryId, read);
	const found = foundOf(lookup);
	if (found === undefined || found.currency !== undefined || found.hostedLedgerId === undefined) return lookup;
	return { found: { ...found, currency: foundOf(await lookUpLedger(service, found.hostedLedgerId))?.currency } };
}

/** @param id the requested record's; an answer that names another record is rejected */
async function own<T extends { id?: string }>(id: string, read: () => Promise<T>): Promise<Lookup<T>> {
	const lookup = await attempt(read);
	const other = otherRecord(id, foundOf(lookup)?.id);
	return other === undefined ? lookup : { unread: `the service answered with another one, ${other}` };
}

function latest(service: Reading, ledgerId: string): Promise<Lookup<EarlierTransactions>> {
	return attempt(async () => {
		const { records, complete } = await service.list(listTransactions, { query: { ledgerId, sortDirection: "DESC" } }, maxEarlier);
		return { transactions: records.map(viewTransaction), complete };
	});
}

async function attempt<T>(read: () => Promise<T>): Promise<Lookup<T>> {
	try {
		return { found: await read() };
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

export interface Facts extends Times {
	transfer: Transfer;
	from: Lookup<LedgerView>;
	toLedger?: Lookup<LedgerView>;
	beneficiary?: Lookup<BeneficiaryView>;
	earlier: Lookup<EarlierTransactions>;
	companyOf?(record: { endUserId?: string } | undefined): string | undefined;
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
