/**
 * The record of whom a payment went to, for telling a transaction by a name where the service does not tell the beneficiary's id.
 */

import { type BeneficiaryView, getBeneficiary, viewBeneficiary } from "../../../api/operations/beneficiary.js";
import type { IntentRecord } from "../../../ports/journal.js";
import type { Service } from "../../../ports/service.js";
import { mayGoOn } from "../../rules/failed-look.js";

/**
 * The beneficiary's record; without it a transaction that does not tell the beneficiary's id is never surely the same.
 * @throws PurserError auth (401) or interrupted
 */
export async function payeeOf(
	{ service }: { service: Pick<Service, "get"> },
	{ transfer }: Pick<IntentRecord, "transfer">,
): Promise<BeneficiaryView | undefined> {
	if (transfer?.kind !== "beneficiary") return undefined;
	try {
		return viewBeneficiary(
			(await service.get(getBeneficiary, { params: { beneficiaryId: transfer.counterpartyId } })) as Record<string, unknown>,
		);
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return undefined;
	}
}
