/**
 * Which fields of a case differ from a record of the service. Pure.
 */
import { withoutEndZeros } from "../../api/amount.js";
import { at, type Received, sameId } from "../../api/answer.js";
import { Decimal, formatJson } from "../../api/json.js";
import { viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import { composed, sameText } from "../../api/text/lookalike.js";
import { statements } from "../records/read-ownership.js";

/** One field that is to change. */
export interface Change {
	field: string;
	/** The service's value; undefined where it shows none. */
	from?: unknown;
	to: unknown;
}

/** Names under which newer deployments show a field. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
	corporateName: ["registeredName"],
	emailAddress: ["email.address"],
};

/** Facts that the service also determines itself: it is a change only where the case adds one. */
const additive = new Set(["isUbo"]);

/** The fields of `wanted` that differ from the record, in the order of the case. */
export function fieldChanges(wanted: Received, record: Received): Change[] {
	return Object.entries(wanted).flatMap(([field, to]): Change[] => {
		if (to === undefined) return [];
		const from = namedValue(field, record);
		if (same(field, to, shownValue(field, record))) return [];
		if (additive.has(field) && to === false) return [];
		return [from === undefined ? { field, to } : { field, from, to }];
	});
}

function namedValue(field: string, record: Received): unknown {
	return [field, ...(otherNames[field] ?? [])].map((name) => at(record, name)).find((value) => value !== undefined && value !== null);
}

/** The service's value of a field of a case, whichever name it has there; undefined where it shows none. */
export function shownValue(field: string, record: Received): unknown {
	return namedValue(field, record) ?? (field === "emailAddress" ? viewRelated(record).email : undefined);
}

/** Whether the service has the value of the case. Extra fields of an object are no difference. */
function same(field: string, wanted: unknown, found: unknown): boolean {
	if (found === undefined || found === null) return wanted === false || wanted === "";
	// A changed email must be verified again, so one that differs only in case is not sent. The comparison of names is not used here, because
	// ß and ss are different addresses.
	if (field === "emailAddress") return composed(String(wanted)).toLowerCase() === composed(String(found)).toLowerCase();
	if (field === "phone.countryCode") return String(wanted).replace(/^\+/, "") === String(found).replace(/^\+/, "");
	if (isRecord(wanted) && isRecord(found))
		return Object.entries(wanted).every(([name, part]) => part === undefined || same(`${field}.${name}`, part, found[name]));
	// A legal form is sent as an object, and a deployment may show it as text.
	if (field === "legalType" && isRecord(wanted) && typeof found === "string") return Object.values(wanted).includes(found);
	if (typeof wanted === "object" || typeof found === "object") return formatJson(digitsOf(wanted)) === formatJson(digitsOf(found));
	return wanted === found || (typeof wanted === "string" && typeof found === "string" && sameText(wanted, found));
}

const digitsOf = (value: unknown): unknown => (value instanceof Decimal ? value.text : value);

/** Decimal text without trailing zeros: `33.50` is `33.5`. */
export function trimmedPercent(text: string): string {
	return text.includes(".") ? withoutEndZeros(text).replace(/\.$/, "") : text;
}

/**
 * The share that a record states to hold of a company, as decimal text.
 * @param owned id of a related company, or of the company of the case itself
 */
export function recordedShare(record: Received, corporateId: string, owned: string): string | undefined {
	const share = statements(record, corporateId).find((one) => sameId(one.owned, owned));
	return share && trimmedPercent(share.percentage);
}
