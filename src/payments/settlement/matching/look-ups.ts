/**
 * Single records that settling reads from the service: a payment's payee and a transaction's status.
 */
import { otherRecord, type Received } from "../../../api/answer.js";
import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../../api/operations/beneficiary.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { Journal } from "../../../ports/journal.js";
import type { Reading } from "../../../ports/service.js";
import { canProceed } from "../../rules/failed-look.js";
import { readingThrough } from "./through.js";

type Getting = Pick<Reading, "get">;

/** The service, and the journal that says how it was described when a payment was sent. */
export interface LookedUp {
	journal: Pick<Journal, "through" | "binding">;
	service: Reading;
}

/** Reads a transaction's status; undefined if it is not known. */
export type StatusOf = (id: string) => Promise<string | undefined>;

/**
 * Reads the beneficiary of a payment, to recognise its transaction by name if the service omits the beneficiary's id. Without it such a
 * transaction never surely matches.
 * @throws PurserError auth (401) or interrupted
 */
export async function payeeOf(tools: LookedUp, record: IntentRecord): Promise<BeneficiaryView | undefined> {
	const { transfer } = record;
	if (transfer?.kind !== "beneficiary") return undefined;
	const params = { beneficiaryId: transfer.counterpartyId };
	const service = await readingThrough(tools, record);
	return unlessUnreadable(async () => viewBeneficiary((await service.get(getBeneficiary, { params })) as Received));
}

/**
 * Reads one transaction. The caller must check its id: the service may answer with another one.
 * @param service described as it was when the payment was sent that holds the id
 * @returns undefined if it cannot be read
 * @throws PurserError auth (401) or interrupted
 */
export function transactionOf(service: Getting, transactionId: string): Promise<TransactionView | undefined> {
	return unlessUnreadable(async () => viewTransaction((await service.get(getTransaction, { params: { transactionId } })) as Received));
}

/** Makes the function that reads a transaction's status. */
export function statusBy(service: Getting): StatusOf {
	return async (transactionId) => {
		const transaction = await transactionOf(service, transactionId);
		return transaction && otherRecord(transactionId, transaction.id) === undefined ? transaction.status : undefined;
	};
}

async function unlessUnreadable<T>(look: () => Promise<T>): Promise<T | undefined> {
	try {
		return await look();
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return undefined;
	}
}
