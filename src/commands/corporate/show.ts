import { z } from "zod";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { serviceOf } from "../../client/service.js";
import { corporateChoices } from "../../onboarding/records/choices.js";
import { corporateRows } from "../../onboarding/records/corporate-rows.js";
import { readCorporate } from "../../onboarding/records/reading.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "corporate show",
	summary: "Show a company with its KYB status",
	examples: [
		{ run: "corporate show 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", note: "Everything the service knows of it" },
		{ run: "corporate show 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --json", note: "The record as received" },
	],
	effect: "read",
	operations: [getCorporate.id],
	input: z.strictObject(getCorporate.params.shape),
	choices: { corporateId: corporateChoices(serviceOf) },
	run: (context, { corporateId }) => readCorporate(serviceOf(context), corporateId),
	text: (record, style) => style.pairs(corporateRows(record, style)),
	next: (record, { corporateId }) => {
		const { termsAccepted, kybStatus } = viewCorporate(record);
		const id = typed(corporateId, "CORPORATE");
		if (termsAccepted === false) return [purser`terms accept ${id}`];
		if (kybStatus === "VALIDATED") return [purser`ledger list --end-user-id ${id}`];
		return [purser`related list ${id}`, purser`kyb status ${id}`];
	},
});
