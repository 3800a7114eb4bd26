/**
 * Records of the service as rows: every field is shown, described or not.
 */
import { listAt, type Received, textAt } from "../../api/answer.js";
import { Decimal } from "../../api/json.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { rolesOf, viewRelated } from "../../api/operations/related.js";
import { isRecord, wordsOf } from "../../api/schema.js";
import type { Style } from "../../ports/style.js";

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
	const found: Found = { rows: [], more: 0 };
	gather(record, "", new Set(shown), found);
	return found.more === 0 ? found.rows : [...found.rows, ["…", `${found.more} more fields; see them with --json`]];
}

interface Found {
	rows: RecordRow[];
	/** Fields beyond {@link maxRows}, which are counted only. */
	more: number;
}

function gather(value: unknown, path: string, shown: ReadonlySet<string>, found: Found): void {
	if (value === null || value === undefined || value === "" || shown.has(path)) return;
	if (isRecord(value)) {
		const whole = path === "" ? undefined : (addressLine(value) ?? rangeLine(value));
		if (whole !== undefined) {
			put(found, path, () => whole);
			return;
		}
		for (const [key, part] of Object.entries(value)) {
			const name = key.slice(0, maxNameLength);
			gather(part, path ? `${path}.${name}` : name, shown, found);
		}
		return;
	}
	if (!Array.isArray(value)) put(found, path, () => onLine(value));
	else if (value.length > 0) put(found, path, () => value.map(onLine).join(", "));
}

function put(found: Found, path: string, text: () => string): void {
	if (found.rows.length < maxRows) found.rows.push([labelOf(path), text()]);
	else found.more += 1;
}

/** An address (specification 2.2) on one line. */
function addressLine(value: Received): string | undefined {
	const parts = ["number", "street", "refinement", "postalCode", "city", "stateOrProvince", "isoCountryCode"];
	if (!Object.hasOwn(value, "isoCountryCode") || !Object.entries(value).every(([key, part]) => parts.includes(key) && isPlain(part)))
		return undefined;
	const joined = (...names: string[]) =>
		names
			.map((name) => textAt(value, name))
			.filter(Boolean)
			.join(" ");
	return [
		joined("number", "street"),
		joined("refinement"),
		joined("postalCode", "city"),
		joined("stateOrProvince"),
		joined("isoCountryCode"),
	]
		.filter(Boolean)
		.join(", ");
}

/** A value with its currency (specification 2.1) on one line. */
function rangeLine(value: Received): string | undefined {
	const keys = Object.keys(value).sort().join(" ");
	return keys === "currency value" && Object.values(value).every(isPlain)
		? [textAt(value, "value"), textAt(value, "currency")].filter(Boolean).join(" ")
		: undefined;
}

const isPlain = (value: unknown): boolean => value === null || typeof value === "string";

function onLine(value: unknown): string {
	if (typeof value === "boolean") return value ? "yes" : "no";
	if (value instanceof Decimal) return value.text;
	if (typeof value === "string") return value;
	return textAt({ value }, "value") ?? "";
}

/** Undefined where the service does not say. */
export function yesNo(value: boolean | undefined): string | undefined {
	return value === undefined ? undefined : value ? "yes" : "no";
}

/** The styles that these rows use. */
export type RowStyle = Pick<Style, "bold" | "status" | "time">;

const shownOfCorporate = [
	"id",
	"corporateId",
	"externalId",
	"corporateName",
	"registeredName",
	"termsAccepted",
	"kybStatus",
	"kybStatusReason",
	"kybDocuments",
	"status.kyb",
	"creationDate",
	"updateDate",
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
	"id",
	"corporateRelatedId",
	"externalId",
	"type",
	"firstName",
	"lastName",
	"corporateName",
	"registeredName",
	"email",
	"emailAddress",
	"emailAddressVerified",
	"phone",
	"phoneVerified",
	"isDirector",
	"isAccountOwner",
	"isUbo",
	"directSharesPercentage",
	"shares",
	"kycInfo",
];

/** A row for each of `shares[]`. */
function sharesRows(record: Received): RecordRow[] {
	return listAt(record, "shares").map((share) => {
		const direct = textAt(share, "directSharesPercentage");
		const final = textAt(share, "finalSharesPercentage");
		const parts = [
			direct === undefined ? undefined : `${direct} %`,
			final === undefined || final === direct ? undefined : `(${final} % effective)`,
			`of ${textAt(share, "ownedCorporate", "ownedCorporate.id") ?? "a company"}`,
		];
		const layer = textAt(share, "layer");
		return ["Shares", `${parts.filter(Boolean).join(" ")}${layer === undefined ? "" : `, layer ${layer}`}`];
	});
}

/** A related entity as rows: what matters for the onboarding first, then every other field. */
export function relatedRows(record: Received, style: RowStyle): RecordRow[] {
	const view = viewRelated(record);
	const verified = (value: boolean | undefined): string =>
		value === undefined ? "" : `  ${style.status(value ? "verified" : "not verified")}`;
	return [
		[view.isCompany ? "Company" : "Person", view.name === undefined ? undefined : style.bold(view.name)],
		["Id", view.id],
		["External id", view.externalId],
		["Roles", rolesOf(record) || undefined],
		["Shares held directly", view.shares === undefined || listAt(record, "shares").length > 0 ? undefined : `${view.shares} %`],
		["Email", view.email === undefined ? undefined : `${view.email}${verified(view.emailVerified)}`],
		["Phone", view.phone === undefined ? undefined : `${view.phone}${verified(view.phoneVerified)}`],
		["KYC", view.isCompany || view.kycType === "NOT_REQUIRED" ? "not required" : style.status(view.kycStatus)],
		["KYC type", view.kycType === "NOT_REQUIRED" ? undefined : view.kycType],
		["KYC reason", view.kycReason],
		...sharesRows(record),
		...otherRows(record, shownOfRelated),
	];
}
