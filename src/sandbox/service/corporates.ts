/**
 * Corporates: creation, update with the acceptance of terms, the record as it is answered (specification 2.1, 2.4, 3, 4).
 */
import { type Backend, findCorporate, latestTerms, termsAccepted } from "../backend.js";
import { HttpError, invalidFields } from "../message.js";
import { type Corporate, operator } from "../state.js";
import { newRelated, patchedFields, storedFields } from "./related.js";
import { validate } from "./validation.js";
import { reviewKyb } from "./verification.js";

type Body = Record<string, unknown>;

/** Set by the service alone. */
const serviceFields = "id termsAccepted accountOwnerId accountOwnerInfo partnerName kybStatus kybStatusReason status".split(" ");

/**
 * The account owner becomes a related entity. For a partner, partnerName is ignored.
 * @param twins whether another corporate may have the same externalId
 * @throws HttpError 400, 409
 */
export function addCorporate(backend: Backend, body: Body, isPartner: boolean, twins = false): unknown {
	if (!isPartner && body.partnerName !== operator.partnerName)
		throw new HttpError(400, "PARTNER_NAME_REQUIRED", "partnerName of a known partner is mandatory for an anonymous creation", [
			{ field: "partnerName", message: "must not be null" },
		]);
	validate("corporate", body);
	const fields = storedFields(body, serviceFields);
	if (!twins) requireFreeExternalId(backend, fields.externalId);
	requireKnownVersion(backend, fields.lastTermsAccepted);
	const at = backend.now().toISOString();
	const corporateId = backend.random.uuid();
	const owner = newRelated(backend, corporateId, body.accountOwnerInfo as Body, true);
	backend.state.related.push(owner);
	backend.state.corporates.push({
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
 * The terms count as accepted once the latest version was reported; reporting an older one later does not revoke that. A null removes an optional
 * field.
 * @throws HttpError 400, 404, 409
 */
export function changeCorporate(backend: Backend, id: string, body: Body): void {
	const corporate = findCorporate(backend, id);
	validate("corporateUpdate", body);
	const { lastTermsAccepted, ...changes } = storedFields(body, serviceFields, "nulls too");
	if (changes.externalId !== corporate.fields.externalId) requireFreeExternalId(backend, changes.externalId);
	requireKnownVersion(backend, lastTermsAccepted);
	if (typeof lastTermsAccepted === "string" && !termsAccepted(backend, corporate)) {
		corporate.accepted = lastTermsAccepted;
		corporate.fields.lastTermsAccepted = lastTermsAccepted;
	}
	corporate.fields = patchedFields(corporate.fields, changes);
	corporate.updatedAt = backend.now().toISOString();
}

/** The specification calls externalId unique (2.1). */
function requireFreeExternalId(backend: Backend, externalId: unknown): void {
	if (typeof externalId === "string" && backend.state.corporates.some((one) => one.fields.externalId === externalId))
		throw new HttpError(409, "EXTERNAL_ID_ALREADY_EXISTS", "A corporate with this externalId exists");
}

function requireKnownVersion(backend: Backend, version: unknown): void {
	if (typeof version !== "string" || backend.state.terms.some((terms) => terms.version === version)) return;
	throw new HttpError(400, "TERMS_VERSION_UNKNOWN", `There are no terms ${version}; the latest are ${latestTerms(backend)}`, [
		{ field: "lastTermsAccepted", rejectedValue: version, message: "is not a version" },
	]);
}

export function corporateRecord(backend: Backend, corporate: Corporate): unknown {
	reviewKyb(backend, corporate);
	return {
		...corporate.fields,
		id: corporate.id,
		termsAccepted: termsAccepted(backend, corporate),
		accountOwnerId: corporate.accountOwnerId,
		kybStatus: corporate.kyb.status,
		...(corporate.kyb.reason ? { kybStatusReason: corporate.kyb.reason } : {}),
		creationDate: corporate.createdAt,
		updateDate: corporate.updatedAt,
	};
}

/** @throws HttpError 400 */
export function termsRecord(backend: Backend, query: URLSearchParams): unknown {
	const language = query.get("language") ?? "EN";
	if (!["EN", "FR"].includes(language)) throw invalidFields({ field: "language", rejectedValue: language, message: "must be EN or FR" });
	const type = query.get("type") ?? "CORPORATE";
	if (type !== "CORPORATE") throw invalidFields({ field: "type", rejectedValue: type, message: "must be CORPORATE" });
	const version = latestTerms(backend);
	return {
		type,
		version,
		language,
		downloadUrl: `${backend.options.origin}/_sandbox/terms/${version}/${language}`,
	};
}
