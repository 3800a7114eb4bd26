/**
 * KYC of a person: its type, the link, how it ends (specification 4, rules 5 and 6). KYB of a corporate: the request, what is missing, how
 * compliance decides (specification 3).
 */
import { type Backend, findCorporate, findRelated, newSecret, relatedOf, timeOf } from "../backend.js";
import { HttpError } from "../message.js";
import type { Corporate, Related } from "../state.js";
import { kybChange, kycChange } from "../webhooks.js";
import { countsAsUbo } from "./ownership.js";
import { openAccounts } from "./seed.js";
import { personId, validate } from "./validation.js";

const hour = 60 * 60 * 1000;

/** The person that a verification is about. @throws HttpError 400, 404, 409 for a company */
export function personOf(backend: Backend, body: Record<string, unknown>): Related {
	const related = findRelated(backend, personId(body));
	if (related.company) throw new HttpError(409, "PHYSICAL_PERSON_REQUIRED", "This related entity is a company");
	return related;
}

/** The type of KYC that was requested of a related entity, or that would be now. */
export function typeOfKyc(backend: Backend, related: Related): string {
	return related.kyc.status === "NOT_STARTED" ? nextType(backend, related) : related.kyc.type;
}

const isDirector = (related: Related): boolean => related.fields.isDirector === true;
const hasFull = ({ kyc }: Related): boolean => kyc.type === "FULL_KYC" && kyc.status !== "NOT_STARTED";

/**
 * At least one director does a full KYC with liveness, the others show documents only: the first director declared, the next one where the first
 * was declined, and the account owner where there is no director.
 */
function nextType(backend: Backend, related: Related): string {
	if (related.company) return "NOT_REQUIRED";
	const directors = relatedOf(backend, related.corporateId).filter((one) => !one.company && isDirector(one));
	if (directors.length === 0) return related.accountOwner ? "FULL_KYC" : "DOC_ONLY";
	const others = directors.filter((one) => one.id !== related.id);
	if (!isDirector(related) || others.some((one) => hasFull(one) && one.kyc.status !== "DECLINED")) return "DOC_ONLY";
	const first = directors.find((one) => !hasFull(one));
	return hasFull(related) || first?.id === related.id ? "FULL_KYC" : "DOC_ONLY";
}

/**
 * Get KYC link: valid 720 hours; asking again replaces a link that was not used and starts a declined KYC anew. A director
 * who has shown documents only may have to do a full one.
 * @throws HttpError 400, 404, 409 while it is under review or validated
 */
export function kycLink(backend: Backend, body: Record<string, unknown>): unknown {
	const related = personOf(backend, body);
	validate("kycLink", body);
	const { urlOnComplete, urlOnFailure } = (body.kycConfiguration ?? {}) as Record<string, string | null | undefined>;
	const { status, type } = related.kyc;
	const next = nextType(backend, related);
	if (status === "VALIDATED" && (type === "FULL_KYC" || next !== "FULL_KYC"))
		throw new HttpError(409, "KYC_ALREADY_VALIDATED", "The KYC of this person is validated");
	if (status === "PROCESSING" || status === "PENDING_REVIEW")
		throw new HttpError(409, "KYC_IN_PROGRESS", `The KYC of this person is ${status}`);
	const secret = newSecret(backend);
	const id = backend.random.uuid();
	related.kyc = {
		status: "CREATED",
		type: next,
		id,
		secret,
		expires: timeOf(backend) + 720 * hour,
		onComplete: urlOnComplete ?? undefined,
		onFailure: urlOnFailure ?? undefined,
	};
	backend.webhooks.add(kycChange(related));
	reviewKyb(backend, findCorporate(backend, related.corporateId));
	return { id, url: `${backend.options.origin}/_sandbox/kyc/${secret}`, ttl: "PT720H" };
}

/** Whether the link of a KYC can be opened now. */
export function isKycOpen(backend: Backend, { kyc }: Related): boolean {
	return kyc.secret !== undefined && (kyc.expires ?? 0) > timeOf(backend);
}

/**
 * Moves a KYC on; its link stops working.
 * @throws HttpError 409 where none is under way, or the link has expired
 */
export function decideKyc(backend: Backend, related: Related, status: string, reason?: string): void {
	const { kyc } = related;
	if (related.company || kyc.status === "NOT_STARTED")
		throw new HttpError(409, "KYC_NOT_REQUESTED", "No KYC link was asked for this related entity");
	if (kyc.status === "VALIDATED" || kyc.status === "DECLINED")
		throw new HttpError(409, "KYC_FINAL", `The KYC is ${kyc.status} already; only a new link starts another`);
	if (kyc.status === "CREATED" && !isKycOpen(backend, related))
		throw new HttpError(409, "KYC_LINK_EXPIRED", "The link has expired; ask for a new one");
	related.kyc = { ...kyc, status, reason, secret: undefined };
	backend.webhooks.add(kycChange(related));
	reviewKyb(backend, findCorporate(backend, related.corporateId));
}

/** Request of a KYB verification: may be asked before the KYCs are done, and again once amended (specification 3, rule 1). @throws HttpError 404, 409 */
export function startKyb(backend: Backend, id: string): void {
	const corporate = findCorporate(backend, id);
	const { status } = corporate.kyb;
	if (status === "VALIDATED") throw new HttpError(409, "KYB_ALREADY_VALIDATED", "The KYB is validated");
	if (status === "DECLINED") throw new HttpError(409, "KYB_DECLINED", "The KYB was declined");
	// A second request changes nothing in the review that is under way.
	if (status === "PENDING_VERIFICATION") return;
	corporate.kyb = { status: "PENDING_VERIFICATION" };
	corporate.updatedAt = backend.now().toISOString();
	backend.webhooks.add(kybChange(corporate));
	reviewKyb(backend, corporate);
}

const required = (backend: Backend, related: Related): boolean => related.fields.isDirector === true || countsAsUbo(backend, related);

/**
 * What keeps a KYB from becoming VALIDATED, in words; empty when nothing does. Every requested KYC must be validated
 * (specification 3, rule 1), every director and every UBO must have done one, and a director a full one (4, rule 5).
 */
export function missingForKyb(backend: Backend, corporate: Corporate): string[] {
	const people = relatedOf(backend, corporate.id).filter((one) => !one.company);
	const missing = people
		.filter((one) => one.kyc.status !== "VALIDATED" && (one.kyc.status !== "NOT_STARTED" || required(backend, one)))
		.map((one) => `the KYC of ${one.id} is ${one.kyc.status}`);
	const directors = people.filter(({ fields }) => fields.isDirector === true);
	// Without a declared director it is the account owner, who usually is one (specification 2.3).
	const bound = directors.length > 0 ? directors : people.filter(({ accountOwner }) => accountOwner);
	if (!bound.some(({ kyc }) => kyc.status === "VALIDATED" && kyc.type === "FULL_KYC")) missing.push("no director has completed a full KYC");
	return missing;
}

/**
 * To be called after any change on which a KYB under review depends: compliance decides some time after nothing is missing any more, and not
 * while something is.
 */
export function reviewKyb(backend: Backend, corporate: Corporate): void {
	const { kyb } = corporate;
	if (kyb.status !== "PENDING_VERIFICATION") return;
	if (missingForKyb(backend, corporate).length > 0) kyb.decides = undefined;
	else kyb.decides ??= timeOf(backend) + backend.options.complianceTakes;
}

/** Validates each KYB that is due and misses nothing. @returns whether any was */
export function decideDueKybs(backend: Backend): boolean {
	const now = timeOf(backend);
	const due = backend.state.corporates.filter((corporate) => {
		const { status, decides } = corporate.kyb;
		if (status !== "PENDING_VERIFICATION" || decides === undefined || decides > now) return false;
		reviewKyb(backend, corporate);
		return corporate.kyb.decides !== undefined;
	});
	for (const corporate of due) settleKyb(backend, corporate, "VALIDATED");
	return due.length > 0;
}

/** Ends a review; a validated corporate gets its accounts. @throws HttpError 409 */
export function settleKyb(backend: Backend, corporate: Corporate, status: string, reason?: string): void {
	if (corporate.kyb.status !== "PENDING_VERIFICATION") throw new HttpError(409, "KYB_NOT_PENDING", `The KYB is ${corporate.kyb.status}`);
	const missing = status === "VALIDATED" ? missingForKyb(backend, corporate) : [];
	if (missing.length > 0) throw new HttpError(409, "KYB_NOT_COMPLETE", missing.join("; "));
	corporate.kyb = { status, reason };
	corporate.updatedAt = backend.now().toISOString();
	backend.webhooks.add(kybChange(corporate));
	if (status === "VALIDATED") openAccounts(backend, corporate);
}
