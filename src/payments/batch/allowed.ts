/**
 * What of a batch's likeness to other payments is meant: by the plan's word, or by a person's Yes to what the preview showed.
 */
import type { Alikeness, Allowed, Batches, BatchPlan } from "../../batches.js";
import type { Context } from "../../context.js";

/** By the plan's word. */
export function allowedByPlan({ despite }: BatchPlan): Allowed {
	return { duplicates: despite?.duplicates ?? 0, batches: despite?.batches ?? [] };
}

/** What the preview of a run has shown. Only that does its Yes confirm: what another process sent since, nobody has seen. */
const shown = new WeakMap<Context, Alikeness>();

/** Remembers what a preview shows. */
export function showing(context: Context, alike: Alikeness): Alikeness {
	shown.set(context, alike);
	return alike;
}

/**
 * A Yes at the terminal confirms the duplicates that were shown, and the batches they stand in; never a doubt, never the same batch.
 * A batch that goes on was looked at when it was begun: of its rows that still stand planned it confirms what holds now.
 */
export async function allowedBy(context: Context, plan: BatchPlan, batches: Batches): Promise<Allowed> {
	const said = allowedByPlan(plan);
	const { interactive, yes } = await context.settings();
	if (!interactive || yes) return said;
	return confirmed(said, shown.get(context) ?? (await batches.alike(plan.batch, plan.digest)));
}

function confirmed({ duplicates, batches }: Allowed, { inside, earlier, batches: found }: Alikeness): Allowed {
	return { duplicates: Math.max(duplicates, inside + earlier), batches: [...batches, ...found.map(({ batch }) => batch)] };
}
