import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { getCorporate, updateCorporate } from "../../api/operations/corporate.js";
import { call } from "../../client/call.js";
import { serviceOf } from "../../client/service.js";
import { companyNamed, sentRows } from "../../onboarding/records/about.js";
import { requireChange } from "../../onboarding/records/change.js";
import { corporateRows } from "../../onboarding/records/corporate-rows.js";
import { readBack, readCorporate } from "../../onboarding/records/reading.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "corporate update",
	summary: "Update a company",
	details: "Only what is given is sent. An address that is given replaces the address as a whole where the service keeps it so.",
	examples: [
		{ run: "corporate update crm-5002 --website https://www.example.com", note: "One field" },
		{ run: "corporate update crm-5002 -f changes.yaml --dry-run", note: "Several, looked at first" },
	],
	effect: "write",
	document: true,
	operations: [updateCorporate.id, getCorporate.id],
	input: z.strictObject({ ...updateCorporate.params.shape, ...updateCorporate.body.shape }),
	prepare: async (_, input) => {
		const { corporateId: _id, ...body } = input;
		requireChange(body, "corporate update");
		return input;
	},
	about: async (context, { corporateId, ...body }) => {
		const name = await companyNamed(serviceOf(context), corporateId);
		return { title: `Update ${name}`, rows: [["Company", corporateId], ...sentRows(body)] };
	},
	run: async (context, { corporateId, ...body }) => {
		await call(context, updateCorporate, { params: { corporateId }, body });
		const record = await readBack(context, () => readCorporate(serviceOf(context), corporateId));
		return { id: corporateId, ...record };
	},
	text: (record, style) => [style.good("Company updated"), style.pairs(corporateRows(record, style))].join("\n"),
	next: (_, { corporateId }) => [purser`corporate status ${typed(corporateId, "CORPORATE")}`],
});
