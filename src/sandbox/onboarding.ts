/**
 * Corporates, related entities and their verifications: specification 3 and 4.
 */
import { Decimal } from "../api/json.js";
import { corporateOf, type Desk, latestTerms, relatedOf, secretOf, termsAccepted, time } from "./desk.js";
import { Refusal } from "./message.js";
import { openAccounts } from "./opening.js";
import { mustFit, personId } from "./rules.js";
import type { Corporate, Related, User } from "./state.js";

type Body = Record<string, unknown>;

const hour = 60 * 60 * 1000;

/** Create a Corporate: the account owner becomes a related entity. As a partner partnerName is ignored. @throws Refusal 400 */
export function createCorporate(desk: Desk, body: Body, user: User | undefined): unknown {
	if (!user && !desk.state.users.some((one) => one.partnerName === body.partnerName))
		throw new Refusal(400, "PARTNER_NAME_REQUIRED", "partnerName of a known partner is mandatory for an anonymous creation", [
			{ field: "partnerName", message: "must not be null" },
		]);
	mustFit("corporate", body);
	const { accountOwnerInfo, partnerName: _, ...fields } = body;
	if (fields.externalId !== undefined && desk.state.corporates.some((one) => one.fields.externalId === fields.externalId))
		throw new Refusal(409, "EXTERNAL_ID_ALREADY_EXISTS", "A corporate with this externalId exists");
	const at = desk.now().toISOString();
	const corporateId = desk.chance.uuid();
	const owner = newRelated(desk, corporateId, accountOwnerInfo as Body, true);
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

/** Update a Corporate: acceptance of the terms counts when it names the latest version. @throws Refusal */
export function updateCorporate(desk: Desk, id: string, body: Body): undefined {
	const corporate = corporateOf(desk, id);
	mustFit("corporateUpdate", body);
	if (body.lastTermsAccepted !== undefined) {
		if (!desk.state.terms.some(({ version }) => version === body.lastTermsAccepted))
			throw new Refusal(400, "TERMS_VERSION_UNKNOWN", `There are no terms ${String(body.lastTermsAccepted)}`, [
				{ field: "lastTermsAccepted", message: "is not a version" },
			]);
		corporate.accepted = body.lastTermsAccepted as string;
	}
	Object.assign(corporate.fields, body);
	corporate.updatedAt = desk.now().toISOString();
	return undefined;
}

/** The corporate as it is fetched. */
export function corporateRecord(desk: Desk, corporate: Corporate): unknown {
	decideKyb(desk, corporate);
	return {
		id: corporate.id,
		...corporate.fields,
		termsAccepted: termsAccepted(desk, corporate),
		accountOwnerId: corporate.accountOwnerId,
		kybStatus: corporate.kyb.status,
		...(corporate.kyb.reason ? { kybStatusReason: corporate.kyb.reason } : {}),
		creationDate: corporate.createdAt,
		updateDate: corporate.updatedAt,
	};
}

function newRelated(desk: Desk, corporateId: string, body: Body, accountOwner: boolean): Related {
	const { emailAddress, phone, type, ...fields } = body;
	const company = type === "COMPANY";
	return {
		id: desk.chance.uuid(),
		corporateId,
		fields,
		company,
		accountOwner,
		email: emailAddress === undefined ? undefined : { address: emailAddress as string, verified: false },
		phone: phone === undefined ? undefined : { ...phoneOf(phone as Body), verified: false },
		kyc: { status: "NOT_STARTED", type: company ? "NOT_REQUIRED" : "DOC_ONLY" },
		createdAt: desk.now().toISOString(),
	};
}

/** The service adds a missing "+" (specification 2.3). */
const phoneOf = ({ countryCode, number }: Body) => ({ countryCode: `+${String(countryCode).replace("+", "")}`, number: number as string });

/** Create a Corporate Related. @throws Refusal */
export function createRelated(desk: Desk, corporateId: string, body: Body): unknown {
	const corporate = corporateOf(desk, corporateId);
	mustFit("related", body);
	const missing = body.type === "COMPANY" ? ["corporateName"] : ["firstName", "lastName"];
	const details = missing.filter((name) => body[name] === undefined).map((name) => ({ field: name, message: "must not be null" }));
	if (details.length > 0) throw new Refusal(400, "VALIDATION_FAILED", "The request has invalid fields", details);
	const related = newRelated(desk, corporate.id, body, false);
	desk.state.related.push(related);
	return { id: related.id };
}

/** Update a Corporate Related: another email or phone has to be verified anew. @throws Refusal */
export function updateRelated(desk: Desk, id: string, body: Body): undefined {
	const related = relatedOf(desk, id);
	mustFit("related", body);
	const { emailAddress, phone, type: _, ...fields } = body;
	if (emailAddress !== undefined && emailAddress !== related.email?.address) {
		related.email = { address: emailAddress as string, verified: false };
		related.emailLink = undefined;
	}
	if (phone !== undefined) {
		const next = phoneOf(phone as Body);
		if (next.countryCode !== related.phone?.countryCode || next.number !== related.phone?.number) {
			related.phone = { ...next, verified: false };
			related.phoneCode = undefined;
		}
	}
	Object.assign(related.fields, fields);
	return undefined;
}

/** Delete: only while the KYB is neither validated nor under review (operations 3). @throws Refusal */
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
		id: related.id,
		...related.fields,
		type: related.company ? "COMPANY" : "PHYSICAL",
		...(related.email ? { email: related.email } : {}),
		...(related.phone ? { phone: related.phone } : {}),
		isAccountOwner: related.accountOwner,
		isDirector: related.fields.isDirector === true,
		isUbo:
			related.fields.isUbo === true ||
			(share instanceof Decimal && related.fields.ownedCorporateId === undefined && !related.company && Number(share.text) >= 25),
		...(share === undefined
			? {}
			: {
					shares: [
						{
							ownedCorporate: related.fields.ownedCorporateId ?? related.corporateId,
							directSharesPercentage: share,
							layer: new Decimal("1"),
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

/** At least one director does a full KYC, the others documents only (specification 4, rule 5): the first director declared, else the account owner. */
function typeOfKyc(desk: Desk, related: Related): string {
	if (related.company) return "NOT_REQUIRED";
	const people = desk.state.related.filter((one) => one.corporateId === related.corporateId && !one.company);
	const full = people.find((one) => one.fields.isDirector === true) ?? people.find((one) => one.accountOwner);
	return full?.id === related.id ? "FULL_KYC" : "DOC_ONLY";
}

function personOf(desk: Desk, body: Body): Related {
	const related = relatedOf(desk, personId(body));
	if (related.company) throw new Refusal(409, "PHYSICAL_PERSON_REQUIRED", "This related entity is a company");
	return related;
}

/** Send an email verification link: 48 hours. @throws Refusal */
export function sendEmailLink(desk: Desk, body: Body): unknown {
	const related = personOf(desk, body);
	if (!related.email) throw new Refusal(409, "EMAIL_REQUIRED", "This person has no email address");
	related.emailLink = {
		secret: secretOf(desk),
		expires: time(desk) + 48 * hour,
		onSuccess: body.urlOnSuccess as string | undefined,
		onFailure: body.urlOnFailure as string | undefined,
	};
	const link = `${desk.options.origin}/_sandbox/email/${related.emailLink.secret}`;
	tell(
		desk,
		related,
		"email",
		related.email.address,
		`${(body.emailSubject as string | undefined) ?? "Verify your email address"}: ${link}`,
		link,
	);
	return { ttl: "PT48H" };
}

/** Send phone verification code: in the sandbox always 123456 (specification 4, rule 7). @throws Refusal */
export function sendPhoneCode(desk: Desk, body: Body): unknown {
	const related = personOf(desk, body);
	if (!related.phone) throw new Refusal(409, "PHONE_REQUIRED", "This person has no phone number");
	related.phoneCode = { code: "123456", expires: time(desk) + 10 * 60 * 1000, tries: 0 };
	tell(desk, related, "sms", `${related.phone.countryCode}${related.phone.number}`, "Your code is 123456");
	return { ttl: "PT10M" };
}

/** Verify phone verification code: 5 tries, 10 minutes. @throws Refusal 400 INVALID_PHONE_CODE */
export function verifyPhoneCode(desk: Desk, body: Body): undefined {
	const related = personOf(desk, body);
	const sent = related.phoneCode;
	if (!sent || !related.phone || sent.expires < time(desk)) throw new Refusal(400, "INVALID_PHONE_CODE", "No code is valid; send one");
	sent.tries += 1;
	if (sent.tries > 5) throw new Refusal(400, "INVALID_PHONE_CODE", "Too many tries; send a new code");
	if (body.code !== sent.code) throw new Refusal(400, "INVALID_PHONE_CODE", `The code is wrong; ${5 - sent.tries} tries are left`);
	related.phone.verified = true;
	related.phoneCode = undefined;
	return undefined;
}

function tell(desk: Desk, related: Related, kind: "email" | "sms", to: string, text: string, link?: string): void {
	desk.state.outbox = [...desk.state.outbox.slice(-999), { kind, relatedId: related.id, to, at: desk.now().toISOString(), text, link }];
}

/** Get KYC link: valid 720 hours; asking again replaces a link that was not used. @throws Refusal */
export function kycLink(desk: Desk, body: Body): unknown {
	const related = personOf(desk, body);
	if (related.kyc.status === "VALIDATED") throw new Refusal(409, "KYC_ALREADY_VALIDATED", "The KYC of this person is validated");
	related.kyc = {
		...related.kyc,
		status: "CREATED",
		reason: undefined,
		id: desk.chance.uuid(),
		secret: secretOf(desk),
		expires: time(desk) + 720 * hour,
	};
	return { id: related.kyc.id, url: `${desk.options.origin}/_sandbox/kyc/${related.kyc.secret}`, ttl: "PT720H" };
}

/** Ask a KYB verification: may be asked before the KYCs are done (specification 3, rule 1). @throws Refusal */
export function requestKyb(desk: Desk, id: string): undefined {
	const corporate = corporateOf(desk, id);
	if (corporate.kyb.status === "VALIDATED") throw new Refusal(409, "KYB_ALREADY_VALIDATED", "The KYB is validated");
	if (corporate.kyb.status === "DECLINED") throw new Refusal(409, "KYB_DECLINED", "The KYB was declined");
	corporate.kyb = { status: "PENDING_VERIFICATION" };
	corporate.updatedAt = desk.now().toISOString();
	return undefined;
}

/**
 * What keeps a KYB from becoming VALIDATED: every requested KYC must be validated, and a director must have done one.
 * Empty when nothing is missing.
 */
export function missingForKyb(desk: Desk, corporate: Corporate): string[] {
	const people = desk.state.related.filter((one) => one.corporateId === corporate.id && !one.company);
	const requested = people.filter((one) => one.kyc.status !== "NOT_STARTED");
	const missing = requested.filter((one) => one.kyc.status !== "VALIDATED").map((one) => `the KYC of ${one.id} is ${one.kyc.status}`);
	const full = people.filter((one) => typeOfKyc(desk, one) === "FULL_KYC" && one.kyc.status === "VALIDATED");
	if (full.length === 0) missing.push("no director has completed a full KYC");
	return missing;
}

/** Time passes: compliance validates a KYB a while after nothing is missing any more. */
export function decideKyb(desk: Desk, corporate: Corporate): void {
	const { kyb } = corporate;
	if (kyb.status !== "PENDING_VERIFICATION") return;
	if (missingForKyb(desk, corporate).length > 0) {
		kyb.decides = undefined;
		return;
	}
	kyb.decides ??= time(desk) + desk.options.complianceTakes;
	if (kyb.decides > time(desk)) return;
	corporate.kyb = { status: "VALIDATED" };
	corporate.updatedAt = desk.now().toISOString();
	openAccounts(desk, corporate);
}

/** The terms as they are fetched. */
export function termsRecord(desk: Desk, query: URLSearchParams): unknown {
	const language = query.get("language") ?? "EN";
	if (!["EN", "FR"].includes(language))
		throw new Refusal(400, "VALIDATION_FAILED", "The request has invalid fields", [
			{ field: "language", rejectedValue: language, message: "must be EN or FR" },
		]);
	return {
		type: "CORPORATE",
		version: latestTerms(desk),
		language,
		downloadUrl: `${desk.options.origin}/_sandbox/terms/${latestTerms(desk)}/${language}`,
	};
}
