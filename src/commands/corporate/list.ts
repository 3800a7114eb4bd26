import { z } from "zod";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { listAll } from "../../client/pages.js";
import { limitField, limitOf } from "../../onboarding/records/listing.js";
import { yesNo } from "../../onboarding/records/record.js";
import { defineCommand } from "../../shell/command.js";

const { page, pageSize, ...filters } = listCorporates.query.shape;

export default defineCommand({
	path: "corporate list",
	summary: "List companies by KYB status, name or email",
	examples: [
		{ run: "corporate list --kyb-status PENDING_VERIFICATION --kyb-status NEED_ADDITIONAL_INFORMATION", note: "Those under way" },
		{ run: 'corporate list --registered-name "Example Trading SAS"', note: "Find one by its name" },
		{ run: "corporate list --limit 5000 --output ndjson", note: "A record a line, for a script" },
	],
	effect: "read",
	operations: [listCorporates.id],
	input: z.strictObject({ ...filters, limit: limitField() }),
	run: (context, { limit, ...query }) => listAll(context, listCorporates, { query }, limitOf(limit)),
	text: (records, style) => {
		if (records.length === 0) return "No companies found.";
		const rows = records.map((record) => {
			const view = viewCorporate(record);
			return [
				view.id ?? "",
				view.name ?? "",
				view.country ?? "",
				style.status(view.kybStatus),
				style.status(yesNo(view.termsAccepted)),
				view.externalId ?? "",
			];
		});
		return style.table(["id", "name", "country", "KYB", "terms", "external id"], rows);
	},
	lines: (records) => records,
	next: (records) => {
		const [only, another] = records;
		if (only === undefined) return [purser`corporate create`];
		return [another === undefined ? purser`corporate show ${typed(viewCorporate(only).id, "CORPORATE")}` : purser`corporate show`];
	},
});
