/**
 * The duplicates that a batch may send nevertheless: overridden in the plan, or confirmed by a person who was shown them.
 */
import { serviceAddress } from "../../../api/service-address.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, BatchOverrides } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { permitBeforeAsking } from "./permit.js";

/** What a preview has shown. A Yes confirms only this, not what another process has done since. */
export interface ShownDuplicates {
	alike: BatchDuplicates;
	rows: number;
}

/**
 * Finds the duplicates that a person must be shown, which a Yes then confirms.
 * @param takes the states whose rows are to be sent
 * @param rows how many these are
 * @throws PurserError guard, if an obstacle cannot be confirmed away
 */
export async function findShownDuplicates(
	context: Context,
	plan: BatchPlan,
	takes: readonly IntentState[],
	rows: number,
): Promise<ShownDuplicates> {
	const { profile } = await context.settings();
	const skew = context.serviceClock.skew(serviceAddress(profile.baseUrl));
	const alike = await (await context.batches(profile)).duplicates(plan.batch, plan.digest, takes, skew);
	permitBeforeAsking(plan, alike);
	return { alike, rows };
}

/** A Yes at the terminal confirms the duplicates that were shown and their batches, but never a doubt and never the same batch. */
function withConfirmed(said: BatchOverrides, shown?: ShownDuplicates): BatchOverrides {
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
	return withConfirmed({ duplicates: despite?.duplicates ?? 0, batches: despite?.batches ?? [], unbegun: true }, shown);
}

/** For one that goes on: the plan's word was of what was there when it was planned, and speaks for no payment made since. */
export function allowedAgain({ despite }: BatchPlan, shown?: ShownDuplicates): BatchOverrides {
	return withConfirmed({ duplicates: 0, batches: despite?.batches ?? [] }, shown);
}
