/**
 * Corporate Related Entities: persons and companies (specification 2.3, 2.6, 4).
 */
import { Decimal } from "../../api/json.js";
import { corporateOf, type Desk, relatedOf } from "../desk.js";
import { invalid, Refusal } from "../message.js";
import type { Related } from "../state.js";
import { kept, patched } from "./fields.js";
import { weighKyb } from "./kyb.js";
import { typeOfKyc } from "./kyc.js";
import { isUbo, layerOf } from "./ownership.js";
import { mustFit } from "./rules.js";

type Body = Record<string, unknown>;

/** What the service alone says of a related entity, or keeps apart. */
const own = ["id", "type", "emailAddress", "phone", "email", "isAccountOwner", "kycInfo", "shares"];

/** A related entity as it is declared; nothing of it is verified. */
export function newRelated(desk: Desk, corporateId: string, body: Body, accountOwner: boolean): Related {
	const { emailAddress, phone, type } = body;
	// The account owner is a person (specification 2.3), whatever else is said.
	const company = type === "COMPANY" && !accountOwner;
	return {
		id: desk.random.uuid(),
		corporateId,
		fields: kept(body, own),
		company,
		accountOwner,
		email: typeof emailAddress === "string" ? { address: emailAddress, verified: false } : undefined,
		phone: phone ? { ...phoneOf(phone as Body), verified: false } : undefined,
		kyc: { status: "NOT_STARTED", type: company ? "NOT_REQUIRED" : "DOC_ONLY" },
		createdAt: desk.now().toISOString(),
	};
}

/** The service adds a missing "+" (specification 2.3). */
const phoneOf = ({ countryCode, number }: Body) => ({
	countryCode: `+${String(countryCode).replace(/^\+/, "")}`,
	number: number as string,
});

/** Create a Corporate Related. @throws Refusal 400, 404 */
export function createRelated(desk: Desk, corporateId: string, body: Body): unknown {
	const corporate = corporateOf(desk, corporateId);
	mustFit("related", body);
	const missing = (body.type === "COMPANY" ? ["corporateName"] : ["firstName", "lastName"]).filter((name) => (body[name] ?? null) === null);
	if (missing.length > 0) throw invalid(...missing.map((field) => ({ field, message: "must not be null" })));
	const related = newRelated(desk, corporate.id, body, false);
	desk.state.related.push(related);
	weighKyb(desk, corporate);
	return { id: related.id };
}

/** Update a Corporate Related: another email or phone has to be verified anew; a null removes. @throws Refusal 400, 404 */
export function updateRelated(desk: Desk, id: string, body: Body): undefined {
	const related = relatedOf(desk, id);
	mustFit("related", body);
	const { emailAddress, phone } = body;
	const changes = kept(body, own, "nulls too");
	const names = related.company ? ["corporateName"] : ["firstName", "lastName", ...(related.accountOwner ? ["emailAddress"] : [])];
	const bare = names.filter((name) => body[name] === null);
	if (bare.length > 0) throw invalid(...bare.map((field) => ({ field, message: "must not be null" })));
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
	related.fields = patched(related.fields, changes);
	weighKyb(desk, corporateOf(desk, related.corporateId));
	return undefined;
}

/** Delete: only while the KYB is neither validated nor under review. @throws Refusal 404, 409 */
export function deleteRelated(desk: Desk, id: string): undefined {
	const related = relatedOf(desk, id);
	const { kyb } = corporateOf(desk, related.corporateId);
	if (kyb.status === "VALIDATED" || kyb.status === "PENDING_VERIFICATION")
		throw new Refusal(409, "KYB_IN_PROGRESS", `The KYB is ${kyb.status}; related entities cannot be deleted`);
	if (related.accountOwner) throw new Refusal(409, "ACCOUNT_OWNER_REQUIRED", "The account owner cannot be deleted");
	desk.state.related = desk.state.related.filter((one) => one.id !== related.id);
	return undefined;
}

/** The related entity as it is fetched. */
export function relatedRecord(desk: Desk, related: Related): unknown {
	const share = related.fields.directSharesPercentage;
	return {
		...related.fields,
		id: related.id,
		type: related.company ? "COMPANY" : "PHYSICAL",
		...(related.email ? { email: related.email } : {}),
		...(related.phone ? { phone: related.phone } : {}),
		isAccountOwner: related.accountOwner,
		isDirector: related.fields.isDirector === true,
		isUbo: isUbo(related),
		...(share === undefined
			? {}
			: {
					shares: [
						{
							ownedCorporate: related.fields.ownedCorporateId ?? related.corporateId,
							directSharesPercentage: share,
							layer: new Decimal(String(layerOf(desk, related))),
						},
					],
				}),
		kycInfo: {
			status: related.kyc.status,
			...(related.kyc.reason ? { statusReason: related.kyc.reason } : {}),
			type: typeOfKyc(desk, related),
		},
	};
}
