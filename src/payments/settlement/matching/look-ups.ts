/**
 * Records of the service that settling asks for one by one: whom a payment went to, and what became of a transaction.
 */
import { otherRecord, type Received } from "../../../api/answer.js";
import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../../api/operations/beneficiary.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { Reading } from "../../../ports/service.js";
import { mayGoOn } from "../../rules/failed-look.js";

type Getting = Pick<Reading, "get">;

/** How a service is asked for what became of one transaction; undefined where it cannot be told. */
export type StatusOf = (id: string) => Promise<string | undefined>;

/**
 * The record of whom a payment went to, for telling a transaction by a name where the service does not tell the beneficiary's id: without
 * it such a transaction is never surely the same.
 * @throws PurserError auth (401) or interrupted
 */
export async function payeeOf(
	{ service }: { service: Getting },
	{ transfer }: Pick<IntentRecord, "transfer">,
): Promise<BeneficiaryView | undefined> {
	if (transfer?.kind !== "beneficiary") return undefined;
	const params = { beneficiaryId: transfer.counterpartyId };
	return tried(async () => viewBeneficiary((await service.get(getBeneficiary, { params })) as Received));
}

/**
 * One transaction as the service tells it; its answer may be another one's.
 * @returns undefined where it cannot be had
 * @throws PurserError auth (401) or interrupted
 */
export function transactionOf(service: Getting, transactionId: string): Promise<TransactionView | undefined> {
	return tried(async () => viewTransaction((await service.get(getTransaction, { params: { transactionId } })) as Received));
}

/** What the service says became of a transaction; undefined where it says nothing of it. */
export function statusBy(service: Getting): StatusOf {
	return async (transactionId) => {
		const seen = await transactionOf(service, transactionId);
		return seen && otherRecord(transactionId, seen.id) === undefined ? seen.status : undefined;
	};
}

async function tried<T>(look: () => Promise<T>): Promise<T | undefined> {
	try {
		return await look();
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return undefined;
	}
}
