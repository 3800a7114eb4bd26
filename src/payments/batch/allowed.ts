/**
 * What of a batch's likeness to other payments is meant: by the plan's word, or by a person's Yes to what the preview showed.
 */
import type { Alikeness, Allowed, Batches, BatchPlan } from "../../batches.js";
import type { Context } from "../../context.js";

/** By the plan's word. */
export function allowedByPlan({ despite }: BatchPlan): Allowed {
	return { duplicates: despite?.duplicates ?? 0, batches: despite?.batches ?? [] };
}

/** A Yes at the terminal confirms the duplicates that were shown, and the batches they stand in; never a doubt, never the same batch. */
export async function allowedBy(context: Context, plan: BatchPlan, batches: Batches): Promise<Allowed> {
	const said = allowedByPlan(plan);
	const { interactive, yes } = await context.settings();
	if (!interactive || yes) return said;
	return confirmed(said, await batches.alike(plan.batch, plan.digest));
}

function confirmed({ duplicates, batches }: Allowed, { inside, earlier, batches: found }: Alikeness): Allowed {
	return { duplicates: Math.max(duplicates, inside + earlier), batches: [...batches, ...found.map(({ batch }) => batch)] };
}
