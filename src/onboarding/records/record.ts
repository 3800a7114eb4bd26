/**
 * Records of the service as rows: every field is shown, described or not.
 */
import { listAt, type Received, textAt } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { rolesOf, viewRelated } from "../../api/operations/related.js";
import { isRecord, wordsOf } from "../../api/schema.js";
import type { Called } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";
import { ownedBy } from "./read-ownership.js";

export type RecordRow = readonly [string, string | undefined];

const maxRows = 80;
/** Characters of a field's name that are shown. */
const maxNameLength = 100;

/** `incorporationCode` → `Incorporation code`, `phone.countryCode` → `Phone country code`. */
export function labelOf(path: string): string {
	const words = wordsOf(path.replaceAll(".", " "));
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Rows for the fields of a record that are not among `shown` (dotted paths; a parent covers its fields). */
export function otherRows(record: Received, shown: readonly string[]): RecordRow[] {
	const rows: RecordRow[] = [];
	let more = 0;
	const gather = (value: unknown, path: string): void => {
		if (value === null || value === undefined || value === "" || shown.includes(path)) return;
		if (isRecord(value) && !isOneLine(value)) {
			for (const [key, part] of Object.entries(value)) gather(part, `${path && `${path}.`}${key.slice(0, maxNameLength)}`);
			return;
		}
		const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value).filter(Boolean) : [value];
		if (parts.length === 0) return;
		if (rows.length < maxRows) rows.push([labelOf(path), parts.map(onLine).join(", ")]);
		else more += 1;
	};
	gather(record, "");
	return more === 0 ? rows : [...rows, ["…", `${more} more fields; see them with --json`]];
}

/** An address, or a value with its currency (specification 2.1, 2.2), is one row. */
const isOneLine = (value: Received): boolean =>
	["isoCountryCode", "currency"].some((name) => Object.hasOwn(value, name)) &&
	Object.values(value).every((part) => part === null || typeof part === "string");

const onLine = (value: unknown): string => (typeof value === "boolean" ? yesNo(value) : textAt({ value }, "value")) ?? "";

/**
 * A text wrapped at the terminal's width, each line with the same indentation.
 * @param first replaces the indentation of the first line
 */
export function paragraph(text: string, indent: number, style: Pick<Style, "columns" | "wrapped">, first = " ".repeat(indent)): string[] {
	const lines = style.wrapped(text, Math.max(20, style.columns - indent));
	return lines.map((part, at) => `${at === 0 ? first : " ".repeat(indent)}${part}`);
}

/** A status in words, for pages and sentences: `NOT_STARTED` is `not started`. Data and columns keep the service's own, and a text stays as it is. */
export const statusWords = (text: string): string => (/^[A-Z]+(_[A-Z]+)*$/.test(text) ? text.toLowerCase().replaceAll("_", " ") : text);

/** Undefined where the service does not say. */
export function yesNo(value: boolean | undefined): string | undefined {
	return value === undefined ? undefined : value ? "yes" : "no";
}

/** The styles that these rows use. */
export type RowStyle = Pick<Style, "bold" | "status" | "time">;

const shownOfCorporate = [
	...["id", "corporateId", "externalId", "corporateName", "registeredName", "termsAccepted"],
	...["kybStatus", "kybStatusReason", "kybDocuments", "status.kyb", "creationDate", "updateDate"],
];

/** A company as rows: what matters for the onboarding first, then every other field. */
export function corporateRows(record: Received, style: RowStyle): RecordRow[] {
	const view = viewCorporate(record);
	return [
		["Company", view.name === undefined ? undefined : style.bold(view.name)],
		["Id", view.id],
		["External id", view.externalId],
		["KYB", style.status(view.kybStatus)],
		["Reason", view.kybReason],
		["Terms accepted", style.status(yesNo(view.termsAccepted))],
		["Created", style.time(view.createdAt)],
		["Updated", style.time(view.updatedAt)],
		...otherRows(record, shownOfCorporate),
	];
}

const shownOfRelated = [
	...["id", "corporateRelatedId", "externalId", "type", "firstName", "lastName", "corporateName", "registeredName"],
	...["email", "emailAddress", "emailAddressVerified", "phone", "phoneVerified"],
	...["isDirector", "isAccountOwner", "isUbo", "directSharesPercentage", "shares", "kycInfo"],
];

/** The companies whose shares a related entity holds. */
export const ownedIn = (record: Received): Called[] => listAt(record, "shares").map((share) => ["corporate", ownedBy(share)]);

/** A row for each of `shares[]`. */
function sharesRows(record: Received, { called }: Pick<Style, "called">): RecordRow[] {
	return listAt(record, "shares").map((share) => {
		const [owned, direct] = [ownedBy(share), textAt(share, "directSharesPercentage")];
		const final = textAt(share, "finalSharesPercentage");
		const parts = [
			direct === undefined ? undefined : `${direct} %`,
			final === undefined || final === direct ? undefined : `(${final} % effective)`,
			`of ${called("corporate", owned) ?? called("related", owned) ?? owned ?? "a company"}`,
		];
		const layer = textAt(share, "layer");
		return ["Shares", `${parts.filter(Boolean).join(" ")}${layer === undefined ? "" : `, layer ${layer}`}`];
	});
}

/** A related entity as rows: what matters for the onboarding first, then every other field. */
export function relatedRows(record: Received, style: RowStyle & Pick<Style, "called">): RecordRow[] {
	const view = viewRelated(record);
	const who = style.called("related", view.id) ?? view.name;
	const verified = (value: boolean | undefined): string =>
		value === undefined ? "" : `  ${style.status(value ? "verified" : "not verified")}`;
	return [
		[view.isCompany ? "Company" : "Person", who === undefined ? undefined : style.bold(who)],
		["Id", view.id],
		["External id", view.externalId],
		["Roles", rolesOf(record) || undefined],
		["Shares held directly", view.shares === undefined || listAt(record, "shares").length > 0 ? undefined : `${view.shares} %`],
		["Email", view.email === undefined ? undefined : `${view.email}${verified(view.emailVerified)}`],
		["Phone", view.phone === undefined ? undefined : `${view.phone}${verified(view.phoneVerified)}`],
		["KYC", view.isCompany || view.kycType === "NOT_REQUIRED" ? "not required" : style.status(view.kycStatus)],
		["KYC type", view.kycType === "NOT_REQUIRED" ? undefined : view.kycType],
		["KYC reason", view.kycReason],
		...sharesRows(record, style),
		...otherRows(record, shownOfRelated),
	];
}
