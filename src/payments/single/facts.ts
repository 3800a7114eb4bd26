/**
 * Looks up what a preview is made of. A look-up that fails does not stop a payment: it is said, and the rest goes on.
 */

import { codeOf } from "../../api/amount.js";
import { otherRecord, type Received } from "../../api/answer.js";
import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getLedger, viewLedger } from "../../api/operations/ledger.js";
import { listTransactions, viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Reading } from "../../ports/service.js";
import { mayGoOn } from "../rules/failed-look.js";
import type { Earlier } from "./earlier.js";
import { amountFaults, type Facts, type LookUp, previewOf, type TransferPreview, transferFaults } from "./preview.js";

/** Most earlier transactions that are read before one payment. */
const mostEarlier = 300;

/** What a preview needs beside the transfer itself. */
export interface PreviewOptions {
	/** Days back in which a same transfer is called a duplicate: the setting `duplicate-days`. */
	duplicateDays: number;
	now: Date;
}

/**
 * The preview of a transfer, with both sides looked up.
 * @throws PurserError validation, where the amount does not fit its currency; auth (401) or interrupted
 */
export async function previewTransfer(service: Reading, transfer: Transfer, options: PreviewOptions): Promise<TransferPreview> {
	const facts = await gatherFacts(service, transfer, options);
	refuse(transferFaults(facts));
	return previewOf(facts);
}

/**
 * Checks the amount's decimals against its currency (ISO 4217), and the currency that the operator says against what is told, for a
 * payment that nobody previews. Where the currency cannot be read, what is said counts, and else nothing is refused: the service
 * decides. An amount without decimals fits every currency.
 * @param transfer with the currency that the operator says, where one is said
 * @param needed the currency is wanted for its own sake: a cap names one
 * @returns the currency, where it was said or looked up
 * @throws PurserError validation or interrupted
 */
export async function checkDecimals(service: Reading, transfer: Transfer, needed = false): Promise<string | undefined> {
	const { kind, amount, currency: said } = transfer;
	if (!needed && said === undefined && !amount.includes(".")) return undefined;
	const known = await readCurrency(service, transfer);
	refuse(amountFaults(kind, amount, said, known));
	return said ?? known;
}

/**
 * What the amount is in: the currency of the beneficiary's account (specification 2.8), which the ledger's says nothing of; between
 * ledgers that of the debited one. A missing credential is left to the payment itself to report.
 */
async function readCurrency(service: Reading, { kind, ledgerFromId, counterpartyId }: Transfer): Promise<string | undefined> {
	try {
		const look = kind === "beneficiary" ? await payee(service, counterpartyId) : await ledger(service, ledgerFromId);
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
			? "The payment is in another currency than --currency says; nothing was sent"
			: "The amount does not fit its currency; nothing was sent",
		fix: other ? "Correct the amount and --currency, then run the command again." : "Correct the amount and run the command again.",
		details: [...faults],
	});
}

/** Everything the preview needs, looked up side by side. */
async function gatherFacts(service: Reading, transfer: Transfer, options: PreviewOptions): Promise<Facts> {
	const toLedger = transfer.kind === "ledger" ? ledger(service, transfer.counterpartyId) : undefined;
	const beneficiary = transfer.kind === "beneficiary" ? payee(service, transfer.counterpartyId) : undefined;
	const [from, to, who, earlier] = await Promise.all([
		ledger(service, transfer.ledgerFromId),
		toLedger,
		beneficiary,
		latest(service, transfer.ledgerFromId),
	]);
	return {
		transfer,
		from,
		toLedger: to,
		beneficiary: who,
		earlier,
		days: options.duplicateDays,
		now: options.now,
	};
}

/** A ledger looked up. @throws PurserError where {@link mayGoOn} does not hold */
export function ledger(service: Pick<Reading, "get">, ledgerId: string) {
	return attempt(ledgerId, async () => viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received));
}

/**
 * A beneficiary looked up. The record is not known to tell the account's currency: of an account hosted at the
 * service it is its ledger's.
 * @throws PurserError where {@link mayGoOn} does not hold
 */
export async function payee(service: Pick<Reading, "get">, beneficiaryId: string): Promise<LookUp<BeneficiaryView>> {
	const look = await attempt(beneficiaryId, async () =>
		viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received),
	);
	if (!("found" in look) || look.found.currency !== undefined || look.found.hostedLedgerId === undefined) return look;
	const hosted = await ledger(service, look.found.hostedLedgerId);
	return "found" in hosted ? { found: { ...look.found, currency: hosted.found.currency } } : look;
}

/** @param id the record asked for: an answer that names another one is not believed */
async function attempt<T extends { id?: string }>(id: string, look: () => Promise<T>): Promise<LookUp<T>> {
	try {
		const found = await look();
		const other = otherRecord(id, found.id);
		return other === undefined ? { found } : { unread: `the service answered with another one, ${other}` };
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return { unread: cause.message };
	}
}

/** The ledger's latest transactions, newest first. */
async function latest(service: Reading, ledgerId: string): Promise<LookUp<Earlier>> {
	try {
		const { records, complete } = await service.list(listTransactions, { query: { ledgerId, sortDirection: "DESC" } }, mostEarlier);
		return { found: { transactions: records.map(viewTransaction), complete } };
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return { unread: cause.message };
	}
}
