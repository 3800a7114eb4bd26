import * as z from "zod/mini";
import { answer, at, flagAt, noContent, pageOf, type Received, textAt } from "../answer.js";
import { openChoice } from "../check/open-choice.js";
import { identifier, line, name } from "../fields.js";
import { operation } from "../operation.js";
import { paging } from "../paging.js";
import { field } from "../schema.js";
import type { RecordNames } from "../understood.js";
import { kybStatuses } from "../values.js";
import { accountOwnerInfo, corporateFields } from "./corporate-fields.js";
import { kybReasonAt } from "./verdict.js";

const recordFields = {
	id: "Identifier",
	externalId: "Your reference",
	corporateName: "Official name (newer deployments: registeredName)",
	tradeName: "Business name",
	incorporationCountry: "Country of registration",
	incorporationCode: "Incorporation code",
	incorporationDate: "Date of incorporation",
	legalType: "Legal form: an object or a plain value",
	website: "Website",
	industry: "Industry",
	registeredAddress: "Registered address",
	businessAddress: "Business address",
	termsAccepted: "Whether the latest terms are accepted",
	kybStatus: "Status of the KYB (or nested: status.kyb.value)",
	kybStatusReason: "Why (or nested: status.kyb.reason)",
	creationDate: "Created at",
	updateDate: "Last changed at",
};

/** `status` alone does not identify a corporate, because many envelopes have it. */
const corporateNames: RecordNames = {
	ids: ["id", "corporateId"],
	given: () => createCorporate.body,
	fields: [...Object.keys(recordFields), "corporateId", "registeredName", "status.kyb", "accountOwnerId", "lastTermsAccepted"],
};

export const createCorporate = operation({
	id: "corporate.create",
	title: "Create a Corporate",
	effect: "write",
	done: { one: "company", many: "companies", verb: "created" },
	method: "POST",
	path: "/api/partner/corporates",
	params: z.object({}),
	query: z.object({}),
	body: z.strictObject({
		partnerName: z.optional(name("Name of the partner; mandatory for an anonymous creation, ignored as a partner", { source: "spec" })),
		...corporateFields("spec"),
		accountOwnerInfo: accountOwnerInfo(),
	}),
	answer: answer(
		{ corporateId: "Identifier of the new corporate", accountOwnerId: "Identifier of the account owner, now a corporate related entity" },
		"spec",
	),
	created: ["corporateId"],
	auth: "optional",
	provenance: { method: "documented", path: "documented", request: "spec", answer: "spec" },
	specified: true,
});

export const updateCorporate = operation({
	id: "corporate.update",
	title: "Update a Corporate",
	effect: "write",
	done: { one: "company", many: "companies", verb: "updated" },
	method: "PATCH",
	path: "/api/partner/corporates/{corporateId}",
	params: z.strictObject({ corporateId: identifier("corporate", "Company") }),
	query: z.object({}),
	body: z.partial(z.strictObject(corporateFields("assumed"))),
	answer: noContent(),
	provenance: { method: "spec", path: "assumed", request: "assumed", answer: "assumed" },
	specified: true,
});

export const getCorporate = operation({
	id: "corporate.get",
	title: "Get Corporate",
	effect: "read",
	method: "GET",
	path: "/api/partner/corporates/{corporateId}",
	params: z.strictObject({ corporateId: identifier("corporate", "Company") }),
	query: z.object({}),
	answer: answer(recordFields),
	record: corporateNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
	specified: true,
});

export const listCorporates = operation({
	id: "corporate.list",
	title: "List corporates",
	effect: "read",
	method: "GET",
	path: "/api/partner/corporates",
	params: z.object({}),
	query: z.strictObject({
		kybStatus: z.optional(field(z.array(openChoice("Status", kybStatuses)), { description: "Only these KYB statuses" })),
		registeredName: z.optional(line("Only with this name")),
		emailAddress: z.optional(line("Only with this email address", { personal: true })),
		sortAttribute: z.optional(field(z.enum(["UPDATE_DATE", "CREATION_DATE"]), { description: "Sorted by" })),
		...paging(),
	}),
	answer: pageOf("corporates"),
	record: corporateNames,
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: false,
});

export const getDiligenceReview = operation({
	id: "corporate.diligenceReview",
	title: "Get diligence review of a corporate",
	effect: "read",
	method: "GET",
	path: "/api/partner/corporates/{corporateId}/diligence-review",
	params: z.strictObject({ corporateId: identifier("corporate", "Company") }),
	query: z.object({}),
	answer: noContent(),
	document: true,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "spec" },
	specified: true,
});

export const requestKyb = operation({
	id: "kyb.request",
	title: "Ask a KYB verification",
	effect: "write",
	done: { one: "KYB", many: "KYBs", verb: "requested" },
	method: "POST",
	path: "/api/partner/corporates/{corporateId}/kyb",
	params: z.strictObject({ corporateId: identifier("corporate", "Company") }),
	query: z.object({}),
	answer: noContent(),
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "assumed" },
	specified: true,
});

/** What the tool reads of a corporate, whichever generation of the service wrote it. */
export interface CorporateView {
	id?: string;
	externalId?: string;
	/** Undefined where it is empty, too (specification 2.1). */
	name?: string;
	country?: string;
	termsAccepted?: boolean;
	kybStatus?: string;
	/** With each document that was not accepted, where the service says so. */
	kybReason?: string;
	createdAt?: string;
	updatedAt?: string;
}

/** Reads a corporate record of either generation of the service. Missing fields stay undefined. */
export function viewCorporate(record: Received): CorporateView {
	return {
		id: textAt(record, "id", "corporateId"),
		externalId: textAt(record, "externalId"),
		name: textAt(record, "corporateName", "registeredName") || undefined,
		country: textAt(record, "incorporationCountry"),
		termsAccepted: flagAt(record, "termsAccepted"),
		kybStatus:
			textAt(record, "kybStatus") ??
			textAt(record, "status.kyb.value") ??
			(typeof at(record, "status.kyb") === "string" ? textAt(record, "status.kyb") : undefined),
		kybReason: kybReasonAt(record),
		createdAt: textAt(record, "creationDate"),
		updatedAt: textAt(record, "updateDate"),
	};
}
