/**
 * Looks up what a preview shows. A failed look-up does not stop the payment; the preview says what could not be read.
 */

import { codeOf } from "../../api/amount.js";
import { otherRecord, type Received } from "../../api/answer.js";
import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getLedger, viewLedger } from "../../api/operations/ledger.js";
import { listTransactions, viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Reading } from "../../ports/service.js";
import { canProceed } from "../rules/failed-look.js";
import type { EarlierTransactions } from "./earlier.js";
import { amountFaults, type Facts, type LookUp, transferFaults } from "./known.js";
import { previewOf, type TransferPreview } from "./preview.js";

/** Most earlier transactions read before a payment. */
const maxEarlier = 300;

/** What a preview needs besides the transfer itself. */
export interface PreviewOptions {
	/** Days within which an identical transfer counts as a duplicate: the setting `duplicate-days`. */
	duplicateDays: number;
	now: Date;
}

/**
 * Looks up both sides of a transfer and makes its preview.
 * @throws PurserError validation, if the amount does not fit its currency; auth (401) or interrupted
 */
export async function previewTransfer(service: Reading, transfer: Transfer, options: PreviewOptions): Promise<TransferPreview> {
	const facts = await gatherFacts(service, transfer, options);
	refuse(transferFaults(facts));
	return previewOf(facts);
}

/**
 * Checks, for a payment without a preview, that the amount's decimals fit its currency (ISO 4217) and that the currency given by the
 * operator is the account's. If the account's currency cannot be read, the given one counts; without either nothing is refused and the
 * service decides. An amount without decimals fits every currency, so it needs no look-up.
 * @param transfer its `currency` is the one given by the operator, if any
 * @param needed look the currency up in any case, because a limit names one
 * @returns the currency, if it was given or looked up
 * @throws PurserError validation or interrupted
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
		const look = kind === "beneficiary" ? await lookUpBeneficiary(service, counterpartyId) : await lookUpLedger(service, ledgerFromId);
		return "found" in look ? codeOf(look.found.currency) : undefined;
	} catch (cause) {
		if (cause instanceof PurserError && cause.kind === "auth") return undefined;
		throw cause;
	}
}

function refuse(faults: readonly Fault[]): void {
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

/** Looks up everything the preview needs, in parallel. */
async function gatherFacts(service: Reading, transfer: Transfer, options: PreviewOptions): Promise<Facts> {
	const toLedger = transfer.kind === "ledger" ? lookUpLedger(service, transfer.counterpartyId) : undefined;
	const beneficiary = transfer.kind === "beneficiary" ? lookUpBeneficiary(service, transfer.counterpartyId) : undefined;
	const [from, to, payeeLookUp, earlier] = await Promise.all([
		lookUpLedger(service, transfer.ledgerFromId),
		toLedger,
		beneficiary,
		latest(service, transfer.ledgerFromId),
	]);
	return {
		transfer,
		from,
		toLedger: to,
		beneficiary: payeeLookUp,
		earlier,
		days: options.duplicateDays,
		now: options.now,
	};
}

/** Looks up a ledger. @throws PurserError unless {@link canProceed} */
export function lookUpLedger(service: Pick<Reading, "get">, ledgerId: string) {
	return attempt(ledgerId, async () => viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received));
}

/**
 * Looks up a beneficiary. Its record may lack the account's currency; for an account hosted at the service, that of its ledger is used.
 * @throws PurserError unless {@link canProceed}
 */
export async function lookUpBeneficiary(service: Pick<Reading, "get">, beneficiaryId: string): Promise<LookUp<BeneficiaryView>> {
	const look = await attempt(beneficiaryId, async () =>
		viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received),
	);
	if (!("found" in look) || look.found.currency !== undefined || look.found.hostedLedgerId === undefined) return look;
	const hosted = await lookUpLedger(service, look.found.hostedLedgerId);
	return "found" in hosted ? { found: { ...look.found, currency: hosted.found.currency } } : look;
}

/** @param id the requested record's; an answer that names another record is rejected */
async function attempt<T extends { id?: string }>(id: string, look: () => Promise<T>): Promise<LookUp<T>> {
	try {
		const found = await look();
		const other = otherRecord(id, found.id);
		return other === undefined ? { found } : { unread: `the service answered with another one, ${other}` };
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message };
	}
}

/** The ledger's latest transactions, newest first. */
async function latest(service: Reading, ledgerId: string): Promise<LookUp<EarlierTransactions>> {
	try {
		const { records, complete } = await service.list(listTransactions, { query: { ledgerId, sortDirection: "DESC" } }, maxEarlier);
		return { found: { transactions: records.map(viewTransaction), complete } };
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message };
	}
}
