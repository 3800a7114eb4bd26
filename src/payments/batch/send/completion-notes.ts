import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { CompletionCache } from "../../../ports/completion-cache.js";
import type { Profile } from "../../../ports/profiles.js";

/** Notes batches for completion: number, date and count, but no data of a row. */
export function noteBatches(
	cache: Pick<CompletionCache, "note">,
	profile: Profile,
	plans: readonly Pick<BatchPlan, "batch" | "planned" | "count">[],
): void {
	// Completion offers the record noted last first.
	const oldestFirst = [...plans].sort((one, other) => one.batch.length - other.batch.length || (one.batch < other.batch ? -1 : 1));
	cache.note(
		profile,
		oldestFirst.map(({ batch, planned, count }) => ({ kind: "batch", id: batch, name: `${planned.slice(0, 10)}, ${count} transfers` })),
	);
}
