import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { corporateRecord, listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { yesNo } from "../../onboarding/records/record.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listCorporates.query.shape;

export default listCommand({
	path: "corporate list",
	summary: "List companies by KYB status, name or email",
	details: "Those created last first, or as --sort-attribute and --sort-direction say.",
	examples: {
		"corporate list --kyb-status PENDING_VERIFICATION --kyb-status NEED_ADDITIONAL_INFORMATION": "Those under way",
		'corporate list --registered-name "Example Trading SAS"': "Find one by its name",
		"corporate list --limit 5000 -o ndjson": "One record per line, for a script",
	},
	operation: listCorporates,
	filters,
	newestBy: { sortAttribute: "CREATION_DATE" },
	record: corporateRecord,
	view: viewCorporate,
	columns: (style) => ({
		id: ({ id }) => id,
		name: ({ name }) => name,
		country: ({ country }) => country,
		KYB: ({ kybStatus }) => style.status(kybStatus),
		terms: ({ termsAccepted }) => style.status(yesNo(termsAccepted)),
		"external id": ({ externalId }) => externalId,
	}),
	none: "No companies found.",
	next: ([only, another]) => {
		if (only === undefined) return [purser`onboard start`];
		return [another === undefined ? purser`corporate status ${typed(only.id, "CORPORATE")}` : purser`overview`];
	},
});
