/**
 * What subscribers are told. The specification shows four names and no payload (operations.md 7); the rest is assumed here and nowhere else.
 */
/** A record, as far as it is told about. */
interface Told {
	id: string;
	status: string;
}

/** One thing that has happened to one record. */
export interface Change {
	/** Names seen: CORPORATE_KYB_VALIDATED, CORPORATE_RELATED_KYC_VALIDATED, BENEFICIARY_CREATED, BENEFICIARY_UPDATED. Others follow them: assumed. */
	type: string;
	/** The record's id, by which deliveries about one record are kept in order. */
	subject: string;
	/** Assumed: ids under the names that requests use, and the status. */
	data: Readonly<Record<string, string>>;
}

export const transactionChange = ({ id, status }: Told): Change => ({
	type: `TRANSACTION_${status}`,
	subject: id,
	data: { transactionId: id, status },
});

export const kybChange = ({ id, kyb: { status } }: { id: string; kyb: { status: string } }): Change => ({
	type: `CORPORATE_KYB_${status}`,
	subject: id,
	data: { corporateId: id, status },
});

export const kycChange = ({ id, corporateId, kyc: { status } }: { id: string; corporateId: string; kyc: { status: string } }): Change => ({
	type: `CORPORATE_RELATED_KYC_${status}`,
	subject: id,
	data: { corporateRelatedId: id, corporateId, status },
});

export const beneficiaryChange = ({ id, status }: Told, what: "CREATED" | "UPDATED"): Change => ({
	type: `BENEFICIARY_${what}`,
	subject: id,
	data: { beneficiaryId: id, status },
});

/** The body of a delivery: the outer form is the one that Standard Webhooks recommends. Assumed. */
export const bodyOf = ({ type, data }: Change, at: Date): string => JSON.stringify({ type, timestamp: at.toISOString(), data });
