import { z } from "zod";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { listRelated, type RelatedView, viewRelated } from "../../api/operations/related.js";
import { listAll } from "../../client/pages.js";
import { serviceOf } from "../../client/service.js";
import { corporateChoices } from "../../onboarding/records/choices.js";
import { limitField, limitOf } from "../../onboarding/records/listing.js";
import { yesNo } from "../../onboarding/records/record.js";
import { rolesOf } from "../../onboarding/records/related-rows.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../../shell/command.js";

const { layer, sortDirection } = listRelated.query.shape;

/** Columns of a terminal from which on there is room to tell whether the email is verified. */
const roomForEmail = 120;

export default defineCommand({
	path: "related list",
	summary: "List the related entities of a company",
	details: "Every UBO and every director has to be declared, and each of them needs a KYC.",
	examples: [
		{ run: "related list 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", note: "Everyone declared so far" },
		{ run: "related list 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --layer 1", note: "Only the first layer of ownership" },
	],
	effect: "read",
	operations: [listRelated.id],
	input: z.strictObject({ ...listRelated.params.shape, layer, sortDirection, limit: limitField() }),
	choices: { corporateId: corporateChoices(serviceOf) },
	run: (context, { corporateId, limit, ...query }) => listAll(context, listRelated, { params: { corporateId }, query }, limitOf(limit)),
	text: (records, style) => {
		if (records.length === 0) return "No related entities found.";
		const wide = style.columns >= roomForEmail;
		const rows = records.map((record) => {
			const view = viewRelated(record);
			return [
				view.id ?? "",
				view.name ?? "",
				kycCell(view, style),
				view.shares === undefined ? "" : `${view.shares} %`,
				...(wide ? [view.isCompany ? "" : style.status(yesNo(view.emailVerified))] : []),
				rolesOf(record),
			];
		});
		return style.table(["id", "name", "KYC", "shares", ...(wide ? ["email verified"] : []), "roles"], rows);
	},
	lines: (records) => records,
	next: (records, { corporateId }) => {
		const id = typed(corporateId, "CORPORATE");
		const waiting = records.map((record) => viewRelated(record)).find((view) => !view.isCompany && view.kycStatus === "NOT_STARTED");
		return [purser`related add ${id}`, waiting ? purser`kyc link ${typed(waiting.id, "RELATED")}` : purser`corporate review ${id}`];
	},
});

function kycCell({ isCompany, kycStatus, kycType }: RelatedView, style: Style): string {
	if (isCompany) return "";
	return kycType === "NOT_REQUIRED" ? "not required" : style.status(kycStatus);
}
