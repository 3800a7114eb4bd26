import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { defineCommand } from "../../cli/command.js";
import { everyPage } from "../../http/pages.js";

/** Maximum number of companies that are read. */
const maxCorporates = 50_000;

/** Whether a company has accepted the latest terms, as the service says. */
interface Audited {
	corporateId?: string;
	externalId?: string;
	name?: string;
	kybStatus?: string;
	/** Undefined where the service does not say. */
	termsAccepted?: boolean;
}

export default defineCommand({
	path: "terms audit",
	summary: "List the companies that must accept the latest terms",
	details:
		"When the terms are updated, termsAccepted becomes false for every company: each must see and accept the new terms. Declined companies are left out.",
	examples: [
		{ run: "terms audit", note: "Who has to accept" },
		{ run: "terms audit -o ndjson", note: "One line per company, for a script" },
	],
	effect: "read",
	operations: [listCorporates.id],
	input: z.strictObject({}),
	async run(context) {
		const found = await context.report.during("Reading the companies", () =>
			everyPage(context, listCorporates, { query: {} }, { limit: maxCorporates }),
		);
		const complete = found.complete && !found.more;
		if (found.cut !== undefined)
			context.report.warn(
				advice`Stopped after ${found.cut}: ${found.records.length} companies were looked at, and more may have to accept. Look at them by status: ${purser`corporate list --kyb-status STATUS`}`,
			);
		else if (!complete) context.report.warn("The service did not list all companies; more may have to accept");
		const all = found.records.map((record): Audited => {
			const { id, externalId, name, kybStatus, termsAccepted } = viewCorporate(record);
			return { corporateId: id, externalId, name, kybStatus, termsAccepted };
		});
		const audited = all.filter(({ kybStatus }) => kybStatus !== "DECLINED");
		const missing = audited.filter(({ termsAccepted }) => termsAccepted === false);
		const unknown = audited.filter(({ termsAccepted }) => termsAccepted === undefined);
		const accept = missing.slice(0, 3).map(({ corporateId }) => purser`terms accept ${typed(corporateId, "CORPORATE")}`);
		return {
			data: { corporates: audited.length, complete, missing, unknown },
			lines: [...missing, ...unknown],
			next: missing.length === 0 ? [] : [purser`terms show`, ...accept],
		};
	},
	text: ({ corporates, missing, unknown }, style) => {
		if (missing.length + unknown.length === 0)
			return corporates === 0
				? "No companies."
				: style.good(
						corporates === 1
							? "The only company has accepted the latest terms"
							: `All ${corporates} companies have accepted the latest terms`,
					);
		const rows = [...missing, ...unknown].map(({ corporateId, name, kybStatus, termsAccepted, externalId }) => [
			corporateId ?? "",
			name ?? "",
			style.status(kybStatus),
			termsAccepted === false ? "to accept" : "unknown",
			externalId ?? "",
		]);
		const head = `${missing.length} of ${corporates} compan${corporates === 1 ? "y" : "ies"} must accept the latest terms${unknown.length > 0 ? `; of ${unknown.length} the service does not say` : ""}`;
		return [style.warn(head), "", style.table(["id", "name", "KYB", "terms", "external id"], rows)].join("\n");
	},
});
