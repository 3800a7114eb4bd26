/**
 * KYC of a person: which kind, the link, how it ends (specification 4, rules 5 and 6).
 */
import { corporateOf, type Desk, relatedOf, secretOf, time } from "../desk.js";
import { having } from "../lookup.js";
import { Refusal } from "../message.js";
import type { Related } from "../state.js";
import { weighKyb } from "./kyb.js";
import { mustFit, personId } from "./rules.js";

const hour = 60 * 60 * 1000;

/** A person named in a verification. @throws Refusal 400, 404, 409 for a company */
export function personOf(desk: Desk, body: Record<string, unknown>): Related {
	const related = relatedOf(desk, personId(body));
	if (related.company) throw new Refusal(409, "PHYSICAL_PERSON_REQUIRED", "This related entity is a company");
	return related;
}

/** The kind of KYC a related entity does: what it was asked for, or what it would be asked for now. */
export function typeOfKyc(desk: Desk, related: Related): string {
	return related.kyc.status === "NOT_STARTED" ? nextType(desk, related) : related.kyc.type;
}

const isDirector = (related: Related): boolean => related.fields.isDirector === true;
const full = ({ kyc }: Related): boolean => kyc.type === "FULL_KYC" && kyc.status !== "NOT_STARTED";

/**
 * At least one director does a full KYC with liveness, the others documents only. It falls to the first director declared,
 * and to the next where the first was declined; without any director to the account owner.
 */
function nextType(desk: Desk, related: Related): string {
	if (related.company) return "NOT_REQUIRED";
	const directors = having(desk.state.related, "corporateId", related.corporateId).filter((one) => !one.company && isDirector(one));
	if (directors.length === 0) return related.accountOwner ? "FULL_KYC" : "DOC_ONLY";
	const others = directors.filter((one) => one.id !== related.id);
	if (!isDirector(related) || others.some((one) => full(one) && one.kyc.status !== "DECLINED")) return "DOC_ONLY";
	const first = directors.find((one) => !full(one));
	return full(related) || first?.id === related.id ? "FULL_KYC" : "DOC_ONLY";
}

/**
 * Get KYC link: valid 720 hours; asking again replaces a link that was not used and starts a declined KYC anew. A director
 * who has shown documents only may have to do a full one.
 * @throws Refusal 400, 404, 409 while it is under review or validated
 */
export function kycLink(desk: Desk, body: Record<string, unknown>): unknown {
	const related = personOf(desk, body);
	mustFit("kycLink", body);
	const { urlOnComplete, urlOnFailure } = (body.kycConfiguration ?? {}) as Record<string, string | null | undefined>;
	const { status, type } = related.kyc;
	const next = nextType(desk, related);
	if (status === "VALIDATED" && (type === "FULL_KYC" || next !== "FULL_KYC"))
		throw new Refusal(409, "KYC_ALREADY_VALIDATED", "The KYC of this person is validated");
	if (status === "PROCESSING" || status === "PENDING_REVIEW")
		throw new Refusal(409, "KYC_IN_PROGRESS", `The KYC of this person is ${status}`);
	const secret = secretOf(desk);
	const id = desk.random.uuid();
	related.kyc = {
		status: "CREATED",
		type: next,
		id,
		secret,
		expires: time(desk) + 720 * hour,
		onComplete: urlOnComplete ?? undefined,
		onFailure: urlOnFailure ?? undefined,
	};
	weighKyb(desk, corporateOf(desk, related.corporateId));
	return { id, url: `${desk.options.origin}/_sandbox/kyc/${secret}`, ttl: "PT720H" };
}

/** Whether the link of a KYC can be opened now. */
export function openKyc(desk: Desk, { kyc }: Related): boolean {
	return kyc.secret !== undefined && (kyc.expires ?? 0) > time(desk);
}

/**
 * Moves a KYC on; its link stops working.
 * @throws Refusal 409 where none is under way, or the link has expired
 */
export function decideKyc(desk: Desk, related: Related, status: string, reason?: string): void {
	const { kyc } = related;
	if (related.company || kyc.status === "NOT_STARTED")
		throw new Refusal(409, "KYC_NOT_REQUESTED", "No KYC link was asked for this related entity");
	if (kyc.status === "VALIDATED" || kyc.status === "DECLINED")
		throw new Refusal(409, "KYC_FINAL", `The KYC is ${kyc.status} already; only a new link starts another`);
	if (kyc.status === "CREATED" && !openKyc(desk, related))
		throw new Refusal(409, "KYC_LINK_EXPIRED", "The link has expired; ask for a new one");
	related.kyc = { ...kyc, status, reason, secret: undefined };
	weighKyb(desk, corporateOf(desk, related.corporateId));
}
