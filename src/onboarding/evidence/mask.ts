/**
 * Masks personal data by an allow-list, so that an unknown field is hidden. Pure.
 */
import type { Received } from "../../api/answer.js";
import { Decimal } from "../../api/json.js";
import { viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";

const hidden = "***";

/** Fields whose values are never personal. */
const open = new Set(
	[
		"id corporateId accountOwnerId corporateRelatedId version type language downloadUrl ttl status kybStatus kycStatus",
		"corporateName registeredName tradeName incorporationCountry incorporationCode incorporationDate website industry",
		"employeesRange currency termsAccepted lastTermsAccepted creationDate updateDate createdAt updatedAt",
		"isDirector isUbo isAccountOwner verified emailAddressVerified phoneVerified directSharesPercentage finalSharesPercentage layer",
		"ownedCorporateId totalElements page pageSize kyb kyc",
	].flatMap((line) => line.split(" ")),
);

/** Fields of a company whose direct content is public too. Addresses of companies are public; those of persons are not. */
const ofCompany = new Set(["registeredAddress", "businessAddress", "legalType", "expectedMonthlyExpenses", "ownedCorporate"]);

/** Fields whose `value` is a status; elsewhere a value may be personal, as may a reason. */
const statuses = new Set(["status", "kyb", "kyc"]);

/** A copy of an answer in which all values are masked but those on the list; the names of fields stay. */
export function masked(value: unknown, shown = false, parent = ""): unknown {
	if (Array.isArray(value)) return value.map((part) => masked(part, shown, parent));
	if (isRecord(value)) {
		const isCompany = value.corporateName !== undefined || value.registeredName !== undefined || value.type === "COMPANY";
		return Object.fromEntries(
			Object.entries(value).map(([name, part]) => [
				name,
				masked(part, isOpen(name, parent) || (isCompany && name === "externalId") || (ofCompany.has(parent) && isPlain(part)), name),
			]),
		);
	}
	return value === null || value === undefined || shown ? value : hidden;
}

/**
 * The related entities of a company without personal data, on every page and in every file alike: persons are told apart by numbers in the order
 * of the service's list, `Person 2`. Companies keep their names.
 */
export function maskedRelated(records: readonly Received[]): Received[] {
	let persons = 0;
	return records.map((record) => {
		const hidden = masked(record) as Received;
		if (record.type === "COMPANY" || (record.type !== "PHYSICAL" && viewRelated(record).isCompany)) return hidden;
		persons += 1;
		return { ...hidden, firstName: "Person", lastName: String(persons) };
	});
}

const isOpen = (name: string, parent: string): boolean =>
	open.has(name) || ofCompany.has(name) || (name === "value" && statuses.has(parent));

const isPlain = (value: unknown): boolean => typeof value !== "object" || value instanceof Decimal;
