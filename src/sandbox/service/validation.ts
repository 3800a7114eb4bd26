/**
 * The specification's limits, written a second time: a rule shared with the client would hide a shared mistake.
 */

import { at } from "../../api/answer.js";
import { Decimal, formatJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { isUuid } from "../../api/text/ids.js";
import { isUrl } from "../../api/text/url.js";
import { countries, diallingCodes } from "../../api/values.js";
import { type Detail, HttpError, invalidFields } from "../message.js";

type Body = Record<string, unknown>;
type Rule = (value: unknown) => string | undefined;

const string: Rule = (value) => (typeof value === "string" ? undefined : "must be a string");
const notBlank: Rule = (value) => (typeof value === "string" && value.trim() !== "" ? undefined : "must not be blank");
const atMost =
	(most: number): Rule =>
	(value) =>
		typeof value === "string" && Array.from(value).length <= most ? undefined : `size must be between 0 and ${most}`;
const boolean: Rule = (value) => (typeof value === "boolean" ? undefined : "must be a boolean");
const enumerated: Rule = (value) => (typeof value === "string" && /^[A-Z0-9_]+$/.test(value) ? undefined : "must be an enumerated value");
const currency: Rule = (value) => (typeof value === "string" && /^[A-Z]{3}$/.test(value) ? undefined : "must be a currency code");
const alpha3: Rule = (value) =>
	typeof value === "string" && (countries.includes(value) || value === "XKX") ? undefined : "must be an ISO 3166 alpha-3 code";
const uuid: Rule = (value) => (isUuid(value) ? undefined : "must be a UUID");
const mail: Rule = (value) =>
	typeof value === "string" && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value) ? undefined : "must be an email address";
const webAddress: Rule = (value) =>
	typeof value === "string" && /^https?:\/\/\S+$/i.test(value) && isUrl(value) ? undefined : "must be an http or https address";
const calendarDay: Rule = (value) => {
	if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return "must be a date (YYYY-MM-DD)";
	const date = new Date(`${value}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? undefined : "must be a date (YYYY-MM-DD)";
};
const share: Rule = (value) => {
	const number = value instanceof Decimal ? Number(value.text) : Number.NaN;
	return number >= 0 && number <= 100 ? undefined : "must be a number between 0 and 100";
};
const reference: Rule = (value) => {
	if (typeof value !== "string" || Array.from(value).length > 18) return "size must be between 0 and 18";
	return /^[.'a-zA-ZÀ-ÿ0-9,? ]*$/.test(value) && !value.includes("\n") ? undefined : "must match ^[.'a-zA-ZÀ-ÿ0-9,? ]*$";
};
const amount: Rule = (value) => {
	if (!(value instanceof Decimal) || !/^\d+(\.\d+)?$/.test(value.text)) return "must be a decimal number";
	if (value.text.length > 30) return "must be at most 30 characters";
	return /[1-9]/.test(value.text) ? undefined : "must be greater than 0";
};
const metadata: Rule = (value) => {
	if (!isRecord(value)) return "must be an object";
	return Array.from(formatJson(value)).length <= 3000 ? undefined : "must be at most 3000 characters";
};
const legalForm: Rule = (value) => {
	const [[key = "", form] = [], second] = isRecord(value) ? Object.entries(value) : [];
	if (second !== undefined || !/^[a-z][A-Za-z]*Value$/.test(key)) return "must have one country-specific key";
	return enumerated(form);
};

const addressParts = ["isoCountryCode", "city", "postalCode", "street", "number", "refinement", "stateOrProvince"];

const address: Rule = (value) => {
	if (!isRecord(value)) return "must be an object";
	const given = Object.entries(value).filter(([, part]) => part !== null);
	const odd = given.find(([name, part]) => addressParts.includes(name) && typeof part !== "string");
	if (odd) return `${odd[0]} must be a string`;
	const { isoCountryCode } = value;
	return (isoCountryCode ?? null) === null ? undefined : alpha3(isoCountryCode);
};
const phone: Rule = (value) => {
	if (!isRecord(value)) return "must be an object";
	const { countryCode, number } = value;
	if (typeof countryCode !== "string" || !diallingCodes.includes(countryCode.replace(/^\+/, "")))
		return "countryCode is not an allowed value";
	return typeof number === "string" && /^\d{1,14}$/.test(number) ? undefined : "number must match ^[0-9]{1,14}$";
};

interface Row {
	rule: Rule;
	required?: true;
}

const corporateRows: Record<string, Row> = {
	externalId: { rule: atMost(511) },
	corporateName: { rule: atMost(255), required: true },
	tradeName: { rule: atMost(255) },
	incorporationCountry: { rule: alpha3, required: true },
	incorporationCode: { rule: atMost(255), required: true },
	incorporationDate: { rule: calendarDay },
	legalType: { rule: legalForm },
	website: { rule: atMost(511) },
	industry: { rule: enumerated, required: true },
	registeredAddress: { rule: address, required: true },
	businessAddress: { rule: address },
	employeesRange: { rule: enumerated },
	lastTermsAccepted: { rule: string },
	metadata: { rule: metadata },
	"expectedMonthlyExpenses.value": { rule: enumerated, required: true },
	"expectedMonthlyExpenses.currency": { rule: currency, required: true },
};

const paymentRows: Record<string, Row> = {
	ledgerFromId: { rule: uuid, required: true },
	amount: { rule: amount, required: true },
	reference: { rule: reference },
};

const sets = {
	corporate: {
		...corporateRows,
		"accountOwnerInfo.firstName": { rule: notBlank, required: true },
		"accountOwnerInfo.lastName": { rule: notBlank, required: true },
		"accountOwnerInfo.emailAddress": { rule: mail, required: true },
		"accountOwnerInfo.position": { rule: notBlank, required: true },
		"accountOwnerInfo.isDirector": { rule: boolean },
		"accountOwnerInfo.directorAppointmentDate": { rule: calendarDay },
		"accountOwnerInfo.directSharesPercentage": { rule: share },
		"accountOwnerInfo.address": { rule: address },
		"accountOwnerInfo.nationality": { rule: alpha3 },
		"accountOwnerInfo.phone": { rule: phone },
	},
	corporateUpdate: corporateRows,
	related: {
		externalId: { rule: atMost(511) },
		type: { rule: (value) => (value === "PHYSICAL" || value === "COMPANY" ? undefined : "must be PHYSICAL or COMPANY") },
		firstName: { rule: notBlank },
		lastName: { rule: notBlank },
		corporateName: { rule: atMost(255) },
		incorporationCountry: { rule: alpha3 },
		incorporationCode: { rule: atMost(255) },
		position: { rule: string },
		emailAddress: { rule: mail },
		phone: { rule: phone },
		nationality: { rule: alpha3 },
		address: { rule: address },
		isDirector: { rule: boolean },
		isUbo: { rule: boolean },
		directorAppointmentDate: { rule: calendarDay },
		directSharesPercentage: { rule: share },
		ownedCorporateId: { rule: uuid },
	},
	interLedger: { ...paymentRows, ledgerToId: { rule: uuid, required: true } },
	beneficiary: {
		...paymentRows,
		beneficiaryId: { rule: uuid, required: true },
		allowFastPayment: { rule: boolean },
		allowInterLedger: { rule: boolean },
	},
	emailLink: { emailSubject: { rule: string }, urlOnSuccess: { rule: webAddress }, urlOnFailure: { rule: webAddress } },
	kycLink: {
		kycConfiguration: { rule: (value) => (isRecord(value) ? undefined : "must be an object"), required: true },
		"kycConfiguration.accessType": { rule: (value) => (value === "LINK" ? undefined : "must be LINK"), required: true },
		"kycConfiguration.urlOnComplete": { rule: webAddress },
		"kycConfiguration.urlOnFailure": { rule: webAddress },
	},
} satisfies Record<string, Record<string, Row>>;

/**
 * Checks a body and refuses with every fault at once. In an update what is not named stays as it is, so that only a
 * required field that is named and null is missing.
 * @throws HttpError 400
 */
export function validate(kind: keyof typeof sets, body: Body): void {
	const details: Detail[] = [];
	for (const [path, { rule, required }] of Object.entries(sets[kind] as Record<string, Row>)) {
		if (kind === "corporateUpdate" && body[path.split(".")[0] as string] === undefined) continue;
		const value = at(body, path);
		if (value === undefined || value === null) {
			if (required) details.push({ field: path, message: "must not be null" });
			continue;
		}
		const message = rule(value);
		if (message) details.push({ field: path, rejectedValue: value, message });
	}
	if (details.length > 0) throw invalidFields(...details);
}

/** The person named in a verification. @throws HttpError 400 PERSON_ID_REQUIRED */
export function personId(body: Body): string {
	if (!isUuid(body.relatedPhysicalPersonId)) throw new HttpError(400, "PERSON_ID_REQUIRED", "relatedPhysicalPersonId is required");
	return body.relatedPhysicalPersonId;
}
