/**
 * What to do next about a related entity, by its record alone.
 */
import { purser } from "../../api/advice.js";
import { listAt, type Received, typed } from "../../api/answer.js";
import { viewRelated } from "../../api/operations/related.js";
import type { SuggestedCommand } from "../../errors.js";

/**
 * Whether a person has no part in the company for which a KYC is needed (specification 4, rule 5): no role, no shares, and the service has
 * not asked for one. False where the record does not say.
 */
export function isBystander(record: Received): boolean {
	const { isDirector, isUbo, shares, kycType, kycStatus } = viewRelated(record);
	const holds = shares !== undefined || listAt(record, "shares").length > 0;
	const asked = kycType === "FULL_KYC" || (kycStatus !== undefined && kycStatus !== "NOT_STARTED");
	return isDirector === false && isUbo === false && !holds && !asked;
}

/** Whether the person has a KYC to do, as far as the record shows. */
export function hasKycToDo(record: Received): boolean {
	const { isCompany, kycType, kycStatus } = viewRelated(record);
	return !isCompany && kycType !== "NOT_REQUIRED" && kycStatus !== "VALIDATED" && !isBystander(record);
}

/** Commands to type next, the most urgent first. */
export function relatedSteps(record: Received, relatedId: string | undefined): SuggestedCommand[] {
	const view = viewRelated(record);
	const id = typed(relatedId, "RELATED");
	const { kycStatus } = view;
	const steps: SuggestedCommand[] = [];
	if (view.isAccountOwner && view.email !== undefined && view.emailVerified === false) steps.push(purser`email send-link ${id}`);
	if (hasKycToDo(record)) {
		const open = kycStatus === undefined || kycStatus === "NOT_STARTED" || kycStatus === "DECLINED";
		steps.push(open ? purser`kyc link ${id}` : purser`kyc status ${id} --wait`);
	}
	if (steps.length > 0) return steps;
	// The code is sent to the account owner's (specification 1, step 8).
	const isPhoneOpen = view.isAccountOwner === true && view.phone !== undefined && view.phoneVerified !== true;
	return [...(isPhoneOpen ? [purser`phone send-code ${id}`] : []), purser`overview`];
}
