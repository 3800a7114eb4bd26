import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { listRelated, type RelatedView, relatedRecord, rolesOf, viewRelated } from "../../api/operations/related.js";
import { hasKycToDo } from "../../onboarding/records/related-steps.js";
import type { Style } from "../../ports/style.js";
import { listCommand } from "../families/list.js";

const { layer, sortDirection } = listRelated.query.shape;

export default listCommand({
	path: "related list",
	summary: "List the related entities of a company",
	details:
		"Every UBO and every director has to be declared, and each of them needs a KYC. The newest first where the service sorts by age, or as --sort-direction says.",
	examples: {
		"related list crm-5002": "Everyone declared so far",
		"related list crm-5002 --layer 1": "Only the first layer of ownership",
	},
	operation: listRelated,
	filters: { ...listRelated.params.shape, layer, sortDirection },
	request: ({ corporateId, ...query }) => ({ params: { corporateId }, query }),
	record: relatedRecord,
	view: (record) => ({ ...viewRelated(record), roles: rolesOf(record), kycToDo: hasKycToDo(record) }),
	columns: (style) => ({
		id: ({ id }) => id,
		name: ({ name }) => name,
		KYC: (one) => kycCell(one, style),
		shares: ({ shares }) => (shares === undefined ? "" : `${shares} %`),
		roles: ({ roles }) => roles,
	}),
	none: "No related entities found.",
	next: (found, { corporateId }) => {
		const id = typed(corporateId, "CORPORATE");
		const waiting = found.find(({ kycStatus, kycToDo }) => kycToDo && kycStatus === "NOT_STARTED");
		return [purser`related add ${id}`, waiting ? purser`kyc link ${typed(waiting.id, "RELATED")}` : purser`corporate review ${id}`];
	},
});

function kycCell({ isCompany, kycStatus, kycType }: RelatedView, style: Style): string {
	if (isCompany) return "";
	return kycType === "NOT_REQUIRED" ? "not required" : style.status(kycStatus);
}
