import { getRelated, relatedRecord } from "../../api/operations/related.js";
import { readRelated } from "../../onboarding/records/reading.js";
import { ownedIn, relatedRows } from "../../onboarding/records/record.js";
import { relatedSteps } from "../../onboarding/records/related-steps.js";
import { showCommand } from "../families/show.js";

export default showCommand({
	path: "related show",
	summary: "Show a related entity, the account owner included",
	examples: {
		'related show "Example Florist/Ada Example"': "A person or a company, with what is verified",
		"related show crm-5002/ada@example.com --json": "The record as received",
	},
	operation: getRelated,
	answer: relatedRecord,
	read: (context, { corporateRelatedId }) => readRelated(context.service, corporateRelatedId),
	called: ownedIn,
	rows: relatedRows,
	next: (record, { corporateRelatedId }) => relatedSteps(record, corporateRelatedId),
});
