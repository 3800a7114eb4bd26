import type { Received } from "../api/answer.js";
import { viewRelated } from "../api/related.js";
import type { RowStyle } from "./corporate-rows.js";
import { otherRows, type Row, yesNo } from "./record.js";

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
	"kycInfo",
];

/** What a related entity is to the corporate: `account owner, director, UBO`. */
export function rolesOf(record: Received): string {
	const { isAccountOwner, isDirector, isUbo, isCompany } = viewRelated(record);
	return [isAccountOwner && "account owner", isDirector && "director", isUbo && "UBO", isCompany && "company"].filter(Boolean).join(", ");
}

/** A related entity for people: what the onboarding asks of it first, then every other field. */
export function relatedRows(record: Received, style: RowStyle): Row[] {
	const view = viewRelated(record);
	const verified = (value: boolean | undefined): string =>
		value === undefined ? "" : `  ${style.status(value ? "verified" : "not verified")}`;
	return [
		[view.isCompany ? "Company" : "Person", view.name === undefined ? undefined : style.bold(view.name)],
		["Id", view.id],
		["External id", view.externalId],
		["Roles", rolesOf(record) || undefined],
		["Shares held directly", view.shares === undefined ? undefined : `${view.shares} %`],
		["Email", view.email === undefined ? undefined : `${view.email}${verified(view.emailVerified)}`],
		["Phone", view.phone === undefined ? undefined : `${view.phone}${verified(view.phoneVerified)}`],
		["KYC", view.isCompany && view.kycStatus === undefined ? undefined : style.status(view.kycStatus)],
		["KYC type", view.kycType],
		["KYC reason", view.kycReason],
		["Director", view.isDirector === false ? yesNo(false) : undefined],
		...otherRows(record, shown),
	];
}
