import { listAt, type Received, textAt } from "../../api/answer.js";
import { rolesOf, viewRelated } from "../../api/operations/related.js";
import type { RowStyle } from "./corporate-rows.js";
import { otherRows, type RecordRow } from "./record.js";

const shown = [
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
		...otherRows(record, shown),
	];
}
