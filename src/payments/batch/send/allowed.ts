/**
 * What of a batch's likeness to other payments is meant: by the plan's word, or by a person's Yes to what the preview showed.
 */
import { serviceAddress } from "../../../api/service-address.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, BatchOverrides } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { permitAsking } from "./permit.js";

/** What a preview has shown. Only that does its Yes confirm: what another process did since, nobody has seen. */
export interface ShownDuplicates {
	alike: BatchDuplicates;
	rows: number;
}

/**
 * Looks for what a person has to be told before saying Yes, which is what a Yes confirms.
 * @param takes of which rows are to be sent; `rows`: how many these are
 * @throws PurserError guard, where no Yes goes round it
 */
export async function showAlike(context: Context, plan: BatchPlan, takes: readonly IntentState[], rows: number): Promise<ShownDuplicates> {
	const { profile } = await context.settings();
	const skew = context.serviceClock.skew(serviceAddress(profile.baseUrl));
	const alike = await (await context.batches(profile)).duplicates(plan.batch, plan.digest, takes, skew);
	permitAsking(plan, alike);
	return { alike, rows };
}

/** A Yes at the terminal confirms the duplicates that were shown, and the batches they stand in; never a doubt, never the same batch. */
function confirmed(said: BatchOverrides, shown?: ShownDuplicates): BatchOverrides {
	if (shown === undefined) return said;
	const { inside, earlier, batches } = shown.alike;
	return {
		...said,
		duplicates: Math.max(said.duplicates, inside + earlier),
		batches: [...said.batches, ...batches.map(({ batch }) => batch)],
		rows: shown.rows,
	};
}

/** For a batch that is sent: by the plan's word too. */
export function allowedFirst({ despite }: BatchPlan, shown?: ShownDuplicates): BatchOverrides {
	return confirmed({ duplicates: despite?.duplicates ?? 0, batches: despite?.batches ?? [], unbegun: true }, shown);
}

/** For one that goes on: the plan's word was of what was there when it was planned, and speaks for no payment made since. */
export function allowedAgain({ despite }: BatchPlan, shown?: ShownDuplicates): BatchOverrides {
	return confirmed({ duplicates: 0, batches: despite?.batches ?? [] }, shown);
}
