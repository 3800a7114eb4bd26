/**
 * What keeps a KYB from becoming VALIDATED, as far as the records show it.
 */
import type { Received } from "../api/answer.js";
import { viewCorporate } from "../api/corporate.js";
import { type RelatedView, viewRelated } from "../api/related.js";
import { typed } from "./record.js";

/** Most related entities that are looked at for what is missing. */
export const mostRelated = 1000;

export interface Obstacle {
	/** What it concerns: the terms, a person's KYC, or the request itself. */
	what: "terms" | "kyc" | "information" | "request";
	/** The related entity, where it is about one. */
	relatedId?: string;
	message: string;
	/** The command that takes it away. */
	command: string;
}

/**
 * The open points of a corporate, in the order in which they are best settled.
 * Sections 3 (rule 2: terms before any financial service; rule 1: VALIDATED needs every requested KYC) and 4 (rule 5: KYC for all UBOs and directors).
 * @param related its related entities; undefined where the deployment does not list them
 */
export function obstacles(corporateId: string, corporate: Received, related: readonly Received[] | undefined): Obstacle[] {
	const { termsAccepted, kybStatus, kybReason } = viewCorporate(corporate);
	if (kybStatus === "DECLINED" || (kybStatus === "VALIDATED" && termsAccepted !== false)) return [];
	const id = typed(corporateId, "CORPORATE");
	const found: Obstacle[] = [];
	if (termsAccepted === false)
		found.push({ what: "terms", message: "The latest terms are not accepted", command: `purser terms accept ${id}` });
	if (kybStatus === "VALIDATED") return found;
	if (kybStatus === "NEED_ADDITIONAL_INFORMATION")
		found.push({
			what: "information",
			message: kybReason ? `The compliance team asks for more: ${kybReason}` : "The compliance team asks for more",
			command: `purser corporate update ${id}`,
		});
	for (const record of related ?? []) {
		const obstacle = kycObstacle(viewRelated(record));
		if (obstacle) found.push(obstacle);
	}
	if (kybStatus === "NOT_STARTED" || kybStatus === "COMPLETING" || kybStatus === "NEED_ADDITIONAL_INFORMATION")
		found.push({
			what: "request",
			message:
				kybStatus === "NEED_ADDITIONAL_INFORMATION" ? "The verification has to be asked for again" : "The verification is not asked for",
			command: `purser kyb request ${id}`,
		});
	return found;
}

/** Where a link is wanted; everything else, a status that nobody knows too, is under way (operations 5). */
const linkWanted: readonly (string | undefined)[] = [undefined, "NOT_STARTED", "DECLINED"];

function kycObstacle(person: RelatedView): Obstacle | undefined {
	const { kycStatus, kycType, kycReason } = person;
	if (person.isCompany || kycStatus === "VALIDATED" || kycType === "NOT_REQUIRED") return undefined;
	const asked = kycStatus !== undefined && kycStatus !== "NOT_STARTED";
	if (!asked && !person.isUbo && !person.isDirector) return undefined;
	const id = typed(person.id, "RELATED");
	const why = kycReason ? ` (${kycReason})` : "";
	return {
		what: "kyc",
		relatedId: person.id,
		message: `KYC of ${person.name ?? "a related person"} is ${asked ? kycStatus : "not started"}${why}`,
		command: linkWanted.includes(kycStatus) ? `purser kyc link ${id}` : `purser kyc status ${id} --wait`,
	};
}
