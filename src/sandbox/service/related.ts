/**
 * Corporate Related Entities: persons and companies (specification 2.3, 2.6, 4).
 */
import { Decimal } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { type Backend, findCorporate, findRelated } from "../backend.js";
import { HttpError, invalidFields } from "../message.js";
import type { Related } from "../state.js";
import { holdingsOf, isUbo, layerOf } from "./ownership.js";
import { validate } from "./validation.js";
import { reviewKyb, typeOfKyc } from "./verification.js";

type Body = Record<string, unknown>;

/** Set by the service alone, or stored apart from the fields. */
const serviceFields = ["id", "type", "emailAddress", "phone", "email", "isAccountOwner", "kycInfo", "shares"];

/** Nothing of it is verified yet. */
export function newRelated(backend: Backend, corporateId: string, body: Body, accountOwner: boolean): Related {
	const { emailAddress, phone, type } = body;
	// The account owner is a person (specification 2.3), whatever the request says.
	const company = type === "COMPANY" && !accountOwner;
	return {
		id: backend.random.uuid(),
		corporateId,
		fields: { ...storedFields(body, serviceFields), ...listedShares(corporateId, body) },
		company,
		accountOwner,
		email: typeof emailAddress === "string" ? { address: emailAddress, verified: false } : undefined,
		phone: phone ? { ...phoneOf(phone as Body), verified: false } : undefined,
		kyc: { status: "NOT_STARTED", type: company ? "NOT_REQUIRED" : "DOC_ONLY" },
		createdAt: backend.now().toISOString(),
	};
}

/** The list of holdings of a body (assumed). @throws HttpError 400 */
function listedShares(corporateId: string, { shares }: Body): Body {
	if (shares === undefined) return {};
	const wrong = (message: string): HttpError => invalidFields({ field: "shares", message });
	if (!Array.isArray(shares)) throw wrong("must be a list");
	const list = shares.map((share) => {
		if (!isRecord(share) || !(share.directSharesPercentage instanceof Decimal)) throw wrong("must have directSharesPercentage");
		const owned = share.ownedCorporateId ?? corporateId;
		return { ownedCorporateId: owned, directSharesPercentage: share.directSharesPercentage };
	});
	const own = list.find(({ ownedCorporateId }) => ownedCorporateId === corporateId);
	return { shares: list, directSharesPercentage: own?.directSharesPercentage ?? null, ownedCorporateId: null };
}

/** The service adds a missing "+" (specification 2.3). */
const phoneOf = ({ countryCode, number }: Body) => ({
	countryCode: `+${String(countryCode).replace(/^\+/, "")}`,
	number: number as string,
});

/** Create a Corporate Related. @throws HttpError 400, 404 */
export function addRelated(backend: Backend, corporateId: string, body: Body): unknown {
	const corporate = findCorporate(backend, corporateId);
	validate("related", body);
	const missing = (body.type === "COMPANY" ? ["corporateName"] : ["firstName", "lastName"]).filter((name) => (body[name] ?? null) === null);
	if (missing.length > 0) throw invalidFields(...missing.map((field) => ({ field, message: "must not be null" })));
	const related = newRelated(backend, corporate.id, body, false);
	backend.state.related.push(related);
	reviewKyb(backend, corporate);
	return { id: related.id };
}

/** Update a Corporate Related: another email or phone has to be verified anew; a null removes. @throws HttpError 400, 404 */
export function changeRelated(backend: Backend, id: string, body: Body): void {
	const related = findRelated(backend, id);
	validate("related", body);
	const { emailAddress, phone } = body;
	const changes = storedFields(body, serviceFields, "nulls too");
	const names = related.company ? ["corporateName"] : ["firstName", "lastName", ...(related.accountOwner ? ["emailAddress"] : [])];
	const bare = names.filter((name) => body[name] === null);
	if (bare.length > 0) throw invalidFields(...bare.map((field) => ({ field, message: "must not be null" })));
	if (emailAddress !== undefined && emailAddress !== related.email?.address) {
		related.email = emailAddress === null ? undefined : { address: emailAddress as string, verified: false };
		related.emailLink = undefined;
	}
	if (phone !== undefined) {
		const next = phone === null ? undefined : phoneOf(phone as Body);
		if (next?.countryCode !== related.phone?.countryCode || next?.number !== related.phone?.number) {
			related.phone = next && { ...next, verified: false };
			related.phoneCode = undefined;
		}
	}
	// One holding that is written takes the place of a list, and a list that of one holding.
	const single = changes.directSharesPercentage !== undefined || changes.ownedCorporateId !== undefined;
	const listed = listedShares(related.corporateId, body);
	related.fields = patchedFields(related.fields, { ...(single ? { shares: null } : {}), ...changes, ...listed });
	reviewKyb(backend, findCorporate(backend, related.corporateId));
}

/** Delete: only while the KYB is neither validated nor under review. @throws HttpError 404, 409 */
export function removeRelated(backend: Backend, id: string): void {
	const related = findRelated(backend, id);
	const { kyb } = findCorporate(backend, related.corporateId);
	if (kyb.status === "VALIDATED" || kyb.status === "PENDING_VERIFICATION")
		throw new HttpError(409, "KYB_IN_PROGRESS", `The KYB is ${kyb.status}; related entities cannot be deleted`);
	if (related.accountOwner) throw new HttpError(409, "ACCOUNT_OWNER_REQUIRED", "The account owner cannot be deleted");
	backend.state.related = backend.state.related.filter((one) => one.id !== related.id);
}

export function relatedRecord(backend: Backend, related: Related): unknown {
	const { shares: _, ...fields } = related.fields;
	const shares = holdingsOf(related).map(({ owned, share }) => ({
		ownedCorporate: owned,
		directSharesPercentage: share,
		layer: new Decimal(String(layerOf(backend, related, owned))),
	}));
	return {
		...fields,
		id: related.id,
		type: related.company ? "COMPANY" : "PHYSICAL",
		email: related.email,
		phone: related.phone,
		isAccountOwner: related.accountOwner,
		isDirector: related.fields.isDirector === true,
		isUbo: isUbo(related),
		shares: shares.length === 0 ? undefined : shares,
		kycInfo: { status: related.kyc.status, statusReason: related.kyc.reason || undefined, type: typeOfKyc(backend, related) },
	};
}

/**
 * The fields of a request that a record stores: unknown ones too, but none that the service alone sets.
 * @param nulls whether nulls are stored: they mean nothing in a creation, and remove a field in an update
 */
export function storedFields(body: Body, serviceFields: readonly string[], nulls?: "nulls too"): Body {
	return Object.fromEntries(Object.entries(body).filter(([name, value]) => !serviceFields.includes(name) && (nulls || value !== null)));
}

/** @param changes a null removes a field */
export function patchedFields(fields: Body, changes: Body): Body {
	return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null));
}
