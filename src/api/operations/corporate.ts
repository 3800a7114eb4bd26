import * as z from "zod/mini";
import { answer, at, createdId, flagAt, type Received, type RecordNames, recordSchema, sameId, textAt } from "../answer.js";
import { country, currency, date, identifier, line, metadata, name, openChoice, paging, percentage, text, without } from "../fields.js";
import { ofList, operation } from "../operation.js";
import { field, leastCertain, type Source } from "../schema.js";
import type { IdForms } from "../text/ids.js";
import { currencies, employeesRanges, industries, kybStatuses, monthlyExpenses } from "../values.js";
import { address, addressFields, email, phone } from "./contact.js";

/** The person who manages the corporate account (specification 2.3). */
const accountOwnerInfo = () =>
	field(
		z.strictObject({
			firstName: name("First name", { personal: true, example: "Ada", source: "spec" }),
			lastName: name("Last name", { personal: true, example: "Example", source: "spec" }),
			emailAddress: email("Email; a verification link is sent to it", { source: "spec" }),
			position: line("Position in the company", { example: "CEO", source: "assumed" }),
			isDirector: z.optional(field(z.boolean(), { description: "Is the account owner a director?", offer: true, source: "spec" })),
			directorAppointmentDate: z.optional(date("Director since", { source: "spec" })),
			directSharesPercentage: z.optional(
				percentage("Shares held directly; leave it out when they are held indirectly", { source: "spec" }),
			),
			address: z.optional(address("Home address", { personal: true, source: "spec" })),
			nationality: z.optional(country("Nationality", { personal: true, source: "spec" })),
			phone: z.optional(phone({ source: "spec", offer: true })),
		}),
		{ description: "The account owner", source: "spec" },
	);

const legalType = (source: Source) =>
	field(
		z.record(z.string(), z.unknown()).check(
			without((value) => {
				const [[key, form] = ["", ""], ...more] = Object.entries(value);
				const isOne = /^[a-z][A-Za-z]*Value$/.test(key) && typeof form === "string" && /^[A-Z0-9_]+$/.test(form) && more.length === 0;
				return isOne ? undefined : 'must be one country-specific key with a legal form, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}';
			}),
		),
		{
			description: "Legal form: one country-specific key with a value",
			placeholder: "json",
			example: '{"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}',
			source,
		},
	);

/** Fields of a creation that an update may carry too. @param source of the fields: beyond lastTermsAccepted they are not shown for an update */
const corporateFields = (source: Source) => ({
	externalId: z.optional(text("Your reference for this company (for example a CRM id)", 511, { example: "crm-4711", offer: true, source })),
	corporateName: text("Official name", 255, { example: "Example Trading SAS", source }),
	tradeName: z.optional(text("Business name, if any", 255, { source })),
	incorporationCountry: country("Country of registration", { source }),
	incorporationCode: text("Official incorporation code in that country", 255, { example: "000 000 000", source }),
	incorporationDate: z.optional(date("Date of incorporation", { example: "2019-04-01", offer: true, source })),
	legalType: z.optional(legalType(source)),
	website: z.optional(text("Website", 511, { example: "https://www.example.com", source })),
	industry: openChoice("Industry (12 of 136 values are known)", industries, {
		choose: "industry",
		heading: "Due diligence",
		example: "FOOD_RESTAURANT_CATERING",
		source,
	}),
	registeredAddress: address("Registered address", { source }),
	businessAddress: z.optional(address("Business address, when it differs", { source })),
	expectedMonthlyExpenses: field(
		z.strictObject({
			value: openChoice("Range of monthly expenses", monthlyExpenses, { example: "LESS_THAN_10_000", source }),
			currency: currency("Currency of the range", currencies),
		}),
		{ description: "Expected monthly expenses", heading: "Due diligence", source },
	),
	employeesRange: z.optional(
		openChoice("Number of employees", employeesRanges, { heading: "Due diligence", source: leastCertain(source, "documented") }),
	),
	lastTermsAccepted: z.optional(line("Version of the terms that the account owner accepted; can be set later", { source: "spec" })),
	metadata: z.optional(metadata({ source })),
});

const recordFields = [
	"id externalId corporateName tradeName incorporationCountry incorporationCode incorporationDate legalType website industry",
	"registeredAddress businessAddress termsAccepted kybStatus kybStatusReason creationDate updateDate",
].flatMap((line) => line.split(" "));

/** `status` alone does not identify a corporate, because many envelopes have it. */
const corporateNames: RecordNames = {
	ids: ["id", "corporateId"],
	given: () => createCorporate.body,
	fields: [...recordFields, "corporateId", "registeredName", "status.kyb", "accountOwnerId", "lastTermsAccepted"],
};

export const createCorporate = operation({
	id: "corporate.create",
	title: "Create a Corporate",
	effect: "write",
	done: { one: "company", many: "companies", verb: "created" },
	send: "POST /api/partner/corporates",
	body: () =>
		z.strictObject({
			partnerName: z.optional(name("Name of the partner; mandatory for an anonymous creation, ignored as a partner", { source: "spec" })),
			...corporateFields("spec"),
			accountOwnerInfo: accountOwnerInfo(),
		}),
	answer: answer(["corporateId", "accountOwnerId"], "spec"),
	created: ["corporateId"],
	auth: "optional",
	provenance: { method: "documented", path: "documented", request: "spec", answer: "spec" },
	specified: true,
});

/** Whom the answer to a creation names as the account owner (specification 2.4); undefined where it names nobody, or the company itself. */
export function createdOwner({ id, data }: { id?: string; data?: unknown }, forms: IdForms = {}): string | undefined {
	const owner = createdId(data, ["accountOwnerId"], "related", forms);
	return sameId(owner, id) ? undefined : owner;
}

export const updateCorporate = operation({
	id: "corporate.update",
	title: "Update a Corporate",
	effect: "write",
	done: { one: "company", many: "companies", verb: "updated" },
	send: "PATCH /api/partner/corporates/{corporateId}",
	params: () => z.strictObject({ corporateId: identifier("corporate", "Company") }),
	body: () => z.partial(z.strictObject(corporateFields("assumed"))),
	provenance: { method: "spec", path: "assumed", request: "assumed", answer: "assumed" },
	specified: true,
});

export const getCorporate = operation({
	id: "corporate.get",
	title: "Get Corporate",
	effect: "read",
	send: "GET /api/partner/corporates/{corporateId}",
	params: () => z.strictObject({ corporateId: identifier("corporate", "Company") }),
	answer: answer(recordFields),
	record: corporateNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
	specified: true,
});

export const listCorporates = operation({
	id: "corporate.list",
	title: "List corporates",
	send: "GET /api/partner/corporates",
	query: () =>
		z.strictObject({
			kybStatus: z.optional(field(z.array(openChoice("Status", kybStatuses)), { description: "Only these KYB statuses" })),
			registeredName: z.optional(line("Only with this name")),
			emailAddress: z.optional(line("Only with this email address", { personal: true })),
			sortAttribute: z.optional(field(z.enum(["UPDATE_DATE", "CREATION_DATE"]), { description: "Sorted by" })),
			...paging(),
		}),
	record: corporateNames,
	...ofList,
});

export const getDiligenceReview = operation({
	id: "corporate.diligenceReview",
	title: "Get diligence review of a corporate",
	effect: "read",
	send: "GET /api/partner/corporates/{corporateId}/diligence-review",
	params: () => z.strictObject({ corporateId: identifier("corporate", "Company") }),
	document: true,
	// JSON says where the document is.
	record: { ids: [], fields: ["url"] },
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "spec" },
	specified: true,
});

export const requestKyb = operation({
	id: "kyb.request",
	title: "Ask a KYB verification",
	effect: "write",
	done: { one: "KYB", many: "KYBs", verb: "requested" },
	send: "POST /api/partner/corporates/{corporateId}/kyb",
	params: () => z.strictObject({ corporateId: identifier("corporate", "Company") }),
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "assumed" },
	specified: true,
});

/** A company as a command answers it. */
export const corporateRecord = () =>
	recordSchema(
		[...recordFields, "accountOwnerId", "expectedMonthlyExpenses", "employeesRange", "lastTermsAccepted", "metadata"],
		{ registeredAddress: addressFields, businessAddress: addressFields, expectedMonthlyExpenses: ["value", "currency"] },
		{
			id: (record) => viewCorporate(record).id,
			corporateName: (record) => viewCorporate(record).name,
			kybStatus: (record) => viewCorporate(record).kybStatus,
			kybStatusReason: (record) => viewCorporate(record).kybReason,
		},
	);

/** Reads a corporate record of either generation of the service. Missing fields stay undefined. */
export function viewCorporate(record: Received) {
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
		kybReason: textAt(record, "kybStatusReason", "status.kyb.reason"),
		createdAt: textAt(record, "creationDate"),
		updatedAt: textAt(record, "updateDate"),
	};
}
