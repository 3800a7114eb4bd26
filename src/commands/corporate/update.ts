import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { fromFile } from "../../api/fields.js";
import { ownFields } from "../../api/operation.js";
import { corporateRecord, getCorporate, updateCorporate } from "../../api/operations/corporate.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { confirmedBy, readAccountOwner } from "../../onboarding/evidence/acceptance.js";
import { companyNamed, requireChange, sentRows } from "../../onboarding/records/about.js";
import { readBack, readCorporate } from "../../onboarding/records/reading.js";
import { corporateRows } from "../../onboarding/records/record.js";
import type { About } from "../../ports/changes.js";

export default defineCommand({
	path: "corporate update",
	summary: "Update a company",
	details:
		"Only what you give is sent. The service may replace an address as a whole, so give all of it. --last-terms-accepted, also in a file, accepts the terms in the account owner's name, as `purser terms accept` does: it asks on every profile, and a script says --yes --confirmed-by account-owner, or operator.",
	examples: {
		"corporate update crm-5002 --website https://www.example.com": "One field",
		"corporate update crm-5002 -f changes.yaml --dry-run": "Several fields, checked first",
	},
	effect: "write",
	operations: [updateCorporate.id, getCorporate.id],
	input: fromFile(z.strictObject({ ...updateCorporate.params.shape, ...updateCorporate.body.shape, confirmedBy: confirmedBy() })),
	answer: () => z.extend(corporateRecord(), { id: z.string() }),
	async run(context, input) {
		const { corporateId, lastTermsAccepted: version, confirmedBy } = input;
		const body = ownFields(updateCorporate.body, input);
		await context.ask.begin();
		requireChange(body, "corporate update");
		const about = async (): Promise<About> => {
			const company = await companyNamed(context.service, corporateId);
			const about: About = { title: `Update ${company}`, rows: [["Id", corporateId], ...sentRows(body)], terms: [] };
			if (version === undefined) return about;
			return { ...about, terms: [{ version, company, owner: (await readAccountOwner(context, corporateId))?.name }] };
		};
		await context.ask.change(about, { terms: version === undefined ? [] : [{ version }], confirmedBy });
		await call(context, updateCorporate, { params: { corporateId }, body: input });
		const record = await readBack(context, () => readCorporate(context.service, corporateId));
		return { data: { id: corporateId, ...record }, next: [purser`corporate status ${typed(corporateId, "CORPORATE")}`] };
	},
	text: (record, style) => style.done("Company updated", corporateRows(record, style)),
});
