/**
 * KYC of a person: its type, the link, how it ends (specification 4, rules 5 and 6).
 */
import { type Backend, findCorporate, findRelated, newSecret, timeOf } from "../backend.js";
import { recordsWith } from "../lookup.js";
import { HttpError } from "../message.js";
import type { RefusedDocument, Related } from "../state.js";
import { kycChange } from "../webhooks/changes.js";
import { reviewKyb } from "./kyb.js";
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
	const directors = recordsWith(backend.state.related, "corporateId", related.corporateId).filter((one) => !one.company && isDirector(one));
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
export function decideKyc(backend: Backend, related: Related, status: string, reason?: string, documents?: RefusedDocument[]): void {
	const { kyc } = related;
	if (related.company || kyc.status === "NOT_STARTED")
		throw new HttpError(409, "KYC_NOT_REQUESTED", "No KYC link was asked for this related entity");
	if (kyc.status === "VALIDATED" || kyc.status === "DECLINED")
		throw new HttpError(409, "KYC_FINAL", `The KYC is ${kyc.status} already; only a new link starts another`);
	if (kyc.status === "CREATED" && !isKycOpen(backend, related))
		throw new HttpError(409, "KYC_LINK_EXPIRED", "The link has expired; ask for a new one");
	related.kyc = { ...kyc, status, reason, documents, secret: undefined };
	backend.webhooks.add(kycChange(related));
	reviewKyb(backend, findCorporate(backend, related.corporateId));
}
