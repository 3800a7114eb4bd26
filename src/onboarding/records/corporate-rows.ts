import type { Received } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Style } from "../../ports/style.js";
import { otherRows, type RecordRow, yesNo } from "./record.js";

/** The styles that these rows use. */
export type RowStyle = Pick<Style, "bold" | "status" | "time">;

const shown = [
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
		...otherRows(record, shown),
	];
}
