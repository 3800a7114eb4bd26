import { z } from "zod";
import { answer, at, flagAt, noContent, pageOf, type Received, textAt } from "../answer.js";
import { country, date, identifier, line, openChoice, percentage, text, uuid } from "../fields.js";
import { operation } from "../operation.js";
import { paging } from "../paging.js";
import { field } from "../schema.js";
import type { RecordNames } from "../understood.js";
import { relatedTypes } from "../values.js";
import { address, email, phone } from "./contact.js";
import { missingNames } from "./related-names.js";

/** Fields of a related entity. The body of these operations is assumed after the record. */
const relatedFields = () => ({
	externalId: text("Your reference for this person or company (for example a CRM id)", 511, { source: "assumed" }).optional(),
	type: openChoice("Person or company", relatedTypes, { source: "assumed", offer: true }).default("PHYSICAL"),
	firstName: line("First name of a person", { personal: true, example: "Grace", source: "assumed" }).optional(),
	lastName: line("Last name of a person", { personal: true, example: "Sample", source: "assumed" }).optional(),
	corporateName: text("Official name of a company", 255, { example: "Example Holding BV", source: "assumed" }).optional(),
	incorporationCountry: country("Country of registration of a company", { source: "assumed" }).optional(),
	incorporationCode: text("Incorporation code of a company", 255, { source: "assumed" }).optional(),
	emailAddress: email("Email", { source: "assumed", offer: true }).optional(),
	phone: phone({ source: "assumed", offer: true }).optional(),
	nationality: country("Nationality", { personal: true, source: "assumed" }).optional(),
	address: address("Address", { personal: true, source: "assumed" }).optional(),
	position: line("Position in the company", { source: "assumed" }).optional(),
	isDirector: field(z.boolean(), { description: "Is this person a director?", offer: true, source: "assumed" }).optional(),
	directorAppointmentDate: date("Director since", { source: "assumed" }).optional(),
	isUbo: field(z.boolean(), { description: "Is this person an ultimate beneficial owner?", offer: true, source: "assumed" }).optional(),
	directSharesPercentage: percentage("Shares held directly", { source: "assumed", offer: true }).optional(),
	ownedCorporateId: uuid("The company whose shares are held, where it is a related company and not the corporate itself", {
		source: "assumed",
	}).optional(),
});

const recordFields = {
	id: "Identifier",
	externalId: "Your reference",
	firstName: "First name of a person",
	lastName: "Last name of a person",
	corporateName: "Name of a company",
	email: "{address, verified} (newer deployments: emailAddress, emailAddressVerified)",
	phone: "{countryCode, number, verified}",
	nationality: "Nationality",
	address: "Address",
	isDirector: "Whether this person is a director",
	directorAppointmentDate: "Director since",
	isAccountOwner: "Whether this person is the account owner",
	isUbo: "Whether this person is an ultimate beneficial owner",
	directSharesPercentage: "Shares held directly",
	shares: "[{ownedCorporate, directSharesPercentage, finalSharesPercentage, layer}]",
	kycInfo: "{status, statusReason, type}",
};

const relatedNames: RecordNames = {
	ids: ["id", "corporateRelatedId"],
	fields: [
		...Object.keys(recordFields),
		"corporateRelatedId",
		"registeredName",
		"emailAddress",
		"emailAddressVerified",
		"phoneVerified",
		"type",
	],
};

export const createRelated = operation({
	id: "related.create",
	title: "Create a Corporate Related",
	effect: "write",
	method: "POST",
	path: "/api/partner/corporates/{corporateId}/related",
	params: z.strictObject({ corporateId: identifier("The corporate") }),
	query: z.object({}),
	body: z.strictObject(relatedFields()).superRefine((value, context) => {
		for (const [name, message] of missingNames(value)) context.addIssue({ code: "custom", path: [name], message });
	}),
	answer: answer({ id: "Identifier of the new related entity (or corporateRelatedId)" }, "assumed"),
	created: ["id", "corporateRelatedId"],
	provenance: { method: "documented", path: "documented", request: "assumed", answer: "assumed" },
	specified: true,
});

export const updateRelated = operation({
	id: "related.update",
	title: "Update a Corporate Related",
	effect: "write",
	method: "PATCH",
	path: "/api/partner/corporates/related/{corporateRelatedId}",
	params: z.strictObject({ corporateRelatedId: identifier("The related entity") }),
	query: z.object({}),
	body: z
		.strictObject({ ...relatedFields(), type: z.undefined().optional() })
		.partial()
		.omit({ type: true }),
	answer: noContent(),
	provenance: { method: "documented", path: "documented", request: "assumed", answer: "assumed" },
	specified: true,
});

export const getRelated = operation({
	id: "related.get",
	title: "Get corporate-related entity's information",
	effect: "read",
	method: "GET",
	path: "/api/partner/corporates/related/{corporateRelatedId}",
	params: z.strictObject({ corporateRelatedId: identifier("The related entity") }),
	query: z.object({}),
	answer: answer(recordFields),
	record: relatedNames,
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: true,
});

export const listRelated = operation({
	id: "related.list",
	title: "List corporate related entities",
	effect: "read",
	method: "GET",
	path: "/api/partner/corporates/{corporateId}/related",
	params: z.strictObject({ corporateId: identifier("The corporate") }),
	query: z.strictObject({
		layer: field(z.string().regex(/^\d{1,3}$/, "must be a whole number"), {
			description: "Only this layer of ownership",
			placeholder: "number",
		}).optional(),
		...paging(),
	}),
	answer: pageOf("related entities"),
	record: relatedNames,
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: false,
});

export const deleteRelated = operation({
	id: "related.delete",
	title: "Delete a Corporate Related",
	effect: "write",
	method: "DELETE",
	path: "/api/partner/corporates/related/{corporateRelatedId}",
	params: z.strictObject({ corporateRelatedId: identifier("The related entity") }),
	query: z.object({}),
	answer: noContent(),
	provenance: { method: "documented", path: "documented", request: "documented", answer: "assumed" },
	specified: false,
});

/** What the tool reads of a related entity, whichever generation of the service wrote it. */
export interface RelatedView {
	id?: string;
	externalId?: string;
	/** First and last name of a person, or the name of a company. */
	name?: string;
	isCompany: boolean;
	email?: string;
	emailVerified?: boolean;
	/** `+33 639980001`. */
	phone?: string;
	phoneVerified?: boolean;
	isDirector?: boolean;
	isAccountOwner?: boolean;
	isUbo?: boolean;
	shares?: string;
	kycStatus?: string;
	kycReason?: string;
	kycType?: string;
}

/** Reads a related entity of either generation of the service. Missing fields stay undefined. */
export function viewRelated(record: Received): RelatedView {
	const person = [textAt(record, "firstName"), textAt(record, "lastName")].filter(Boolean).join(" ");
	const company = textAt(record, "corporateName", "registeredName");
	const code = textAt(record, "phone.countryCode");
	const number = textAt(record, "phone.number");
	return {
		id: textAt(record, "id", "corporateRelatedId"),
		externalId: textAt(record, "externalId"),
		name: person || company,
		isCompany: !person && company !== undefined,
		email:
			textAt(record, "emailAddress", "email.address") ?? (typeof at(record, "email") === "string" ? textAt(record, "email") : undefined),
		emailVerified: flagAt(record, "email.verified", "emailAddressVerified"),
		phone: number === undefined ? undefined : `${code ? `+${code.replace(/^\+/, "")} ` : ""}${number}`,
		phoneVerified: flagAt(record, "phone.verified", "phoneVerified"),
		isDirector: flagAt(record, "isDirector"),
		isAccountOwner: flagAt(record, "isAccountOwner"),
		isUbo: flagAt(record, "isUbo"),
		shares: textAt(record, "directSharesPercentage"),
		kycStatus: textAt(record, "kycInfo.status"),
		kycReason: textAt(record, "kycInfo.statusReason"),
		kycType: textAt(record, "kycInfo.type"),
	};
}
