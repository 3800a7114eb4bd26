import { z } from "zod";
import { textAt } from "../../api/answer.js";
import { listBeneficiaries } from "../../api/operations/beneficiary.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { listLedgers } from "../../api/operations/ledger.js";
import { listRelated } from "../../api/operations/related.js";
import { everyPage } from "../../client/pages.js";
import { PurserError } from "../../errors.js";
import type { CachedKind } from "../../ports/completion-cache.js";
import { defineCommand } from "../../shell/command.js";

/** Most records of one list that are read. */
const most = 500;
/** Corporates whose related entities are read, the last changed first. */
const mostCorporates = 10;
/** Milliseconds after which no further list is begun. */
const patience = 30_000;

interface Refreshed {
	/** How many were found, by kind; one that was not read is not there. */
	found: Partial<Record<CachedKind, number>>;
}

export default defineCommand({
	path: "config refresh",
	summary: "Read again what Tab offers: corporates, ledgers, beneficiaries, related entities",
	details:
		"Tab starts this by itself, in the background, where the lists are older than ten minutes; switch that off with the setting completion-refresh. What is kept is in a private file: ids with the names of ledgers and companies, and of natural persons nothing but kind and status.",
	examples: [{ run: "config refresh", note: "Before completing ids made elsewhere" }],
	effect: "read",
	operations: [listLedgers.id, listBeneficiaries.id, listCorporates.id, listRelated.id],
	input: z.strictObject({}),
	run: async (context): Promise<Refreshed> => {
		const found: Refreshed["found"] = {};
		const whole: CachedKind[] = [];
		const ends = context.clock.monotonic() + patience;
		let refused: PurserError | undefined;
		const step = async (kind: CachedKind, read: () => Promise<{ records: unknown[]; complete: boolean }>): Promise<void> => {
			if (context.clock.monotonic() > ends) return;
			try {
				const { records, complete } = await read();
				found[kind] = (found[kind] ?? 0) + records.length;
				if (complete && kind !== "related") whole.push(kind);
			} catch (cause) {
				// A role may be missing for one of them.
				if (!(cause instanceof PurserError) || cause.failure.status !== 403) throw cause;
				refused = cause;
				context.reporter.warn(`${kind}: ${cause.message}`);
			}
		};
		await step("ledger", () => everyPage(context, listLedgers, {}, { limit: most }));
		await step("beneficiary", () => everyPage(context, listBeneficiaries, {}, { limit: most }));
		const corporates: string[] = [];
		await step("corporate", async () => {
			const pages = await everyPage(
				context,
				listCorporates,
				{ query: { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } },
				{ limit: most },
			);
			corporates.push(...pages.records.flatMap((record) => textAt(record, "id", "corporateId") ?? []));
			return pages;
		});
		for (const corporateId of corporates.slice(0, mostCorporates))
			await step("related", () => everyPage(context, listRelated, { params: { corporateId } }, { limit: most }));
		if (refused !== undefined && Object.keys(found).length === 0) throw refused;
		context.completionCache.replace((await context.settings()).profile, whole);
		return { found };
	},
	text: ({ found }, style) => style.pairs(Object.entries(found).map(([kind, count]) => [kind, String(count)])),
});
