/**
 * A case beside a record of the service: which fields differ. Pure.
 */
import { at, listAt, type Received, textAt } from "../../api/answer.js";
import { Decimal, formatJson } from "../../api/json.js";
import { viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";

/** One field that is to change. */
export interface Change {
	field: string;
	/** As the service has it; undefined where it shows none. */
	from?: unknown;
	to: unknown;
}

/** Names under which newer deployments show a field. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
	corporateName: ["registeredName"],
	emailAddress: ["email.address"],
};

/** Facts that the service works out too: only what the case adds is a change. */
const additive = new Set(["isUbo"]);

/** The fields of `wanted` that the record does not have, in the order of the case. */
export function fieldChanges(wanted: Received, record: Received): Change[] {
	return Object.entries(wanted).flatMap(([field, to]): Change[] => {
		if (to === undefined) return [];
		const from = [field, ...(otherNames[field] ?? [])]
			.map((name) => at(record, name))
			.find((value) => value !== undefined && value !== null);
		if (same(field, to, field === "emailAddress" ? (from ?? viewRelated(record).email) : from)) return [];
		if (additive.has(field) && to === false) return [];
		return [from === undefined ? { field, to } : { field, from, to }];
	});
}

/** Whether the service has a value as the case has it. What an object has beside what the case gives is no difference. */
function same(field: string, wanted: unknown, found: unknown): boolean {
	if (found === undefined || found === null) return wanted === false || wanted === "";
	// A changed email has to be verified again: one that the service writes in small letters is no other one.
	if (field === "emailAddress") return String(wanted).toLowerCase() === String(found).toLowerCase();
	if (field === "phone.countryCode") return String(wanted).replace(/^\+/, "") === String(found).replace(/^\+/, "");
	if (isRecord(wanted) && isRecord(found))
		return Object.entries(wanted).every(([name, part]) => part === undefined || same(`${field}.${name}`, part, found[name]));
	// A legal form is written as an object and may be read as a plain value.
	if (field === "legalType" && isRecord(wanted) && typeof found === "string") return Object.values(wanted).includes(found);
	if (typeof wanted === "object" || typeof found === "object") return formatJson(plain(wanted)) === formatJson(plain(found));
	return wanted === found;
}

const plain = (value: unknown): unknown => (value instanceof Decimal ? value.text : value);

/** Decimal text without zeros that say nothing: `33.50` is `33.5`. */
export function percentOf(text: string): string {
	return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * What a record says it holds of a company, as decimal text.
 * @param owned id of a related company; undefined: the corporate itself
 */
export function recordedShare(record: Received, corporateId: string, owned: string | undefined): string | undefined {
	const target = (owned ?? corporateId).toLowerCase();
	const holder = listAt(record, "shares").find((share) => {
		const of = textAt(share, "ownedCorporate.id", "ownedCorporateId", "ownedCorporate");
		return (of ?? corporateId).toLowerCase() === target;
	});
	const listed = textAt(holder, "directSharesPercentage");
	if (listed !== undefined) return percentOf(listed);
	if ((textAt(record, "ownedCorporateId") ?? corporateId).toLowerCase() !== target) return undefined;
	const direct = textAt(record, "directSharesPercentage");
	return direct === undefined ? undefined : percentOf(direct);
}
