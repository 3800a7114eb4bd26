/**
 * Corporates: creation, update with the acceptance of terms, the record as it is fetched (specification 2.1, 2.4, 3, 4).
 */
import { corporateOf, type Desk, latestTerms, termsAccepted } from "../desk.js";
import { invalid, Refusal } from "../message.js";
import type { Corporate, User } from "../state.js";
import { kept, patched } from "./fields.js";
import { weighKyb } from "./kyb.js";
import { newRelated } from "./related.js";
import { mustFit } from "./rules.js";

type Body = Record<string, unknown>;

/** What the service alone says of a corporate. */
const own = ["id", "termsAccepted", "accountOwnerId", "accountOwnerInfo", "partnerName", "kybStatus", "kybStatusReason", "status"];

/** Create a Corporate: the account owner becomes a related entity. As a partner partnerName is ignored. @throws Refusal 400, 409 */
export function createCorporate(desk: Desk, body: Body, user: User | undefined): unknown {
	if (!user && !desk.state.users.some((one) => one.partnerName === body.partnerName))
		throw new Refusal(400, "PARTNER_NAME_REQUIRED", "partnerName of a known partner is mandatory for an anonymous creation", [
			{ field: "partnerName", message: "must not be null" },
		]);
	mustFit("corporate", body);
	const fields = kept(body, own);
	mustBeFree(desk, fields.externalId);
	mustBeVersion(desk, fields.lastTermsAccepted);
	const at = desk.now().toISOString();
	const corporateId = desk.random.uuid();
	const owner = newRelated(desk, corporateId, body.accountOwnerInfo as Body, true);
	desk.state.related.push(owner);
	desk.state.corporates.push({
		id: corporateId,
		fields,
		accepted: fields.lastTermsAccepted as string | undefined,
		kyb: { status: "NOT_STARTED" },
		accountOwnerId: owner.id,
		createdAt: at,
		updatedAt: at,
	});
	return { corporateId, accountOwnerId: owner.id };
}

/**
 * Update a Corporate: the terms count as accepted when the latest version is reported; reporting an older one afterwards
 * takes nothing back. A null removes an optional field.
 * @throws Refusal 400, 404, 409
 */
export function updateCorporate(desk: Desk, id: string, body: Body): undefined {
	const corporate = corporateOf(desk, id);
	mustFit("corporateUpdate", body);
	const { lastTermsAccepted, ...changes } = kept(body, own, "nulls too");
	if (changes.externalId !== corporate.fields.externalId) mustBeFree(desk, changes.externalId);
	mustBeVersion(desk, lastTermsAccepted);
	if (typeof lastTermsAccepted === "string" && !termsAccepted(desk, corporate)) {
		corporate.accepted = lastTermsAccepted;
		corporate.fields.lastTermsAccepted = lastTermsAccepted;
	}
	corporate.fields = patched(corporate.fields, changes);
	corporate.updatedAt = desk.now().toISOString();
	return undefined;
}

/** The specification calls externalId unique (2.1). */
function mustBeFree(desk: Desk, externalId: unknown): void {
	if (typeof externalId === "string" && desk.state.corporates.some((one) => one.fields.externalId === externalId))
		throw new Refusal(409, "EXTERNAL_ID_ALREADY_EXISTS", "A corporate with this externalId exists");
}

function mustBeVersion(desk: Desk, version: unknown): void {
	if (typeof version !== "string" || desk.state.terms.some((terms) => terms.version === version)) return;
	throw new Refusal(400, "TERMS_VERSION_UNKNOWN", `There are no terms ${version}; the latest are ${latestTerms(desk)}`, [
		{ field: "lastTermsAccepted", rejectedValue: version, message: "is not a version" },
	]);
}

/** The corporate as it is fetched. */
export function corporateRecord(desk: Desk, corporate: Corporate): unknown {
	weighKyb(desk, corporate);
	return {
		...corporate.fields,
		id: corporate.id,
		termsAccepted: termsAccepted(desk, corporate),
		accountOwnerId: corporate.accountOwnerId,
		kybStatus: corporate.kyb.status,
		...(corporate.kyb.reason ? { kybStatusReason: corporate.kyb.reason } : {}),
		creationDate: corporate.createdAt,
		updateDate: corporate.updatedAt,
	};
}

/** The terms as they are fetched. @throws Refusal 400 */
export function termsRecord(desk: Desk, query: URLSearchParams): unknown {
	const language = query.get("language") ?? "EN";
	if (!["EN", "FR"].includes(language)) throw invalid({ field: "language", rejectedValue: language, message: "must be EN or FR" });
	const type = query.get("type") ?? "CORPORATE";
	if (type !== "CORPORATE") throw invalid({ field: "type", rejectedValue: type, message: "must be CORPORATE" });
	const version = latestTerms(desk);
	return {
		type,
		version,
		language,
		downloadUrl: `${desk.options.origin}/_sandbox/terms/${encodeURIComponent(version)}/${language}`,
	};
}
