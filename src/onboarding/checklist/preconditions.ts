/**
 * What a KYB still needs to become VALIDATED, as far as the records show.
 */

import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Advice } from "../../errors.js";
import { kycPlan, type PlannedKyc } from "../kyc/plan.js";
import { statusWords } from "../records/record.js";

export interface Precondition {
	/** What it concerns: the terms, a person's KYC, or the request itself. */
	what: "terms" | "kyc" | "information" | "request";
	/** The related entity, where it is about one. */
	relatedId?: string;
	message: string;
	/** The command that settles it. */
	command: Advice;
}

/**
 * The open preconditions of a company's KYB, in the order in which they are best settled.
 * Specification 3 (rule 2: terms before any financial service; rule 1: VALIDATED needs every requested KYC) and 4 (rule 5: KYC for all UBOs and directors).
 * @param related its related entities; undefined where the deployment does not list them
 * @param threshold percentage from which a person counts as a beneficial owner, see `uboThreshold`
 */
export function openPreconditions(
	corporateId: string,
	corporate: Received,
	related: readonly Received[] | undefined,
	threshold: string,
): Precondition[] {
	const { termsAccepted, kybStatus, kybReason, name } = viewCorporate(corporate);
	if (kybStatus === "DECLINED" || (kybStatus === "VALIDATED" && termsAccepted !== false)) return [];
	const id = typed(corporateId, "CORPORATE");
	const found: Precondition[] = [];
	if (termsAccepted === false)
		found.push({ what: "terms", message: "The latest terms are not accepted", command: purser`terms accept ${id}` });
	if (kybStatus === "VALIDATED") return found;
	if (kybStatus === "NEED_ADDITIONAL_INFORMATION")
		found.push({
			what: "information",
			message: kybReason ? `The compliance team asks for more: ${kybReason}` : "The compliance team asks for more",
			command: purser`corporate update ${id} --set FIELD=VALUE`,
		});
	const { people } = kycPlan({ id: corporateId, name: name ?? corporateId }, related ?? [], threshold);
	for (const person of people) if (person.need !== "none" && person.state !== "done") found.push(kycPrecondition(person));
	if (kybStatus === "NOT_STARTED" || kybStatus === "COMPLETING" || kybStatus === "NEED_ADDITIONAL_INFORMATION")
		found.push({
			what: "request",
			message: kybStatus === "NEED_ADDITIONAL_INFORMATION" ? "The KYB must be requested again" : "KYB not requested yet",
			// The review comes first (specification 1, step 5), and leads to the request.
			command: purser`corporate review ${id}`,
		});
	return found;
}

function kycPrecondition({ relatedId, name, kycStatus, kycReason, command }: PlannedKyc): Precondition {
	const asked = kycStatus !== undefined && kycStatus !== "NOT_STARTED";
	const why = kycReason ? ` (${kycReason})` : "";
	const id = typed(relatedId, "RELATED");
	return {
		what: "kyc",
		relatedId,
		message: `KYC of ${name} is ${asked ? statusWords(kycStatus) : "not started"}${why}`,
		command: command ?? purser`kyc status ${id} --wait`,
	};
}
