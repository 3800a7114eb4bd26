/**
 * Looks up what a preview is made of. A look-up that fails does not stop a payment: it is said, and the rest goes on.
 */

import { decimalsFault } from "../api/amount.js";
import { countAt, listAt, type Received } from "../api/answer.js";
import { getBeneficiary, viewBeneficiary } from "../api/beneficiary.js";
import { getLedger, viewLedger } from "../api/ledger.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { largestPage } from "../api/paging.js";
import { listTransactions, type TransactionView, viewTransaction } from "../api/transaction.js";
import type { Transfer } from "../context.js";
import { type Fault, PurserError } from "../errors.js";
import type { Earlier } from "./earlier.js";
import { type Facts, type Found, previewOf, type TransferPreview, transferFaults } from "./preview.js";
import type { Switches } from "./rail.js";

/** Asks the service; a command hands in the client's call. */
export type Ask = <O extends AnyOperation>(operation: O, input: Input<O>) => Promise<{ data: unknown }>;

/** Most pages of earlier transactions that are read before one payment. */
const mostPages = 3;

/** Days back in which a same transfer is called a duplicate, where the setting is not there. */
const usualDays = 3;

/** What a preview needs beside the transfer itself. */
export interface PreviewOptions {
	switches?: Switches;
	/** The setting `duplicate-days`, as text. */
	duplicateDays?: string;
	now: Date;
}

/**
 * The preview of a transfer, with both sides looked up.
 * @throws PurserError validation, where the amount does not fit its currency; auth (401) or interrupted
 */
export async function previewTransfer(ask: Ask, transfer: Transfer, options: PreviewOptions): Promise<TransferPreview> {
	const facts = await gatherFacts(ask, transfer, options);
	refuse(transferFaults(facts));
	return previewOf(facts);
}

/**
 * Checks the amount's decimals against its currency (ISO 4217), for a payment that nobody previews.
 * Where the currency cannot be read, nothing is refused: the service decides. An amount without decimals fits every currency.
 * @returns the currency, where it was looked up
 * @throws PurserError validation or interrupted
 */
export async function checkDecimals(ask: Ask, transfer: Transfer): Promise<string | undefined> {
	if (!transfer.amount.includes(".")) return undefined;
	const currency = await readCurrency(ask, transfer);
	const fault = decimalsFault(transfer.amount, currency);
	refuse(fault ? [{ field: "amount", message: fault }] : []);
	return currency;
}

/** The beneficiary account's currency, else the debited ledger's. A missing credential is left to the payment itself to report. */
async function readCurrency(ask: Ask, transfer: Transfer): Promise<string | undefined> {
	const found = <T>(look: Found<T>): T | undefined => ("found" in look ? look.found : undefined);
	try {
		const account = transfer.kind === "beneficiary" ? found(await payee(ask, transfer.counterpartyId))?.currency : undefined;
		return account ?? found(await ledger(ask, transfer.ledgerFromId))?.currency;
	} catch (cause) {
		if (cause instanceof PurserError && cause.kind === "auth") return undefined;
		throw cause;
	}
}

function refuse(faults: readonly Fault[]): void {
	if (faults.length === 0) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: "The amount does not fit its currency; nothing was sent",
		fix: "Correct the amount and run the command again.",
		details: [...faults],
	});
}

/** Everything the preview needs, looked up side by side. */
async function gatherFacts(ask: Ask, transfer: Transfer, options: PreviewOptions): Promise<Facts> {
	const days = /^\d{1,3}$/.test(options.duplicateDays ?? "") ? Number(options.duplicateDays) : usualDays;
	const toLedger = transfer.kind === "ledger" ? ledger(ask, transfer.counterpartyId) : undefined;
	const beneficiary = transfer.kind === "beneficiary" ? payee(ask, transfer.counterpartyId) : undefined;
	const [from, to, who, earlier] = await Promise.all([
		ledger(ask, transfer.ledgerFromId),
		toLedger,
		beneficiary,
		latest(ask, transfer.ledgerFromId),
	]);
	return { transfer, from, toLedger: to, beneficiary: who, switches: options.switches, earlier, days, now: options.now };
}

function ledger(ask: Ask, ledgerId: string) {
	return attempt(ledgerId, async () => viewLedger((await ask(getLedger, { params: { ledgerId } })).data as Received));
}

function payee(ask: Ask, beneficiaryId: string) {
	return attempt(beneficiaryId, async () => viewBeneficiary((await ask(getBeneficiary, { params: { beneficiaryId } })).data as Received));
}

/** @param id the record asked for: an answer that names another one is not believed */
async function attempt<T extends { id?: string }>(id: string, look: () => Promise<T>): Promise<Found<T>> {
	try {
		const found = await look();
		const other = found.id !== undefined && found.id.toLowerCase() !== id.toLowerCase();
		return other ? { unread: `the service answered with another one, ${found.id}` } : { found };
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return { unread: cause.message };
	}
}

/** Whether a look-up's failure leaves the payment possible. A 403 does: whoever may pay may still lack the right to look. */
export function mayGoOn(cause: unknown): cause is PurserError {
	if (!(cause instanceof PurserError) || cause.kind === "interrupted") return false;
	return cause.kind !== "auth" || cause.failure.status === 403;
}

/** The ledger's latest transactions, newest first, at most {@link mostPages} pages of them. */
async function latest(ask: Ask, ledgerId: string): Promise<Found<Earlier>> {
	const transactions: TransactionView[] = [];
	try {
		for (let page = 0; page < mostPages; page += 1) {
			const query = { ledgerId, page: String(page), pageSize: String(largestPage), sortDirection: "DESC" as const };
			const { data } = await ask(listTransactions, { query });
			const records = listAt(data);
			transactions.push(...records.map(viewTransaction));
			const total = countAt(data, "totalElements");
			const complete = Array.isArray(data) || (total === undefined ? records.length < largestPage : transactions.length >= total);
			if (complete || records.length === 0) return { found: { transactions, complete } };
		}
		return { found: { transactions, complete: false } };
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return { unread: cause.message };
	}
}
