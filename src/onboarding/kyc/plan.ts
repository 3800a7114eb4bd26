/**
 * Who needs which KYC. Specification 4, rule 5: every UBO and every director; at least one director in full, with liveness; documents
 * are enough for the others. Specification 3, rule 1: every requested KYC must be validated.
 */

import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { type RelatedView, viewRelated } from "../../api/operations/related.js";
import type { Advice } from "../../errors.js";
import { ownershipOf } from "../ownership/ownership.js";
import { readOwnership } from "../records/read-ownership.js";

export type Need = "full" | "documents" | "none";
export type KycState = "done" | "declined" | "under way" | "link given" | "to do" | "not needed";

/** One person of the plan. */
export interface PlannedKyc {
	relatedId?: string;
	name: string;
	need: Need;
	/** Why: `director`, `UBO`, `holds 30 % effective`, `asked for`. */
	because: string[];
	state: KycState;
	/** From the service. */
	kycStatus?: string;
	kycType?: string;
	kycReason?: string;
	email?: string;
	/** The next command; undefined where there is nothing to do. */
	command?: Advice;
}

/**
 * Plans the KYCs of a company: the most demanding first, in the order of declaration. Related companies have none.
 * @param threshold percentage from which a person counts as a beneficial owner, see `uboThreshold`
 */
export function kycPlan(corporate: { id: string; name: string }, records: readonly Received[], threshold: string) {
	const { parties, holdings } = readOwnership(corporate, records);
	const ownership = ownershipOf(corporate, parties, holdings, threshold);
	const shares = new Map(ownership.nodes.map((node) => [node.id, node]));
	const companies = new Set(parties.filter((party) => party.isCompany).map(({ id }) => id));
	const persons = records.map(viewRelated).filter(({ id, isCompany }) => (id === undefined ? !isCompany : !companies.has(id)));
	const full = fullKycPersons(persons);
	const people = persons.map((view): PlannedKyc => {
		const owner = shares.get(view.id ?? "");
		const effective = owner?.isOwner ? owner.effectiveSharesPercentage : undefined;
		const because = reasons(view, effective, owner !== undefined && owner.effectiveSharesPercentage === undefined);
		const need: Need = full.has(view) ? "full" : because.length > 0 && view.kycType !== "NOT_REQUIRED" ? "documents" : "none";
		const state = stateOf(view, need);
		const id = typed(view.id, "RELATED");
		const isBegun = state === "link given" || state === "under way";
		const command =
			state === "to do" || state === "declined" ? purser`kyc link ${id}` : isBegun ? purser`kyc status ${id} --wait` : undefined;
		return {
			relatedId: view.id,
			name: view.name ?? "without a name",
			need,
			because,
			state,
			kycStatus: view.kycStatus,
			kycType: view.kycType,
			kycReason: view.kycReason,
			email: view.email,
			command,
		};
	});
	const order: readonly Need[] = ["full", "documents", "none"];
	people.sort((one, other) => order.indexOf(one.need) - order.indexOf(other.need));
	return { people, ownership };
}

/** Who does the full KYC: the persons named by the service; else one director, preferably the account owner. */
function fullKycPersons(persons: readonly RelatedView[]): ReadonlySet<RelatedView> {
	const required = persons.filter(({ kycType }) => kycType === "FULL_KYC");
	if (required.some(({ isDirector }) => isDirector)) return new Set(required);
	// A kind of KYC that the service has set is final for this plan.
	const directors = persons.filter(({ isDirector, kycType }) => isDirector && kycType === undefined);
	const chosen = directors.find(({ isAccountOwner }) => isAccountOwner) ?? directors[0];
	return new Set(chosen === undefined ? required : [...required, chosen]);
}

function reasons({ isDirector, isUbo, kycStatus, kycType }: RelatedView, effective: string | undefined, unknown: boolean): string[] {
	const found = [
		isDirector && "director",
		isUbo && "UBO",
		!isUbo && effective !== undefined && `holds an effective ${effective} %`,
		// Such a person counts as an owner until the ownership is corrected, as its warning says.
		!isUbo && effective === undefined && unknown && "holds shares whose effective size cannot be computed",
	].filter((reason) => typeof reason === "string");
	if (found.length > 0) return found;
	if (kycType === "FULL_KYC") return ["the service asks for it"];
	return kycStatus === undefined || kycStatus === "NOT_STARTED" || kycType === "NOT_REQUIRED" ? [] : ["asked for"];
}

function stateOf({ kycStatus }: RelatedView, need: Need): KycState {
	if (kycStatus === "VALIDATED") return "done";
	if (need === "none") return "not needed";
	if (kycStatus === "DECLINED") return "declined";
	if (kycStatus === undefined || kycStatus === "NOT_STARTED") return "to do";
	// CREATED: a link exists. An unknown status is neither final nor a reason to begin again.
	return kycStatus === "CREATED" ? "link given" : "under way";
}
