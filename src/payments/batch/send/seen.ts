import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { CompletionCache } from "../../../ports/completion-cache.js";
import type { Profile } from "../../../ports/profiles.js";

/** Notes batches for Tab: their number, when they were planned and how many transfers they have; nothing of a row. */
export function noteBatches(
	seen: Pick<CompletionCache, "note">,
	profile: Profile,
	plans: readonly Pick<BatchPlan, "batch" | "planned" | "count">[],
): void {
	// The newest last: what is noted last is offered first.
	const oldestFirst = [...plans].sort((one, other) => one.batch.length - other.batch.length || (one.batch < other.batch ? -1 : 1));
	seen.note(
		profile,
		oldestFirst.map(({ batch, planned, count }) => ({ kind: "batch", id: batch, name: `${planned.slice(0, 10)}, ${count} transfers` })),
	);
}
