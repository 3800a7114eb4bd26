import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { fromFile } from "../../api/fields.js";
import { ownFields } from "../../api/operation.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { getRelated, relatedRecord, updateRelated, viewRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { relatedNamed, requireChange, sentRows } from "../../onboarding/records/about.js";
import { readBack, readRelated } from "../../onboarding/records/reading.js";
import { ownedIn, relatedRows } from "../../onboarding/records/record.js";

export default defineCommand({
	path: "related update",
	summary: "Update a related entity, such as its email or phone",
	details: "Only what is given is sent. A changed email or phone has to be verified again.",
	examples: {
		"related update 'crm-5002/Ada Example' --email-address ada@example.com": "Correct the email",
		"related update crm-5002/ada@example.com --phone.country-code 33 --phone.number 639980001": "Correct the phone, when no SMS arrives",
	},
	effect: "write",
	operations: [updateRelated.id, getRelated.id, listCorporates.id],
	input: fromFile(z.strictObject({ ...updateRelated.params.shape, ...updateRelated.body.shape })),
	answer: () => z.extend(relatedRecord(), { id: z.string() }),
	async run(context, input) {
		const { corporateRelatedId, emailAddress, phone } = input;
		const body = ownFields(updateRelated.body, input);
		await context.ask.begin();
		requireChange(body, "related update");
		await context.ask.change(async () => {
			const { who } = await relatedNamed(context, corporateRelatedId);
			return { title: `Update ${who}`, rows: [["Id", corporateRelatedId], ...sentRows(body)] };
		});
		await call(context, updateRelated, { params: { corporateRelatedId }, body: input });
		const record = await readBack(context, () => readRelated(context.service, corporateRelatedId));
		const data = { id: corporateRelatedId, ...record };
		await context.names.of(ownedIn(data));
		const id = typed(corporateRelatedId, "RELATED");
		// A record that could not be read back does not say whose contact it is.
		const mayBeOwner = viewRelated(data).isAccountOwner !== false;
		if (mayBeOwner && typeof emailAddress === "string") return { data, next: [purser`email send-link ${id}`] };
		return { data, next: [mayBeOwner && phone != null ? purser`phone send-code ${id}` : purser`related show ${id}`] };
	},
	text: (record, style) => style.done("Related entity updated", relatedRows(record, style)),
});
