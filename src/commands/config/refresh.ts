import * as z from "zod/mini";
import { textAt } from "../../api/answer.js";
import { listBeneficiaries } from "../../api/operations/beneficiary.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { listLedgers } from "../../api/operations/ledger.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import { PurserError } from "../../errors.js";
import { Budget, type BudgetBounds, everyPage } from "../../http/pages.js";
import type { CachedKind } from "../../ports/completion-cache.js";

/** Maximum number of records of one list. */
const maxRecords = 500;
/** Companies whose related entities are read, the last changed first. */
const maxCorporates = 10;
/** What all lists together may take. */
const allowed: BudgetBounds = { requests: 200, milliseconds: 30_000, bytes: 64 * 1024 * 1024 };

interface Refreshed {
	/** How many were found, by kind; kinds that were not read are missing. */
	found: Partial<Record<CachedKind, number>>;
}

export default defineCommand({
	path: "config refresh",
	summary: "Refresh what Tab offers: companies, ledgers, beneficiaries, related entities",
	details:
		"Tab starts this in the background when the lists are older than ten minutes; the setting completion-refresh switches that off. The lists are kept in a private file: ids with the names of ledgers and companies, and of persons only kind and status.",
	examples: [{ run: "config refresh", note: "Before completing ids made elsewhere" }],
	effect: "read",
	operations: [listLedgers.id, listBeneficiaries.id, listCorporates.id, listRelated.id],
	input: z.strictObject({}),
	async run(context) {
		const found: Refreshed["found"] = {};
		const whole: CachedKind[] = [];
		const budget = new Budget(context.clock, allowed);
		let refused: PurserError | undefined;
		const step = async (kind: CachedKind, read: () => Promise<{ records: unknown[]; complete: boolean }>): Promise<void> => {
			if (budget.spent !== undefined) return;
			try {
				const { records, complete } = await read();
				found[kind] = (found[kind] ?? 0) + records.length;
				if (complete && kind !== "related") whole.push(kind);
			} catch (cause) {
				// The credential may lack the role for one of the lists.
				if (!(cause instanceof PurserError) || cause.failure.status !== 403) throw cause;
				refused = cause;
				context.report.warn(`${kind}: ${cause.message}`);
			}
		};
		await step("ledger", () => everyPage(context, listLedgers, {}, { limit: maxRecords, budget }));
		await step("beneficiary", () => everyPage(context, listBeneficiaries, {}, { limit: maxRecords, budget }));
		const corporates: string[] = [];
		await step("corporate", async () => {
			const pages = await everyPage(
				context,
				listCorporates,
				{ query: { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } },
				{ limit: maxRecords, budget },
			);
			corporates.push(...pages.records.flatMap((record) => textAt(record, "id", "corporateId") ?? []));
			return pages;
		});
		for (const corporateId of corporates.slice(0, maxCorporates))
			await step("related", () => everyPage(context, listRelated, { params: { corporateId } }, { limit: maxRecords, budget }));
		if (budget.spent !== undefined)
			context.report.warn(`Stopped after ${budget.spent}: Tab offers what was read until then. Run this again for the rest`);
		if (refused !== undefined && Object.keys(found).length === 0) throw refused;
		context.names.seen.replace((await context.settings.read()).profile, whole);
		const data: Refreshed = { found };
		return { data };
	},
	text: ({ found }, style) => style.pairs(Object.entries(found).map(([kind, count]) => [kind, String(count)])),
});
