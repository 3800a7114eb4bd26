import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { corporateRecord, getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { readCorporate } from "../../onboarding/records/reading.js";
import { corporateRows } from "../../onboarding/records/record.js";
import { showCommand } from "../families/show.js";

export default showCommand({
	path: "corporate show",
	summary: "Show a company with its KYB status",
	examples: {
		'corporate show "Example Florist"': "Everything the service knows of it",
		"corporate show crm-5002 --json": "The record as received",
	},
	operation: getCorporate,
	answer: corporateRecord,
	read: (context, { corporateId }) => readCorporate(context.service, corporateId),
	rows: corporateRows,
	next: (record, { corporateId }) => {
		const { termsAccepted, kybStatus } = viewCorporate(record);
		const id = typed(corporateId, "CORPORATE");
		if (termsAccepted === false) return [purser`terms accept ${id}`];
		if (kybStatus === "VALIDATED") return [purser`ledger list --end-user-id ${id}`];
		return [purser`related list ${id}`, purser`kyb status ${id}`];
	},
});
