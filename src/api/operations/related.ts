import * as z from "zod/mini";
import { answer, at, flagAt, type Received, type RecordNames, recordSchema, textAt } from "../answer.js";
import { country, date, fitting, id, identifier, line, name, numberIn, openChoice, paging, percentage, text } from "../fields.js";
import { ofList, operation } from "../operation.js";
import { field } from "../schema.js";
import { relatedTypes } from "../values.js";
import { address, addressFields, email, phone } from "./contact.js";

const ofPerson = { unless: ["type", "COMPANY"] } as const;
const ofCompany = { unless: ["type", "PHYSICAL"] } as const;
const role = (description: string, offer?: true) => z.optional(field(z.boolean(), { description, offer, source: "assumed", ...ofPerson }));

/**
 * Fields of a related entity. The body of these operations is assumed after the record.
 * @param offersRoles whether a prompt asks for the roles: Enter alone says No, which would take a role from somebody who has it
 */
const relatedFields = (offersRoles?: true) => ({
	externalId: z.optional(text("Your reference for this person or company (for example a CRM id)", 511, { source: "assumed" })),
	type: z._default(openChoice("Person or company", relatedTypes, { source: "assumed", offer: true }), "PHYSICAL"),
	firstName: z.optional(name("First name of a person", { personal: true, example: "Grace", source: "assumed", ...ofPerson })),
	lastName: z.optional(name("Last name of a person", { personal: true, example: "Sample", source: "assumed", ...ofPerson })),
	corporateName: z.optional(name("Official name of a company", { example: "Example Holding BV", source: "assumed", ...ofCompany }, 255)),
	incorporationCountry: z.optional(country("Country of registration of a company", { source: "assumed" })),
	incorporationCode: z.optional(text("Incorporation code of a company", 255, { source: "assumed" })),
	emailAddress: z.optional(email("Email", { source: "assumed", offer: true, ...ofPerson })),
	phone: z.optional(phone({ source: "assumed", offer: true, ...ofPerson })),
	nationality: z.optional(country("Nationality", { personal: true, source: "assumed" })),
	address: z.optional(address("Address", { personal: true, source: "assumed" })),
	position: z.optional(line("Position in the company", { source: "assumed" })),
	isDirector: role("Is this person a director?", offersRoles),
	directorAppointmentDate: z.optional(date("Director since", { source: "assumed" })),
	isUbo: role("Is this person an ultimate beneficial owner?", offersRoles),
	directSharesPercentage: z.optional(percentage("Shares held directly", { source: "assumed", offer: true })),
	ownedCorporateId: z.optional(
		id("related", "The company whose shares are held, where it is a related company and not the corporate itself", {
			source: "assumed",
		}),
	),
});

/**
 * The required names of a related entity that are missing, each with a message. The values of `type` are assumed: for an unknown one, the names say
 * what it is.
 */
export function missingNames(given: Readonly<Record<string, unknown>>): [string, string][] {
	const { type = "PHYSICAL", corporateName } = given;
	const company = type === "COMPANY" || (type !== "PHYSICAL" && corporateName !== undefined);
	return (company ? ["corporateName"] : ["firstName", "lastName"])
		.filter((name) => given[name] === undefined)
		.map((name) => [name, `is required for a ${company ? "company" : "physical person"}`]);
}

const recordFields = [
	"id externalId firstName lastName corporateName email phone nationality address isDirector directorAppointmentDate",
	"isAccountOwner isUbo directSharesPercentage shares kycInfo",
].flatMap((line) => line.split(" "));

const relatedNames: RecordNames = {
	ids: ["id", "corporateRelatedId"],
	given: () => createRelated.body,
	fields: [...recordFields, "corporateRelatedId", "registeredName", "emailAddress", "emailAddressVerified", "phoneVerified", "type"],
};

export const createRelated = operation({
	id: "related.create",
	title: "Create a Corporate Related",
	effect: "write",
	done: { one: "owner or director", many: "owners or directors", verb: "added" },
	send: "POST /api/partner/corporates/{corporateId}/related",
	params: () => z.strictObject({ corporateId: identifier("corporate", "Company") }),
	body: () => fitting(z.strictObject(relatedFields(true)), missingNames),
	answer: answer(["id"], "assumed"),
	created: ["id", "corporateRelatedId"],
	provenance: { method: "documented", path: "documented", request: "assumed", answer: "assumed" },
	specified: true,
});

export const updateRelated = operation({
	id: "related.update",
	title: "Update a Corporate Related",
	effect: "write",
	done: { one: "owner or director", many: "owners or directors", verb: "updated" },
	send: "PATCH /api/partner/corporates/related/{corporateRelatedId}",
	params: () => z.strictObject({ corporateRelatedId: identifier("related", "The related entity") }),
	body: () => z.partial(z.omit(z.strictObject(relatedFields()), { type: true })),
	provenance: { method: "documented", path: "documented", request: "assumed", answer: "assumed" },
	specified: true,
});

export const getRelated = operation({
	id: "related.get",
	title: "Get corporate-related entity's information",
	effect: "read",
	send: "GET /api/partner/corporates/related/{corporateRelatedId}",
	params: () => z.strictObject({ corporateRelatedId: identifier("related", "The related entity") }),
	answer: answer(recordFields),
	record: relatedNames,
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: true,
});

export const listRelated = operation({
	id: "related.list",
	title: "List corporate related entities",
	send: "GET /api/partner/corporates/{corporateId}/related",
	params: () => z.strictObject({ corporateId: identifier("corporate", "Company") }),
	query: () =>
		z.strictObject({
			layer: numberIn(/^\d{1,3}$/, "must be a whole number", "Only this layer of ownership"),
			...paging(),
		}),
	record: relatedNames,
	...ofList,
});

export const deleteRelated = operation({
	id: "related.delete",
	title: "Delete a Corporate Related",
	effect: "write",
	done: { one: "owner or director", many: "owners or directors", verb: "removed" },
	send: "DELETE /api/partner/corporates/related/{corporateRelatedId}",
	params: () => z.strictObject({ corporateRelatedId: identifier("related", "The related entity") }),
	provenance: { method: "documented", path: "documented", request: "documented", answer: "assumed" },
});

/** A related entity as a command answers it. */
export const relatedRecord = () =>
	recordSchema(
		[...recordFields, "type", "position", "ownedCorporateId", "incorporationCountry", "incorporationCode"],
		{
			email: ["address", "verified"],
			phone: ["countryCode", "number", "verified"],
			address: addressFields,
			kycInfo: ["status", "statusReason", "type"],
		},
		{
			id: (record) => viewRelated(record).id,
			corporateName: (record) => textAt(record, "corporateName", "registeredName"),
			"email.address": (record) => viewRelated(record).email,
			"email.verified": (record) => viewRelated(record).emailVerified,
			"phone.verified": (record) => viewRelated(record).phoneVerified,
		},
	);

/** Reads a related entity of either generation of the service. Missing fields stay undefined. */
export function viewRelated(record: Received) {
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

export type RelatedView = Partial<ReturnType<typeof viewRelated>>;

/** Roles of a related entity: `account owner, director, UBO`. */
export function rolesOf(record: Received): string {
	const { isAccountOwner, isDirector, isUbo, isCompany } = viewRelated(record);
	return [isAccountOwner && "account owner", isDirector && "director", isUbo && "UBO", isCompany && "company"].filter(Boolean).join(", ");
}
